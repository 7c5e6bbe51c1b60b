/**
 * Own models on folds in single precision, four side by side, against the same in double precision, one by one.
 */
import { describe, expect, test } from "vitest";
import type { Core } from "../../src/core/core.js";
import { TaskSet } from "../../src/data/index.js";
import { ownRidge } from "../../src/learning/tasks/own-models/own-ridge.js";
import { ResidentTasks } from "../../src/learning/tasks/resident-tasks.js";
import { copiedFoldRidge, entriesOf, heldOutPredictions } from "../learning/fold-predictions.js";
import { makeTasks } from "../learning/tasks.js";
import { builds, coreOf } from "./builds.js";
import { someOf } from "../thorough.js";

const asked = [true, false].flatMap((intercept) =>
  [true, false].map((known) => ({ intercept, known: { features: known, target: known } })),
);
type Asked = (typeof asked)[number];

const single = { rowPrecision: "float32" } as const;

function solve(
  how: typeof copiedFoldRidge,
  tasks: TaskSet,
  { intercept, known }: Asked,
  { core = coreOf("simd"), given = {} }: { core?: Core; given?: Partial<typeof single> } = {},
) {
  const placed = new ResidentTasks(core, tasks, tasks.y, {
    loss: "squared", lossScale: "mean", intercept, ...given,
  });
  const multiples = Float64Array.from({ length: tasks.d }, (_, k) => 1 + (k % 2));
  Object.assign(placed, { known: { ...known, ...(known.features && { multiples }) } });
  return how(placed, entriesOf(tasks));
}

/** Largest difference of what held-out rows are predicted to be, in units of their task's deviation, and the share of rows without any. */
function compare(tasks: TaskSet, wanted: Asked) {
  const [doubles, found] = [ownRidge, copiedFoldRidge].map((how) =>
    heldOutPredictions(tasks, solve(how, tasks, wanted)),
  );
  const { y, offsets } = tasks;
  let [most, same] = [0, 0];
  tasks.names.forEach((_, i) => {
    const [from, to] = [offsets[i]!, offsets[i + 1]!];
    const rows = y.subarray(from, to);
    const level = wanted.intercept ? rows.reduce((sum, value) => sum + value, 0) / rows.length : 0;
    const size = Math.sqrt(rows.reduce((sum, value) => sum + (value - level) ** 2, 0) / rows.length);
    for (let row = from; row < to && rows.length > 1; row++) {
      const difference = Math.abs(doubles![row]! - found![row]!) / size;
      most = Math.max(most, difference);
      if (difference === 0) same++;
    }
  });
  return { most, same: same / y.length };
}

/** Rows of normals, changed, and targets of the normals. */
function changed(m: number, d: number, n: number, noise: number, change: (row: number[]) => number[]) {
  const tasks = makeTasks({ m, d, rows: () => n, noise });
  return TaskSet.from(
    [...tasks].map(({ name, x, y }) => ({
      name, y: Float64Array.from(y),
      x: Array.from({ length: n }, (_, j) => change(Array.from(x.subarray(j * d, (j + 1) * d)))),
    })),
  );
}

