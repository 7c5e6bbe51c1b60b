import fc from "fast-check";
import { expect, test } from "vitest";
import { csvText, type CsvDialect } from "../../../src/data/table/csv-text.js";
import { writtenCells } from "../../../src/data/table/written-cells.js";
import { readCsv } from "../../../src/data/index.js";

const read = async (header: string[], rows: (string | number)[][], dialect: CsvDialect = {}) =>
  readCsv([...csvText(header, rows, dialect)].join(""), dialect);

/** Those that can be read. */
const dialects = fc
  .record({
    delimiter: fc.constantFrom(",", ";", "|", "\t"),
    decimal: fc.constantFrom(".", ",") as fc.Arbitrary<"." | ",">,
  })
  .filter(({ delimiter, decimal }) => delimiter !== decimal);

test("what is written reads back exactly, numbers to the last bit", async () => {
  // The reader trims cells that are not quoted, and takes these words for missing values.
  const text = fc
    .string()
    .filter((s) => !/^(NA|N\/A|n\/a|#N\/A|<NA>|\.|NaN|nan|NULL|null|\?|)$/.test(s.trim()));
  const number = fc.double({ noNaN: true, noDefaultInfinity: true }).map((x) => x + 0);
  const rows = fc.array(fc.tuple(text, number), { minLength: 1, maxLength: 20 });
  await fc.assert(
    fc.asyncProperty(rows, dialects, async (cells, dialect) => {
      const table = await read(["name", 'a "b", c'], cells, dialect);
      // Where all names are numbers with commas, they are numbers.
      const names = writtenCells(table, "name", dialect);
      expect(names.map((s) => String(s).trim())).toEqual(cells.map(([s]) => s.trim()));
      expect([...table.numbers('a "b", c')]).toEqual(cells.map(([, x]) => (x === 0 ? 0 : x)));
    }),
    { numRuns: 400 },
  );
});

test("comes in pieces, so that a large table never lies in memory as one text", () => {
  function* rows() {
    for (let i = 0; i < 50_000; i++) yield [i, i];
  }
  const pieces = [...csvText(["a", "b"], rows())];
  expect(pieces.length).toBeGreaterThan(3);
  expect(Math.max(...pieces.map((piece) => piece.length))).toBeLessThan(70_000);
  expect(pieces.join("").split("\n").length).toBe(50_002);
});

test("cells are carried on as they were written, whatever the decimal sign", async () => {
  const text = "id;name;a;n\n1;u;-0,50;7\n;x,y;1e-3;8\n3;a.b;NA;9\n";
  const dialect = { delimiter: ";", decimal: "," } as const;
  const table = await readCsv(text, dialect);
  const columns = table.columnNames.map((name) => writtenCells(table, name, dialect));
  expect(columns).toEqual([
    ["1", "", "3"],
    ["u", "x,y", "a.b"],
    ["-0,50", "1e-3", ""],
    ["7", "8", "9"],
  ]);
  const rows = [0, 1, 2].map((row) => columns.map((cells) => cells[row]!));
  const again = [...csvText(table.columnNames, rows, dialect)].join("");
  expect(again).toBe(text.replace("NA", ""));
});
