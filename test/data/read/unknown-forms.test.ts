/** Formats and signs that there are none of are refused by name, and no table is read as something else. */
import { expect, test } from "vitest";
import { readOptionsFor } from "../../../src/cli/tables/read-data.js";
import { csvTables, readCsv, readTable } from "../../../src/data/index.js";
import { readTable as readFile, readTables } from "../../../src/node/tables/read-table.js";

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

test.each(["parquet", "npy", "svmlight"] as const)(
  "%s has no delimiter and no decimal sign that would be ignored",
  async (format) => {
    const words = `t.${format}: ${format} has no delimiter, .csv and .tsv have; leave it out.`;
    await expect(readTable(bytes, { name: `t.${format}`, delimiter: ";" })).rejects.toThrow(words);
    await expect(readFile(`t.${format}`, { delimiter: ";" })).rejects.toThrow(words);
    await expect(readFile("t.csv", { format, decimal: "," })).rejects.toThrow(
      `t.csv: ${format} has no decimal`,
    );
  },
);

test("nor has a stream of Parquet; flags of a command are for what it writes", () => {
  expect(() => readTables("t.parquet", { decimal: "," })).toThrow(
    "t.parquet: parquet has no decimal",
  );
  const flags = { delimiter: "tab", decimal: "," } as const;
  expect(readOptionsFor("t.parquet", flags)).toEqual({});
  expect(readOptionsFor("t.csv", flags)).toEqual({ delimiter: "\t", decimal: "," });
});