describe.each(someOf(asked, 3))("foldRidge, intercept $intercept, known $known", (wanted) => {
  // Two rows a task, fewer than columns, as many, one more and more, in one call; lanes are left over.
  test.each(someOf([30, 1, 7, 2, 8], 2))("%d features: predictions of the kernel in doubles", (d) => {
    const rows = [2, 3, 4, 5, 6, d, d + 1, d + 2, d + 9, 3 * d + 20, 7, 11, 1];
    const tasks = makeTasks({ m: rows.length, d, rows: (i) => rows[i]!, noise: 0.4 });
    const { most, same } = compare(tasks, wanted);
    expect(most).toBeLessThan(5e-3);
    // Not by having the models in doubles.
    expect(same).toBeLessThan(0.5);
  });

  const cases: Record<string, [TaskSet, number]> = {
    "rows as simulated": [makeTasks({ m: 20, d: 30, rows: () => 30, noise: 0.4 }), 1e-3],
    "columns twice": [changed(8, 12, 40, 0.2, (r) => r.map((_, k) => r[k >> 1]!)), 1e-3],
    "columns nearly twice": [
      changed(8, 12, 40, 0.2, (r) => r.map((v, k) => r[k >> 1]! + 1e-4 * v)),
      1e-3,
    ],
    "constant columns": [changed(8, 12, 20, 0.2, (r) => r.map((v, k) => (k % 3 ? v : 5))), 1e-3],
    "offsets of a thousand": [changed(8, 12, 40, 0.2, (r) => r.map((v) => 1e3 + v)), 1e-3],
    "offsets of some columns, few rows": [
      changed(12, 6, 7, 0.3, (r) => r.map((v, k) => v + [0, 40, 2000][k % 3]!)),
      1e-3,
    ],
    "columns of all sizes": [changed(8, 12, 40, 0.2, (r) => r.map((v, k) => v * 10 ** (3 * k - 18))), 1e-3],
    "no noise": [makeTasks({ m: 8, d: 6, rows: () => 60, noise: 0 }), 1e-5],
  };
  test.each(Object.entries(cases))("%s: predictions of the kernel in doubles", (_, [tasks, tolerance]) => {
    expect(compare(tasks, wanted).most).toBeLessThan(tolerance);
  });

  test("both builds give the same bits, also of rows in Float32", () => {
    const tasks = makeTasks({ m: 7, d: 9, rows: (i) => 2 + 4 * i, noise: 0.4 });
    for (const given of [{}, single]) {
      const [simd, scalar] = builds.map((build) => {
        const { weights, intercepts } = solve(copiedFoldRidge, tasks, wanted, { core: coreOf(build), given });
        return new BigUint64Array(Float64Array.from([...weights, ...intercepts]).buffer);
      });
      expect(simd).toEqual(scalar);
    }
  });

  test("rows in Float32 give the bits of the rounded rows", () => {
    const tasks = makeTasks({ m: 7, d: 9, rows: (i) => 2 + 4 * i, noise: 0.4 });
    const rounded = TaskSet.adopt({ ...tasks.arrays(), x: tasks.x.map(Math.fround) });
    expect(solve(copiedFoldRidge, tasks, wanted, { given: single })).toEqual(
      solve(copiedFoldRidge, rounded, wanted),
    );
  });

  test("a fold's model is the same alone and among others", () => {
    const tasks = makeTasks({ m: 9, d: 6, rows: (i) => 2 + 3 * i, noise: 0.4 });
    const { owners } = entriesOf(tasks);
    const all = solve(copiedFoldRidge, tasks, wanted);
    tasks.names.forEach((name, i) => {
      const { weights, intercepts } = solve(copiedFoldRidge, tasks.select([name]), wanted);
      const first = owners.indexOf(i);
      expect(weights).toEqual(all.weights.slice(first * 6, first * 6 + weights.length));
      expect(intercepts).toEqual(all.intercepts.slice(first, first + intercepts.length));
    });
  });
});

describe("has the model in doubles", () => {
  const [wanted] = asked;
  const equal = (tasks: TaskSet, how = wanted!) =>
    expect(solve(copiedFoldRidge, tasks, how)).toEqual(solve(ownRidge, tasks, how));

  test("where the evidence is for shifts that rounding hides", () => {
    for (const how of asked) equal(makeTasks({ m: 5, d: 8, rows: () => 60, noise: 0 }), how);
  });

  test("where a number is not finite in single precision", () => {
    const tasks = makeTasks({ m: 3, d: 4, rows: () => 12 });
    const far = TaskSet.adopt({ ...tasks.arrays(), y: tasks.y.map((value) => 1e25 * value) });
    equal(far);
    expect(solve(copiedFoldRidge, far, wanted!).weights.every(Number.isFinite)).toBe(true);
  });

  test("where rows are many", () => {
    equal(makeTasks({ m: 2, d: 2, rows: () => 12_000 }));
    equal(makeTasks({ m: 1, d: 160, rows: () => 150, noise: 0.4 }));
  });
});

test("numbers whose squares are not finite are refused by the task", () => {
  const tasks = TaskSet.from([
    { name: "fine", x: [[1], [2], [4]], y: [1, 3, 4] },
    { name: "far", x: [[1], [2], [4]], y: [1e200, -1e200, 1e200] },
  ]);
  const wanted = { intercept: false, known: { features: true, target: true } };
  expect(() => solve(copiedFoldRidge, tasks, wanted)).toThrow(/^task "far": its own model needs .*common scale/);
});
