/**
 * Tasks of one class in logistic fits with intercepts.
 */
import { describe, expect, test } from "vitest";
import { TaskSet } from "../../../src/data/index.js";
import {
  GroupSparse,
  LowRankSparse,
  MeanRegularized,
  TraceNorm,
} from "../../../src/learning/index.js";

const x = [[0.1], [0.9], [0.4], [0.7]];
const both = { name: "both", x, y: [1, -1, -1, 1] };
const one = { name: "one", x, y: [1, 1, 1, 1] };

describe.each([
  ["trace-norm", TraceNorm],
  ["group-sparse", GroupSparse],
  ["low-rank-sparse", LowRankSparse],
  ["mean-regularized", MeanRegularized],
] as const)("%s", (_, Method) => {
  const options = { loss: "logistic", lambda: 0.05 } as const;

  test("meets its certificate with a task of one class, which has no intercept", async () => {
    const model = await new Method(options).fit(TaskSet.from([both, one]));
    expect(model.certificate!.met).toBe(true);
    expect(model.intercepts![1]).toBe(0);
    // Its weights carry what they can: the odds are those of its class.
    expect(model.forTask("one").predict([[0.5]])[0]).toBeGreaterThan(0.5);
    expect(model.intercepts![0]).not.toBe(0);
  });

  test("leaves the intercepts of tasks with both classes as they are", async () => {
    const other = { ...both, name: "other", y: [1, 1, -1, 1] };
    const model = await new Method(options).fit(TaskSet.from([both, other]));
    // The optimality condition of a free intercept: residuals sum to nothing.
    for (const { name, y } of [both, other]) {
      const probabilities = model.forTask(name).predict(x);
      const sum = y.reduce((total, label, k) => total + (label > 0 ? 1 : 0) - probabilities[k]!, 0);
      expect(Math.abs(sum)).toBeLessThan(1e-3);
    }
  });
});

const rows = Array.from({ length: 6 }, (_, k) => [Math.sin(k), Math.cos(3 * k)]);
const sparseRows = {
  indptr: rows.map((_, k) => 2 * k).concat(12),
  indices: rows.flatMap(() => [0, 1]),
  values: rows.flat(),
  shape: [6, 2] as const,
};

test.each([
  ["dense", rows],
  ["sparse", sparseRows],
])(
  "mean-regularized, %s rows: a task of one class is as far from the mean as its gradient says",
  async (_, form) => {
    const lambda = 0.2;
    const tasks = [
      [1, -1, 1, -1, -1, 1],
      [1, 1, 1, 1, 1, 1],
      [-1, -1, 1, -1, 1, 1],
      [-1, -1, -1, -1, -1, -1],
    ].map((y, i) => ({ name: `task ${i}`, x: form, y }));
    const { weights, intercepts, certificate } = await new MeanRegularized({
      loss: "logistic",
      lambda,
      tolerance: 1e-12,
    }).fit(TaskSet.from(tasks));
    expect(certificate!.met).toBe(true);
    const mean = [0, 1].map((c) => tasks.reduce((sum, _, i) => sum + weights[2 * i + c]! / 4, 0));
    tasks.forEach(({ y }, i) => {
      const gradient = [0, 0];
      rows.forEach((row, j) => {
        const margin = row[0]! * weights[2 * i]! + row[1]! * weights[2 * i + 1]! + intercepts![i]!;
        const slope = -y[j]! / (1 + Math.exp(y[j]! * margin)) / rows.length;
        row.forEach((value, c) => (gradient[c] = gradient[c]! + slope * value));
      });
      gradient.forEach((g, c) =>
        expect(g + 2 * lambda * (weights[2 * i + c]! - mean[c]!)).toBeCloseTo(0, 6),
      );
    });
    expect([intercepts![1], intercepts![3]]).toEqual([0, 0]);
  },
);
