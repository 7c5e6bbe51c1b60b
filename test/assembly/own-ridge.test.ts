/**
 * All tasks' Bayesian ridge models in one call, against the same by eigenvectors, task by task.
 */
import { describe, expect, test } from "vitest";
import type { Core } from "../../src/core/core.js";
import { TaskSet } from "../../src/data/index.js";
import { ownRidge } from "../../src/learning/tasks/own-models/own-ridge.js";
import { squaredModel } from "../../src/learning/tasks/own-models/squared.js";
import { ResidentTasks } from "../../src/learning/tasks/resident-tasks.js";
import { byEigenvectors } from "../learning/tasks/by-eigenvectors.js";
import { makeTasks } from "../learning/tasks.js";
import { builds, coreOf } from "./builds.js";
import { someOf } from "../thorough.js";

interface Asked {
  readonly intercept: boolean;
  readonly known: { readonly features: boolean; readonly target: boolean };
}

/** Numbers among indicators, where features are declared. */
const knownOf = (known: Asked["known"], d: number) => ({
  ...known,
  ...(known.features && { multiples: Float64Array.from({ length: d }, (_, k) => 1 + (k % 2)) }),
});

const asked: Asked[] = [true, false].flatMap((intercept) =>
  [true, false].flatMap((features) =>
    [true, false].map((target) => ({ intercept, known: { features, target } })),
  ),
);

function solved(tasks: TaskSet, { intercept, known }: Asked, core: Core = coreOf("simd")) {
  const placed = new ResidentTasks(core, tasks, tasks.y, {
    loss: "squared", lossScale: "mean", intercept,
  });
  Object.assign(placed, { known: knownOf(known, tasks.d) });
  const { weights, intercepts } = ownRidge(placed);
  return { weights, intercepts, s: placed.sampleWeights() };
}

function reference(tasks: TaskSet, i: number, s: Float64Array | undefined, wanted: Asked) {
  const { x, y, n } = tasks.task(tasks.names[i]!);
  const from = tasks.offsets[i]!;
  const rows = { x, y, n, d: tasks.d, s: s?.subarray(from, from + n) };
  return squaredModel(rows, { ...wanted, known: knownOf(wanted.known, tasks.d) }, byEigenvectors);
}

/** The models of all tasks against eigenvectors, relative to the largest of a task's numbers. */
function compare(tasks: TaskSet, wanted: Asked, tolerance: number): void {
  const { d } = tasks;
  const { weights, intercepts, s } = solved(tasks, wanted);
  tasks.names.forEach((_, i) => {
    const one = reference(tasks, i, s, wanted);
    const expected = [...one.weights, wanted.intercept ? one.intercept : 0];
    const found = [...weights.subarray(i * d, (i + 1) * d), intercepts[i]!];
    const size = Math.max(...expected.map(Math.abs), Number.MIN_VALUE);
    expected.forEach((value, j) => expect(Math.abs(found[j]! - value) / size).toBeLessThan(tolerance));
  });
}

const weighted = (tasks: TaskSet) =>
  TaskSet.from(
    [...tasks].map(({ name, x, y, n }) => ({
      name, x: Float64Array.from(x), y: Float64Array.from(y),
      weights: Float64Array.from({ length: n }, (_, j) => 0.5 + (j % 3)),
    })),
  );

