/** Formats and signs that there are none of are refused by name, and no table is read as something else. */
import { expect, test } from "vitest";
import { csvTables, readCsv, readTable } from "../../../src/data/index.js";

const bytes = new TextEncoder().encode("a,b\n1,2\n");

test("a format that there is none of is not read as text", async () => {
  const given = { name: "rows.csv", format: "json" } as never;
  await expect(readTable(bytes, given)).rejects.toThrow(
    /^format: expected one of csv, tsv, .*got "json"/,
  );
});

test.each([
  [{ delimiter: "" }, "delimiter: expected a text, got an empty one"],
  [{ delimiter: 5 }, "delimiter: expected a text, got 5"],
  [{ decimal: ";" }, 'decimal: expected one of ., ,; got ";"'],
])("%o is refused", async (options, words) => {
  await expect(readCsv(bytes, options as never)).rejects.toThrow(words);
  const tables = csvTables(bytes, options as never);
  await expect(tables[Symbol.asyncIterator]().next()).rejects.toThrow(words);
});
