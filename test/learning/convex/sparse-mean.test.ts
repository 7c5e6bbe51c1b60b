/**
 * Mean-regularised learning of sparse rows: the models of the same rows dense, their certificate, and the optimality
 * condition of a table too wide to be tried dense.
 */
import { describe, expect, test } from "vitest";
import { MeanRegularized } from "../../../src/learning/index.js";
import { dense, sparse, table, type Shape } from "./sparse-tables.js";
import { thorough } from "../../thorough.js";

const tall: Shape = { m: 6, d: 9, rows: (i) => 25 + i, entries: 2 };
/** Fewer rows than columns in a task, more in all. */
const wide: Shape = { m: 30, d: 14, rows: (i) => 6 + (i % 3), entries: 3 };

test.each([
  ["tall", tall, {}],
  ["tall, without intercepts", tall, { intercept: false, lambda: 2 }],
  ["tall, weighted", { ...tall, weights: true }, { lossScale: "sum" }],
  ["wide", wide, { lambda: 0.01 }],
  ["one entry in a row", { ...wide, entries: 1 }, {}],
  ["labels", { ...tall, labels: true }, { loss: "logistic" }],
  ["labels, weighted", { ...tall, labels: true, weights: true }, { loss: "logistic" }],
  ["labels, without intercepts", { ...tall, labels: true }, { loss: "logistic", intercept: false }],
] as const)("%s", async (_, shape: Shape, options) => {
  const tasks = table(shape);
  const estimator = new MeanRegularized({ tolerance: 1e-12, ...options });
  const [one, other] = [
    await estimator.fit(dense(tasks, shape.d)),
    await estimator.fit(sparse(tasks, shape.d)),
  ];
  expect(other.certificate!.met).toBe(true);
  expect(other.objective).toBeCloseTo(one.objective, 9);
  const apart = one.weights.map((value, k) => value - other.weights[k]!);
  expect(Math.hypot(...apart)).toBeLessThan(1e-5 * Math.hypot(...one.weights));
  one.intercepts?.forEach((value, i) => expect(other.intercepts![i]).toBeCloseTo(value, 5));
});

test.each([1, 2, 3])(
  "after %i rounds the certificate says what it says of dense rows",
  async (maxRounds) => {
    const tasks = table({ ...tall, labels: true });
    const best = await new MeanRegularized({ loss: "logistic", tolerance: 1e-12 }).fit(
      dense(tasks, tall.d),
    );
    const early = new MeanRegularized({ loss: "logistic", maxRounds, tolerance: 1e-15 });
    const [one, other] = [
      await early.fit(dense(tasks, tall.d)),
      await early.fit(sparse(tasks, tall.d)),
    ];
    expect(other.certificate!.value).toBeCloseTo(one.certificate!.value, 10);
    const missing = (other.objective - best.objective) / other.objective;
    expect(other.certificate!.value).toBeGreaterThanOrEqual(missing - 1e-15);
  },
);

const FEATURES = thorough ? 20_000 : 4_000;
test(`${FEATURES} features: every task's gradient is what holds it to the mean, and the mean is that of the models`, async () => {
  const d = FEATURES;
  const lambda = 0.05;
  const tasks = table({ m: 40, d: 300, rows: () => 50, entries: 4 });
  const model = await new MeanRegularized({ lambda, tolerance: 1e-11 }).fit(sparse(tasks, d));
  expect(model.certificate!.met).toBe(true);
  const mean = new Float64Array(d);
  for (let k = 0; k < model.weights.length; k++) mean[k % d]! += model.weights[k]! / 40;
  tasks.forEach(({ indices, values, y }, i) => {
    const w = model.weights.subarray(i * d, (i + 1) * d);
    const residual = w.map((value, j) => 2 * lambda * (value - mean[j]!));
    let slopes = 0;
    indices.forEach((row, j) => {
      const p = row.reduce((sum, c, k) => sum + values[j]![k]! * w[c]!, model.intercepts![i]!);
      const slope = (p - y[j]!) / indices.length;
      slopes += slope;
      row.forEach((c, k) => (residual[c]! += slope * values[j]![k]!));
    });
    expect(Math.abs(slopes)).toBeLessThan(1e-12);
    expect(Math.hypot(...residual)).toBeLessThan(1e-6);
  });
  // What no row uses stays where it was.
  expect(mean.subarray(300).every((value) => value === 0)).toBe(true);
});

describe("where no mean is the best", () => {
  const labels: Shape = { m: 12, d: 120, rows: () => 12, entries: 3, labels: true };

  test.each([{}, { intercept: false }])(
    "because it tells all labels apart, the fit says so and stops: %o",
    async (options) => {
      const tasks = table(labels);
      const estimator = new MeanRegularized({ loss: "logistic", ...options });
      const { certificate, rounds, weights } = await estimator.fit(sparse(tasks, labels.d));
      expect(certificate).toMatchObject({ met: false, noMinimiser: true });
      expect(rounds).toBeLessThan(30);
      // The proof by itself: the mean of the models, with a level for each task, makes no error.
      const mean = new Float64Array(labels.d);
      for (let k = 0; k < weights.length; k++) mean[k % labels.d]! += weights[k]! / labels.m;
      for (const { indices, values, y } of tasks) {
        const score = (row: number[], j: number) =>
          row.reduce((sum, c, k) => sum + values[j]![k]! * mean[c]!, 0);
        const scores = indices.map(score);
        const of = (label: number) => scores.filter((_, j) => y[j] === label);
        const [least, most] = [Math.min(...of(1)), Math.max(...of(0))];
        if ("intercept" in options || least === Infinity || most === -Infinity) {
          expect(least).toBeGreaterThan(0);
          expect(most).toBeLessThan(0);
        } else expect(least).toBeGreaterThan(most);
      }
    },
  );

  test.each([dense, sparse])(
    "in one column, the fit ends short of its limit, not met: %o",
    async (as) => {
      const shape: Shape = { m: 8, d: 6, rows: () => 30, entries: 2, labels: true };
      const tasks = table(shape).map((task) => {
        // The first column is there in rows of label 1 only: the more it counts, the better.
        const marked = task.y.map((label, j) => label === 1 && j % 3 === 0);
        return {
          ...task,
          indices: task.indices.map((row, j) => [
            ...(marked[j] ? [0] : []),
            ...row.map((c) => c + 1),
          ]),
          values: task.values.map((row, j) => (marked[j] ? [1, ...row] : row)),
        };
      });
      const estimator = new MeanRegularized({ loss: "logistic" });
      const { certificate, rounds } = await estimator.fit(as(tasks, shape.d + 1));
      expect(certificate).toMatchObject({ met: false });
      expect(certificate!.noMinimiser).toBeUndefined();
      expect(rounds).toBeLessThan(100);
    },
  );
});