describe.each(someOf(asked, 3))("ownRidge, intercept $intercept, known $known", (wanted) => {
  // Fewer rows than columns, as many, one more, and more.
  test.each(someOf([30, 1, 4, 7], 2))("%d features: as by eigenvectors", (d) => {
    const rows = [1, 2, 3, d, d + 1, d + 2, 3 * d + 20, 7];
    const tasks = makeTasks({ m: rows.length, d, rows: (i) => rows[i]!, noise: 0.4 });
    compare(tasks, wanted, 1e-9);
    compare(weighted(tasks), wanted, 1e-9);
  });

  test("features far from zero, some of them, few of the rows and many", () => {
    const sizes = [1, 2, 3, 5, 9, 40];
    const tasks = makeTasks({ m: sizes.length, d: 5, rows: (i) => sizes[i]!, noise: 0.4 });
    const away = TaskSet.from(
      [...tasks].map(({ name, x, y }, i) => ({
        name,
        x: x.map((value, k) => value + [0, 30, 0, 2000, -0.3][k % 5]! * (i % 2 === 0 ? 1 : 3)),
        y: Float64Array.from(y),
      })),
    );
    // Squares of differences of 1 from numbers of 6,000 are sure to 1e-9.
    compare(away, wanted, 1e-6);
    compare(weighted(away), wanted, 1e-6);
  });

  test("both builds give the same bits", () => {
    const tasks = weighted(makeTasks({ m: 6, d: 9, rows: (i) => 2 + 4 * i, noise: 0.4 }));
    const [simd, scalar] = builds.map((build) => {
      const { weights, intercepts } = solved(tasks, wanted, coreOf(build));
      return new BigUint64Array(Float64Array.from([...weights, ...intercepts]).buffer);
    });
    expect(simd).toEqual(scalar);
  });

  test("a task's model is the same alone and among others", () => {
    const tasks = makeTasks({ m: 5, d: 6, rows: (i) => 3 + 4 * i, noise: 0.4 });
    const all = solved(tasks, wanted);
    tasks.names.forEach((name, i) => {
      const { weights, intercepts } = solved(tasks.select([name]), wanted);
      expect(weights).toEqual(all.weights.slice(i * 6, (i + 1) * 6));
      expect(intercepts[0]).toBe(all.intercepts[i]);
    });
  });

  test("features that are nearly the same, with as many rows, fewer and more", () => {
    const near = (n: number) =>
      Float64Array.from({ length: 5 * n }, (_, k) => {
        const common = Math.sin(3 * Math.floor(k / 5) + 1);
        return k % 5 < 4 ? common + 1e-5 * Math.cos(7 * k) : Math.cos(k);
      });
    const sizes = [3, 5, 6, 40];
    const tasks = TaskSet.from(
      sizes.map((n) => {
        const y = Float64Array.from({ length: n }, (_, j) => Math.sin(3 * j + 1) + Math.cos(5 * j));
        return { name: `${n} rows`, x: near(n), y };
      }),
    );
    // Eigenvectors of squares that are 1e-10 of the largest are sure to 1e-6, and the least shift, 3e-6, lets such a direction have a few
    // times that of a weight.
    compare(tasks, wanted, 1e-5);
  });

  test("features that never vary, targets that do not, and targets far from any prior", () => {
    const x = Float64Array.from({ length: 36 }, (_, k) => (k % 3 === 1 ? 0 : Math.sin(7 * k)));
    const y = Float64Array.from({ length: 12 }, (_, j) => Math.cos(5 * j));
    const tasks = TaskSet.from([
      { name: "still", x, y },
      { name: "constant", x, y: y.map(() => 3) },
      { name: "none", x: x.map(() => 0), y },
      { name: "same rows", x: x.map((_, k) => x[k % 3]!), y },
      { name: "far", x, y: y.map((value) => 1e6 * value) },
    ]);
    // Beside the intercept's column, whose square is up to 100 a row, the least shift of 3e-6 is a hundred millionth.
    compare(tasks, wanted, 3e-7);
  });
});

test("numbers whose squares are not finite are refused by the task", () => {
  const tasks = TaskSet.from([
    { name: "fine", x: [[1], [2]], y: [1, 3] },
    { name: "far", x: [[1], [2]], y: [1e200, -1e200] },
  ]);
  const wanted = { intercept: false, known: { features: true, target: true } };
  expect(() => solved(tasks, wanted)).toThrow(/^task "far": its own model needs .*common scale/);
});
