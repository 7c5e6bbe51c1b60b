import fc from "fast-check";
import { expect, test } from "vitest";
import { TaskSet } from "../../../src/data/index.js";
import { SingleTask } from "../../../src/learning/index.js";
import { ownVariance } from "../../../src/learning/tasks/own-models/own-variance.js";
import { generator } from "../../assembly/matrices.js";
import { makeTasks } from "../tasks.js";

const spreadOf = (x: readonly number[], center: number) =>
  x.reduce((sum, value) => sum + (value - center) ** 2, 0);

test("without an offset the variance, with one row of its own mean square more", () => {
  const x = [-2, -1, 0, 1, 2];
  expect(ownVariance(spreadOf(x, 0), 0, 5, true)).toBeCloseTo(12 / 4, 12);
  expect(ownVariance(spreadOf(x, 0), 0, 5, false)).toBeCloseTo(12 / 5, 12);
});

test("an offset counts in full for two rows, and no more than the spread for thirty", () => {
  const year = (n: number) => Array.from({ length: n }, (_, k) => 2000 + (k % 2));
  const spread = (n: number) => spreadOf(year(n), 2000.5);
  expect(Math.sqrt(ownVariance(spread(2), 2000.5, 2, true))).toBeGreaterThan(300);
  // A deviation of a half, once more for the offset; the least that is taken is .2.
  expect(Math.sqrt(ownVariance(spread(30), 2000.5, 30, true))).toBeLessThan(0.76);
  // Of rows that are all the same nothing but the offset is known.
  expect(ownVariance(0, 2000.5, 30, true)).toBeCloseTo(2000.5 ** 2 / 29, 6);
});

test("an indicator's is that with its whole mean square, however many rows there are", () => {
  for (const n of [2, 5, 40]) {
    for (let ones = 1; ones < n; ones++) {
      const p = ones / n;
      const whole = (n * p * (1 - p) * (1 + 1 / n) + p * p) / (n - 1);
      expect(ownVariance(n * p * (1 - p), p, n, true)).toBeCloseTo(whole, 10);
    }
  }
});

test("between the variance of the rows and that with the whole offset, and no smaller of a larger one", () => {
  fc.assert(
    fc.property(
      fc.array(fc.double({ min: -10, max: 10, noNaN: true }), { minLength: 2, maxLength: 40 }),
      fc.double({ min: 0, max: 1e4, noNaN: true }),
      (x, more) => {
        const n = x.length;
        const mean = x.reduce((sum, value) => sum + value, 0) / n;
        const spread = spreadOf(x, mean);
        fc.pre(spread > 1e-3);
        const found = ownVariance(spread, Math.abs(mean), n, true);
        expect(found).toBeGreaterThanOrEqual(spread / (n - 1));
        const whole = (spread + spread / n + mean * mean) / (n - 1);
        expect(found).toBeLessThanOrEqual(whole * (1 + 1e-12));
        expect(ownVariance(spread, Math.abs(mean) + more, n, true)).toBeGreaterThanOrEqual(found);
      },
    ),
    { seed: 3, numRuns: 300 },
  );
});

test("a task's own model of a feature with an offset is as good as that of the feature without", async () => {
  const tasks = makeTasks({ m: 6, d: 3, rows: () => 40, noise: 0.3 });
  const moved = TaskSet.from(
    [...tasks].map(({ name, x, y }) => ({
      name,
      y: Float64Array.from(y),
      x: Float64Array.from(x, (value, k) => value + (k % 3 === 0 ? 1985 : 0)),
    })),
  );
  const error = async (data: TaskSet) =>
    (await new SingleTask().fit(data)).score(data).nmse as number;
  expect(await error(moved)).toBeLessThan(1.05 * (await error(tasks)));
});

// The mean of many rows is off by its own rounding, which was taken for what the rows differ by.
test("a column that is the same in all of many rows has no weight, whatever its value", async () => {
  const next = generator(7);
  const n = 823;
  for (const value of [3, 1 / 3, 1990.1, 7.7e9]) {
    const x = Array.from({ length: n }, () => [next(), value, next()]);
    const numbers = x.map(([first]) => first! + next());
    const labels = numbers.map((y) => (y > 0 ? "yes" : "no"));
    const sparse = {
      indptr: Array.from({ length: n + 1 }, (_, k) => 3 * k),
      indices: x.flatMap(() => [0, 1, 2]),
      values: x.flat(),
      shape: [n, 3] as const,
    };
    for (const rows of [x, sparse])
      for (const y of [numbers, labels]) {
        const loss = y === labels ? ("logistic" as const) : ("squared" as const);
        const tasks = TaskSet.from([{ name: "one", x: rows, y }]);
        const { weights } = await new SingleTask({ loss }).fit(tasks);
        expect(Math.abs(weights[1]! * value), `${loss}, ${value}`).toBeLessThan(1e-6);
        expect(weights[0]).toBeGreaterThan(0.3);
      }
  }
});

test("sparse rows of unit length, of which one column is nearly all, have models of labels", async () => {
  const next = generator(8);
  const d = 6;
  for (const n of [2, 3, 12, 40]) {
    const x = Array.from({ length: n }, () => {
      const row = [3, 3, next(), 1e8 + next(), next(), 1e8 + next()];
      const length = Math.hypot(...row);
      return row.map((value) => value / length);
    });
    const sparse = {
      indptr: Array.from({ length: n + 1 }, (_, k) => d * k),
      indices: x.flatMap(() => [0, 1, 2, 3, 4, 5]),
      values: x.flat(),
      shape: [n, d] as const,
    };
    const y = x.map((_, k) => (k % 3 === 0 ? "no" : "yes"));
    const tasks = TaskSet.from([{ name: "one", x: sparse, y }]);
    const model = await new SingleTask({ loss: "logistic" }).fit(tasks);
    const share = y.filter((label) => label === "yes").length / n;
    const mean = model.predict("one", x).reduce((sum, p) => sum + p / n, 0);
    expect(Math.abs(mean - share), `${n} rows`).toBeLessThan(0.15);
  }
});
