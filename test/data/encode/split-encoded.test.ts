/** A table split with its gaps filled by training rows: against the encoding fitted on those rows alone. */
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  fillGaps,
  splitEncoded,
  splitTable,
  Table,
  TableEncoding,
  type TableSchema,
} from "../../../src/data/index.js";

const cell = fc.option(fc.integer({ min: -9, max: 9 }), { nil: NaN, freq: 3 });
const rowOf = fc.tuple(fc.nat({ max: 3 }), cell, cell, fc.boolean());
const tables = fc.array(rowOf, { minLength: 8, maxLength: 40 }).map((rows) => {
  const column = (k: 1 | 2) => Float64Array.from(rows, (row) => row[k]);
  return new Table([
    { name: "task", values: rows.map(([task]) => `t${task}`) },
    { name: "a", values: column(1) },
    { name: "b", values: column(2) },
    {
      name: "y",
      values: Float64Array.from(rows, ([, a, , has], at) => (has ? at + (a || 0) : NaN)),
    },
  ]);
});
const schema: TableSchema = {
  task: "task",
  target: "y",
  missing: "impute",
  undeclared: "auto",
  kinds: { a: { kind: "number", range: [-9, 9] }, b: { kind: "number" } },
};
const options = { task: "task", testFraction: 0.4, seed: "s" };

test("both sides are what the encoding of the training rows makes of them", () => {
  fc.assert(
    fc.property(tables, (table) => {
      const present = Array.from({ length: table.rows }, (_, row) => row).filter(
        (row) => !Number.isNaN(table.numbers("y")[row]),
      );
      const tasks = present.map((row) => table.texts("task")[row]!);
      fc.pre(tasks.some((name, at) => tasks.indexOf(name) !== at));
      const parts = splitEncoded(TableEncoding.fit(table, schema), table, options);
      // Independently: rows without a target left out, the rest split, the encoding fitted on one side.
      const { train, test: held } = splitTable(table.select(present), { ...options, by: "rows" });
      const own = TableEncoding.fit(train, schema);
      expect(parts.dropped).toBe(table.rows - present.length);
      for (const [part, rows] of [
        [parts.train, train],
        [parts.test, held],
      ] as const) {
        const expected = new Map([...own.apply(rows).tasks].map((task) => [task.name, task]));
        expect(new Set(part.names)).toEqual(new Set(expected.keys()));
        for (const { name, x, y } of part) {
          expect([...y]).toEqual([...expected.get(name)!.y]);
          x.forEach((value, at) => {
            expect(value).toBeCloseTo(expected.get(name)!.x[at]!, 12);
          });
        }
      }
      // What predict will use is the same again.
      const again = parts.encoding.apply(held).tasks;
      for (const { name, x } of again) {
        const task = [...parts.test].find((one) => one.name === name)!;
        x.forEach((value, at) => {
          expect(value).toBeCloseTo(task.x[at]!, 12);
        });
      }
    }),
    { seed: 15, numRuns: 60 },
  );
});

test("sets without gaps are left as they are", () => {
  const table = new Table([
    { name: "task", values: ["a", "a", "b", "b"] },
    { name: "x", values: Float64Array.of(1, 2, 3, 4) },
    { name: "y", values: Float64Array.of(1, 2, 3, 4) },
  ]);
  const { tasks } = TableEncoding.fit(table, { task: "task", target: "y" }).apply(table);
  const parts = tasks.split({ trainFraction: 0.5, seed: "s" });
  expect(fillGaps(parts).train).toBe(parts.train);
});
