/** Rows that are there twice, against the plain way of counting them. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { inspectTable, readCsv, Table } from "../../../../src/data/index.js";
import { repeatedRows } from "../../../../src/data/inspect/signs/repeated-rows.js";

test("as many as there are beyond the different ones", () => {
  const cell = fc.constantFrom("a", "b", "");
  const number = fc.constantFrom(0, 1, NaN);
  const rows = fc.array(fc.tuple(cell, number, cell), { minLength: 1, maxLength: 40 });
  fc.assert(
    fc.property(rows, (cells) => {
      const table = new Table([
        { name: "u", values: cells.map(([u]) => u) },
        { name: "v", values: Float64Array.from(cells, ([, v]) => v) },
        { name: "w", values: cells.map(([, , w]) => w) },
      ]);
      const held = cells.filter((row) => row.some((value) => value !== "" && !Number.isNaN(value)));
      expect(repeatedRows(table)).toBe(held.length - new Set(held.map(String)).size);
    }),
  );
});

test("inspect counts them", async () => {
  const rows = "north,1,2\nnorth,2,2\nsouth,1,2\n";
  const table = await readCsv(`school,score,age\n${rows}${rows}`);
  expect(inspectTable(table, { task: "school", target: "score" }).repeatedRows).toBe(3);
});
