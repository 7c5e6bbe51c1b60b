/** Exact steps of sparse rows: those of the same rows dense, and which problems take them. */
import { describe, expect, test } from "vitest";
import { openCore } from "../../../src/core/index.js";
import type { TaskSet } from "../../../src/data/index.js";
import { withFreeIntercepts } from "../../../src/learning/convex/free-intercepts.js";
import { ColumnSolves } from "../../../src/learning/convex/splitting/exact-solves.js";
import { quadraticsOf } from "../../../src/learning/convex/splitting/quadratics.js";
import { SparseSolves } from "../../../src/learning/convex/splitting/sparse-solves.js";
import { sparseSystemsFit, stepsExactly } from "../../../src/learning/convex/splitting/suits.js";
import { makeEstimator } from "../../../src/learning/index.js";
import { placeTasks } from "../../../src/learning/tasks/resident-tasks.js";
import { dense, sparse, table, type Shape } from "./sparse-tables.js";

const values = (length: number, seed: number) =>
  Float64Array.from({ length }, (_, k) => Math.sin(seed + 3.7 * k));
const RELAXATION = 1.7;

const SHAPES: readonly [string, Shape][] = [
  ["fewer columns than rows", { m: 4, d: 6, rows: (i) => 9 + i, entries: 2 }],
  ["fewer rows than columns", { m: 4, d: 20, rows: (i) => 1 + i, entries: 3 }],
  ["columns apart", { m: 4, d: 9, rows: (i) => 1 + 2 * i, entries: 1 }],
];

describe.each(["squared", "logistic"] as const)("%s", (loss) => {
  describe.each(SHAPES)("%s", (_, shape) => {
    test.each([
      [true, false],
      [true, true],
      [false, true],
    ])("intercept %s, weights of rows %s", (intercept, weights) => {
      const rows = table({ ...shape, weights, labels: loss === "logistic" });
      const options = { loss, lossScale: "mean", intercept } as const;
      const steps = [dense(rows, shape.d), sparse(rows, shape.d)].map((data: TaskSet) => {
        const core = openCore();
        const { arena } = core;
        // A task of one row has one label: its intercept is fixed.
        const tasks = withFreeIntercepts(placeTasks(data, options, { core }).tasks);
        const { m, d, isDense } = tasks;
        const quadratics = quadraticsOf(tasks);
        const models = arena.copyOf(values(m * d, 1));
        quadratics.around(models, intercept ? arena.copyOf(values(m, 2)) : 0, 1);
        const solves = isDense
          ? new ColumnSolves(core, m, d, quadratics)
          : new SparseSolves(quadratics);
        const curvatures = solves.curvatures();
        const found = [0.01, 3].flatMap((rho) => {
          expect(solves.prepare(rho)).toBe(0);
          const [z, v] = [arena.copyOf(values(m * d, 4)), arena.copyOf(values(m * d, 5))];
          solves.step(z, v, arena.f64(m * d), RELAXATION);
          return [...arena.view(v, m * d)];
        });
        return { curvatures, found };
      });
      const [one, other] = steps as [(typeof steps)[0], (typeof steps)[0]];
      other.curvatures.forEach((value, i) => expect(value).toBeCloseTo(one.curvatures[i]!, 12));
      other.found.forEach((value, k) => expect(value).toBeCloseTo(one.found[k]!, 9));
    });
  });
});

test.each([
  ["trace-norm", { loss: "logistic", lambda: 0.02 }],
  ["low-rank-sparse", { lambda: 0.05, lambda2: 0.02 }],
  ["low-rank-sparse", { loss: "logistic", lambda: 0.05, lambda2: 0.02, localPenalty: "frobenius" }],
])("%s %o: the models of the same rows dense", async (method, given) => {
  const shape = { m: 9, d: 8, rows: () => 20, entries: 2, labels: "loss" in given };
  const rows = table(shape);
  const estimator = makeEstimator(method, { tolerance: 1e-11, ...given });
  const [one, other] = [
    await estimator.fit(dense(rows, shape.d)),
    await estimator.fit(sparse(rows, shape.d)),
  ];
  expect(other.certificate!.met).toBe(true);
  expect(other.objective).toBeCloseTo(one.objective, 9);
  // Gradient steps would take many more.
  expect(other.rounds).toBeLessThan(2 * one.rounds + 20);
});

test.each([
  ["group-sparse", { lambda: 0.02 }],
  ["group-sparse", { loss: "logistic", lambda: 0.01 }],
  ["task-relationship", { lambda: 0.02, lambda2: 0.02 }],
  ["low-rank-sparse", { sharedPenalty: "l21", localPenalty: "l12", lambda: 0.05, lambda2: 0.02 }],
])(
  "%s %o by gradient steps: the minimum that exact ones find of the same rows dense",
  async (method, given) => {
    const shape = { m: 9, d: 8, rows: () => 20, entries: 2, labels: "loss" in given };
    const rows = table(shape);
    const estimator = makeEstimator(method, { tolerance: 1e-11, ...given });
    const [one, other] = [
      await estimator.fit(dense(rows, shape.d)),
      await estimator.fit(sparse(rows, shape.d)),
    ];
    expect(other.certificate!.met).toBe(true);
    expect(other.objective).toBeCloseTo(one.objective, 9);
  },
);

test("exact steps are for penalties of eigenvectors that do not bend, and systems that fit", () => {
  const asked = { statistic: "covariance", strength: 0 } as const;
  expect(stepsExactly(asked)).toBe(true);
  expect(stepsExactly({ ...asked, statistic: "diagonal" })).toBe(false);
  expect(stepsExactly({ ...asked, strength: 0.1 })).toBe(false);
  const shape = { m: 5, d: 30, rows: () => 12, entries: 3 };
  expect(sparseSystemsFit(sparse(table(shape), shape.d), 1)).toBe(true);
  // One task of 5,000 rows that hang together: a system of 200 MB, and as much beside it.
  const apart = { m: 1, d: 5000, rows: () => 5000, entries: 1 };
  expect(sparseSystemsFit(sparse(table(apart), apart.d), 1)).toBe(true);
  const joined = { ...apart, entries: 2 };
  expect(sparseSystemsFit(sparse(table(joined), joined.d), 1)).toBe(false);
});
