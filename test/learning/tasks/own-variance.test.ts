import fc from "fast-check";
import { expect, test } from "vitest";
import { TaskSet } from "../../../src/data/index.js";
import { SingleTask } from "../../../src/learning/index.js";
import { ownVariance } from "../../../src/learning/tasks/own-models/own-variance.js";
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
      ...{ name, y: Float64Array.from(y) },
      x: Float64Array.from(x, (value, k) => value + (k % 3 === 0 ? 1985 : 0)),
    })),
  );
  const error = async (data: TaskSet) =>
    (await new SingleTask().fit(data)).score(data).nmse as number;
  expect(await error(moved)).toBeLessThan(1.05 * (await error(tasks)));
});
