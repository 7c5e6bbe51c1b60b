/** With a schema that declares everything a task's rows are prepared the same whatever stands in the cells of others: guarantees count on it. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { DataError } from "../../../src/core/index.js";
import { parseSchema, readCsv, TableEncoding, tableFrom } from "../../../src/data/index.js";
import { thorough } from "../../thorough.js";

const number = { kind: "number", range: [0, 9], missing: { value: 4 } };
const category = { kind: "category", unseen: "zeros", missing: "zeros" };
const COLUMNS = {
  n: number,
  gaps: { ...number, missing: "level", missingCodes: [-9.5] },
  c: { ...category, levels: ["1.5", 2, "a,b"], missing: "level" },
  two: { ...category, kind: "binary", levels: ["0", "1,5"] },
  of: { ...category, levels: [1000, "1.5", -9.5], missingCodes: ["-9,5"] },
  percent: { ...category, levels: ["1,5%", "2.5 %", "10%"], missingCodes: ["-9,5%"] },
};
const TARGET = { kind: "category", levels: ["1.5", "2", "high", "1,7"], missing: "drop" };

/** What others may have in their cells, beside what those of one task are drawn from. */
const OWN = ["1,5", "2", "2,0", "0", "", "-99", "-99,0", "-9,5", "unknown"];
const ANY = [...OWN, "1.5", "1.000", "1.000,5", "7.25", "text", "1e3", "1e400", "-0", "NA", "a,b", "007", "9007199254740993"]; // prettier-ignore
const PERCENT = ["1,5%", "1.5%", "2,5 %", ",5%", "10%", "-9,5%", "", "1,5e400", "1.000,5%", "text"];
/** What may be a label. */
const LABELS = ["1,5", "2", "2,0", "high", "", "-99,0", "1,7", "1.5"];

/** Task one's rows as they are prepared, with such cells in the column of that name; undefined where the table is refused. */
async function rowsOfOne(
  name: string,
  cells: Readonly<Record<"one" | "two", readonly string[]>>,
  decimal: "." | ",",
): Promise<number[][] | undefined> {
  const columns = Object.entries(COLUMNS).filter(([known]) => known === name || name === "y");
  const schema = parseSchema({
    format: "mp-mtl-schema",
    version: 1,
    task: "site",
    target: { column: "y", ...TARGET },
    columns: Object.fromEntries(columns),
  });
  const names = ["y", ...columns.map(([known]) => known)];
  // Each has a row that stays, so that none is left out.
  const lines = (["one", "two"] as const).flatMap((task) =>
    ["", ...cells[task]].map((cell, row) => [
      task,
      ...names.map((known) =>
        row > 0 && known === name ? cell : known === "percent" ? "10%" : "2",
      ),
    ]),
  );
  const text = [["site", ...names], ...lines].map((row) =>
    row.map((cell) => `"${cell}"`).join(";"),
  );
  try {
    const table = await readCsv(text.join("\n"), { delimiter: ";", decimal });
    const encoding = TableEncoding.fit(table, { schema, missingCodes: [-99, "unknown"] });
    expect(encoding.pooled).toEqual([]);
    const { x, y } = encoding.apply(table).tasks.select(["one"]);
    return [[...x], [...y]];
  } catch (error) {
    if (error instanceof DataError) return undefined;
    throw error;
  }
}

const asWritten = (cell: string, decimal: string) =>
  decimal === "." ? cell.replace(",", ".") : cell;

test.each([
  [".", thorough ? 40 : 12],
  [",", thorough ? 40 : 12],
] as const)("with %s as the decimal sign", async (decimal, least) => {
  const compared: Record<string, number> = {};
  const column = fc.constantFrom("y", ...Object.keys(COLUMNS)).chain((name) => {
    const [own, any] =
      name === "y" ? [LABELS, LABELS] : name === "percent" ? [PERCENT, PERCENT] : [OWN, ANY];
    const cells = (from: readonly string[]) => fc.array(fc.constantFrom(...from), { minLength: 1, maxLength: 3 }); // prettier-ignore
    const ours = cells(own.map((cell) => asWritten(cell, decimal)));
    return fc.record({ name: fc.constant(name), ours, a: cells(any), b: cells(any) });
  });
  const property = fc.asyncProperty(column, async ({ name, ours, a, b }) => {
    const one = await rowsOfOne(name, { one: ours, two: a }, decimal);
    const other = await rowsOfOne(name, { one: ours, two: b }, decimal);
    if (!one || !other) return;
    expect(one).toEqual(other);
    compared[name] = (compared[name] ?? 0) + 1;
  });
  await fc.assert(property, { numRuns: thorough ? 500 : 180, seed: 17 });
  for (const name of ["c", "two", "of", "percent"]) expect(compared[name]).toBeGreaterThan(least);
});

test("in memory a yes is 1, also beside integers that no number holds", () => {
  const columns = { c: { kind: "category", levels: [0, 1], unseen: "zeros", missing: "zeros" } } as const; // prettier-ignore
  const rowsOf = (other: unknown) => {
    const table = tableFrom({ site: ["one", "two"], y: [2, 2], c: [true, other] });
    const encoding = TableEncoding.fit(table, { task: "site", target: "y", kinds: columns });
    return [...encoding.apply(table).tasks.select(["one"]).x];
  };
  for (const other of [0, 1, 0.5, 2n, 2n ** 60n, false, null]) {
    expect(rowsOf(other)).toEqual([0, 1]);
  }
});
