/** Declared features as own models of numbers see them: numbers twice as large as indicators, with four public rows. */
import { expect, test } from "vitest";
import { openCore } from "../../../../src/core/index.js";
import { tableFrom, tasksFromTable } from "../../../../src/data/index.js";
import { ownRows } from "../../../../src/learning/tasks/own-models/own-scale.js";
import { ResidentTasks } from "../../../../src/learning/tasks/resident-tasks.js";

const table = tableFrom({
  site: ["a", "a", "b", "b"],
  dose: [0, 10, 5, 10],
  ward: ["x", "y", "y", "x"],
  y: [1, 2, 3, 4],
});
const schema = {
  format: "mp-mtl-schema",
  version: 1,
  task: "site",
  target: { column: "y", kind: "number", range: [0, 10] },
  columns: {
    dose: { kind: "number", range: [0, 20] },
    ward: { kind: "category", levels: ["x", "y", "z"], missing: "refuse" },
  },
} as const;

test("a number of a declared range counts twice, a level once", () => {
  const { tasks } = tasksFromTable(table, { schema });
  const common = { loss: "squared", lossScale: "mean" } as const;
  const { known } = new ResidentTasks(openCore(), tasks, tasks.y, common);
  expect(known.features).toBe(true);
  expect(tasks.featureNames.map((name, c) => [name, known.multiples![c]])).toEqual([
    ["dose", 2],
    ["ward=x", 1],
    ["ward=y", 1],
    ["ward=z", 1],
  ]);
});

// Of 2 rows: 4 (.25 + 0) of the number, 1 of each level that is there; and 4 public rows of 1 in each of the 3 that are not 0.
test("rows have the size of the task's and of four public ones", () => {
  const x = Float64Array.of(-0.5, 1, 0, 0, 0, 0, 1, 0);
  const multiples = Float64Array.of(2, 1, 1, 1);
  const { factors } = ownRows({ x, n: 2, d: 4 }, { centered: false, declared: true, multiples });
  const size = Math.sqrt((1 + 1 + 1 + 4 * 3) / (2 + 4));
  [2, 1, 1, 1].forEach((multiple, c) => expect(factors[c]).toBeCloseTo(multiple / size, 12));
});

test("rows that are all the same say nothing, however many public ones there are", () => {
  const x = Float64Array.from({ length: 6 }, (_, k) => [0.1, 0.7][k % 2]!);
  const multiples = Float64Array.of(2, 1);
  const { factors } = ownRows({ x, n: 3, d: 2 }, { centered: true, declared: true, multiples });
  expect([...factors]).toEqual([0, 0]);
});
