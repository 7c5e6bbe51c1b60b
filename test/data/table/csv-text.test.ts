import fc from "fast-check";
import { expect, test } from "vitest";
import { csvText } from "../../../src/data/table/csv-text.js";
import { readCsv } from "../../../src/data/index.js";

const read = async (header: string[], rows: (string | number)[][]) =>
  readCsv([...csvText(header, rows)].join(""));

test("what is written reads back exactly, numbers to the last bit", async () => {
  // The reader trims cells that are not quoted, and takes these words for missing values.
  const text = fc.string().filter((s) => !/^(NA|N\/A|NaN|nan|NULL|null|\?|)$/.test(s.trim()));
  const number = fc.double({ noNaN: true, noDefaultInfinity: true }).map((x) => x + 0);
  const rows = fc.array(fc.tuple(text, number), { minLength: 1, maxLength: 20 });
  await fc.assert(
    fc.asyncProperty(rows, async (cells) => {
      const table = await read(["name", 'a "b", c'], cells);
      expect(table.texts("name").map((s) => s.trim())).toEqual(cells.map(([s]) => s.trim()));
      expect([...table.numbers('a "b", c')]).toEqual(cells.map(([, x]) => (x === 0 ? 0 : x)));
    }),
    { numRuns: 200 },
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
