/** Learning with a given relationship: its optimality conditions by an independent inverse, its limits, and its certificate. */
import { describe, expect, test } from "vitest";
import {
  clusterRelationship,
  FixedRelationship,
  MeanRegularized,
  SingleTask,
} from "../../../src/learning/index.js";
import { TaskSet } from "../../../src/data/index.js";
import { makeTasks } from "../tasks.js";

const [m, d] = [6, 4];
const tasks = makeTasks({ m, d, rows: (i) => 5 + i, noise: 0.3 });
const tight = { tolerance: 1e-11 } as const;

/** Inverse by Gauss and Jordan. */
function inverse(a: Float64Array): number[][] {
  const rows = Array.from({ length: m }, (_, i) => [
    ...a.subarray(i * m, (i + 1) * m),
    ...Array.from({ length: m }, (__, j) => (i === j ? 1 : 0)),
  ]);
  for (let k = 0; k < m; k++) {
    const pivot = rows[k]![k]!;
    rows[k] = rows[k]!.map((value) => value / pivot);
    rows.forEach((row, i) => {
      if (i !== k) rows[i] = row.map((value, j) => value - row[k]! * rows[k]![j]!);
    });
  }
  return rows.map((row) => row.slice(m));
}

/** Signs and strengths, positive definite by its diagonal. */
const mixed = Float64Array.from({ length: m * m }, (_, at) => {
  const [i, j] = [Math.floor(at / m), at % m];
  return i === j ? 3 + i : Math.cos(i * j + i + j) / 2;
});

describe("with squared loss", () => {
  test("the models are where the gradient of the objective vanishes", async () => {
    const lambda = 0.2;
    const options = { relationship: mixed, lambda, intercept: false, ...tight };
    const model = await new FixedRelationship(options).fit(tasks);
    expect(model.certificate!.met).toBe(true);
    const precision = inverse(mixed);
    const w = model.weights;
    [...tasks].forEach(({ x, y }, i) => {
      for (let k = 0; k < d; k++) {
        let slope = 0;
        y.forEach((target, row) => {
          let residual = -target;
          for (let j = 0; j < d; j++) residual += x[row * d + j]! * w[i * d + j]!;
          slope += (residual * x[row * d + k]!) / y.length;
        });
        for (let j = 0; j < m; j++) slope += lambda * precision[i]![j]! * w[j * d + k]!;
        expect(Math.abs(slope)).toBeLessThan(1e-5);
      }
    });
  });

  test("with the identity every task has its ridge model, with or without an intercept", async () => {
    const identity = clusterRelationship([..."abcdef"], 0);
    for (const intercept of [false, true]) {
      const common = { lambda: 0.05, intercept };
      const alone = await new SingleTask(common).fit(tasks);
      const model = await new FixedRelationship({
        ...common,
        relationship: identity,
        ...tight,
      }).fit(tasks);
      model.weights.forEach((value, k) => expect(value).toBeCloseTo(alone.weights[k]!, 4));
    }
  });

  test("one cluster of correlation near 1 is mean-regularised learning", async () => {
    const rho = 1 - 1e-5;
    const lambda = 0.1;
    const mean = await new MeanRegularized({ lambda, intercept: false }).fit(tasks);
    const model = await new FixedRelationship({
      relationship: clusterRelationship(new Array<number>(m).fill(0), rho),
      lambda: 2 * lambda * (1 - rho),
      intercept: false,
      ...tight,
    }).fit(tasks);
    model.weights.forEach((value, k) => expect(value).toBeCloseTo(mean.weights[k]!, 3));
  });
});

test("clusters do not touch: each has the models it would have alone", async () => {
  const clusters = [0, 1, 0, 1, 1, 0];
  const options = { loss: "squared", lambda: 0.01, ...tight } as const;
  const together = await new FixedRelationship({
    ...options,
    relationship: clusterRelationship(clusters, 0.8),
  }).fit(tasks);
  for (const one of [0, 1]) {
    const names = tasks.names.filter((_, i) => clusters[i] === one);
    const part = await new FixedRelationship({
      ...options,
      relationship: clusterRelationship(new Array<number>(3).fill(0), 0.8),
    }).fit(tasks.select(names));
    names.forEach((name, k) => {
      const at = tasks.names.indexOf(name);
      for (let j = 0; j < d; j++) {
        expect(part.weights[k * d + j]).toBeCloseTo(together.weights[at * d + j]!, 4);
      }
    });
  }
});

test("with logistic loss the certificate is met, and a run that is cut short says by how much it may be off", async () => {
  const binary = TaskSet.from(
    [...makeTasks({ m, d, rows: () => 12, noise: 0.5 })].map(({ name, x, y }) => ({
      name,
      x: Array.from(y, (_, j) => Array.from(x.subarray(j * d, j * d + d))),
      y: Array.from(y, (value) => (value > 0 ? 1 : -1)),
    })),
  );
  const options = { loss: "logistic", relationship: mixed, lambda: 0.05 } as const;
  const model = await new FixedRelationship({ ...options, tolerance: 1e-9 }).fit(binary);
  expect(model.certificate!.met).toBe(true);
  const short = await new FixedRelationship({ ...options, maxRounds: 3 }).fit(binary);
  expect(short.certificate!.met).toBe(false);
  const off = (short.objective - model.objective) / short.objective;
  expect(short.certificate!.value).toBeGreaterThanOrEqual(off);
});

test("refuses what is no relationship", async () => {
  const fit = (relationship: Float64Array) => new FixedRelationship({ relationship }).fit(tasks);
  await expect(fit(new Float64Array(4))).rejects.toThrow("expected 6 x 6 = 36 numbers");
  await expect(fit(mixed.map((value, at) => (at === 1 ? 9 : value)))).rejects.toThrow("symmetric");
  await expect(fit(new Float64Array(m * m).fill(1))).rejects.toThrow("positive definite");
  // @ts-expect-error -- it is required
  expect(() => new FixedRelationship({ lambda: 1 })).toThrow("relationship");
  expect(() => clusterRelationship(["a"], 1)).toThrow("below 1");
});
