/** Douglas-Rachford rounds against accelerated gradient steps, which share the penalties and the certificate only. */
import { describe, expect, test } from "vitest";
import { openCore } from "../../../src/core/index.js";
import { TaskSet } from "../../../src/data/index.js";
import { withFreeIntercepts } from "../../../src/learning/convex/free-intercepts.js";
import { columnPenalty, frobeniusPenalty, l1Penalty } from "../../../src/learning/convex/penalties/local.js"; // prettier-ignore
import { groupSparsePenalty } from "../../../src/learning/convex/penalties/group-sparse.js";
import { squaredTraceNormPenalty } from "../../../src/learning/convex/penalties/squared-trace-norm.js";
import { traceNormPenalty } from "../../../src/learning/convex/penalties/trace-norm.js";
import { solveAccelerated } from "../../../src/learning/convex/solvers/accelerated.js";
import type { Penalties } from "../../../src/learning/convex/penalties/penalty.js";
import { splitHalf } from "../../../src/learning/convex/splitting/half.js";
import { quadraticsOf } from "../../../src/learning/convex/splitting/quadratics.js";
import { solveBySplitting } from "../../../src/learning/convex/splitting/solve.js";
import { GroupSparse, makeEstimator } from "../../../src/learning/index.js";
import { placeTasks } from "../../../src/learning/tasks/resident-tasks.js";
import { makeLabelled, makeTasks } from "../tasks.js";

const sizes = { m: 14, d: 6, rows: (i: number) => 6 + (i % 9) };
const DATA = {
  squared: makeTasks({ ...sizes, noise: 0.5 }),
  logistic: makeLabelled({ ...sizes, noise: 0.5 }),
};
const limits = { tolerance: 1e-9, maxRounds: 50_000 };

function setUp(data: TaskSet, loss: keyof typeof DATA, intercept: boolean) {
  const core = openCore();
  const placed = placeTasks(data, { loss, lossScale: "mean", intercept }, { core });
  const { m, d } = data;
  const start = { weights: new Float64Array(m * d), intercepts: new Float64Array(m) };
  return { core, m, d, tasks: withFreeIntercepts(placed.tasks), start };
}

async function split(
  data: TaskSet,
  loss: keyof typeof DATA,
  intercept: boolean,
  penalties: Penalties,
  { maxRounds, tolerance } = limits,
) {
  const { core, m, d, tasks, start } = setUp(data, loss, intercept);
  const half = splitHalf(tasks, penalties, start);
  const isSquared = loss === "squared";
  const problem = { core, m, d, half, isSquared, maxRounds, tolerance, ...penalties };
  return { ...(await solveBySplitting(problem)), ...half.models() };
}

async function descend(
  data: TaskSet,
  loss: keyof typeof DATA,
  intercept: boolean,
  penalties: Penalties,
) {
  const { core, m, d, tasks, start } = setUp(data, loss, intercept);
  const solution = await solveAccelerated({ tasks, start, ...limits, ...penalties });
  return { ...solution, weights: core.arena.view(solution.weights, m * d).slice() };
}

const PENALTIES: Readonly<Record<string, Penalties>> = {
  "trace norm": { shared: traceNormPenalty(0.05) },
  "group sparse": { shared: groupSparsePenalty(0.05) },
  "squared trace norm": { shared: squaredTraceNormPenalty(0.1, 0.01) },
  "trace norm and l1": { shared: traceNormPenalty(0.05), local: l1Penalty(0.02) },
  "group sparse and columns": { shared: groupSparsePenalty(0.05), local: columnPenalty(0.05) },
  "trace norm and squares": { shared: traceNormPenalty(0.05), local: frobeniusPenalty(0.1) },
};

describe.each(["squared", "logistic"] as const)("%s", (loss) => {
  describe.each([false, true])("with intercepts: %s", (intercept) => {
    test.each(Object.entries(PENALTIES))("%s: the minimum of gradient steps", async (_, of) => {
      const [exact, steps] = [
        await split(DATA[loss], loss, intercept, of),
        await descend(DATA[loss], loss, intercept, of),
      ];
      expect(exact.certificate.met).toBe(true);
      expect(steps.certificate.met).toBe(true);
      expect(Math.abs(exact.objective / steps.objective - 1)).toBeLessThan(2e-9);
      expect(exact.certificate.interceptResidual).toBeLessThan(1e-10);
    });
  });
});

test("a task of one label has no intercept of its own, and its quadratic none either", async () => {
  const { names } = DATA.logistic;
  const data = TaskSet.from(
    [...DATA.logistic].map(({ name, x, y }) => ({
      name,
      x,
      y: name === names[3] ? y.map(() => 1) : y,
    })),
  );
  const of = { shared: traceNormPenalty(0.05) };
  const [exact, steps] = [
    await split(data, "logistic", true, of),
    await descend(data, "logistic", true, of),
  ];
  expect(exact.certificate.met).toBe(true);
  expect(exact.intercepts![3]).toBe(0);
  expect(Math.abs(exact.objective / steps.objective - 1)).toBeLessThan(2e-9);
});

test("labels that a model separates well are fitted in a few of the rounds of gradient steps", async () => {
  const of = { shared: groupSparsePenalty(1e-4) };
  const exact = await split(DATA.logistic, "logistic", false, of);
  expect(exact.certificate.met).toBe(true);
  const objectives = exact.history.map(({ objective }) => objective);
  const steps = await descend(DATA.logistic, "logistic", false, of);
  expect(objectives.at(-1)! / steps.objective - 1).toBeLessThan(2e-9);
  expect(20 * exact.rounds).toBeLessThan(steps.rounds);
});

test("where weights are not determined, predictions are: those of gradient steps", async () => {
  // Two features that are constant within a task, as those of a school are.
  const data = TaskSet.from(
    [...DATA.squared].map(({ name, x, y }, i) => ({
      name,
      x: x.map((value, k) => (k % 6 < 4 ? value : Math.sin(i + (k % 6)))),
      y,
    })),
  );
  const of = { shared: groupSparsePenalty(0.1) };
  const [exact, steps] = [
    await split(data, "squared", false, of),
    await descend(data, "squared", false, of),
  ];
  const predictions = (weights: Float64Array) =>
    [...data].flatMap(({ x, n }, i) =>
      Array.from({ length: n }, (_, j) => {
        const row = x.subarray(j * 6, (j + 1) * 6);
        return row.reduce((sum, value, k) => sum + value * weights[i * 6 + k]!, 0);
      }),
    );
  const other = predictions(steps.weights);
  predictions(exact.weights).forEach((p, j) => expect(p).toBeCloseTo(other[j]!, 3));
});

test("weights of rows, and sums in place of means, are those of repeated rows", async () => {
  const twice = (y: Float64Array, x: Float64Array) => ({
    y: Float64Array.of(...y, ...y.subarray(0, 2)),
    x: Float64Array.of(...x, ...x.subarray(0, 12)),
  });
  const rows = [...DATA.logistic];
  const repeated = TaskSet.from(rows.map(({ name, x, y }) => ({ name, ...twice(y, x) })));
  const weighted = TaskSet.from(
    rows.map(({ name, x, y }) => ({
      name,
      x,
      y,
      weights: y.map((_, j) => (j < 2 ? 2 : 1)),
    })),
  );
  const make = () => new GroupSparse({ loss: "logistic", lambda: 0.02, tolerance: 1e-11 });
  const [a, b] = [await make().fit(repeated), await make().fit(weighted)];
  a.weights.forEach((w, k) => expect(b.weights[k]).toBeCloseTo(w, 4));
});

test("few rounds are done where few are allowed, and history and progress say so", async () => {
  const seen: number[] = [];
  const model = await makeEstimator("low-rank-sparse", { maxRounds: 11, tolerance: 1e-14 }).fit(
    DATA.squared,
    { onRound: ({ round }) => seen.push(round) },
  );
  expect(seen).toEqual(Array.from({ length: 11 }, (_, k) => k + 1));
  expect(model.history.map(({ round }) => round)).toEqual([1, 8, 11]);
  expect(model.certificate!.met).toBe(false);
});

describe("the quadratic of a task's labels", () => {
  const { core, m, d, tasks } = setUp(DATA.logistic, "logistic", false);
  const { arena } = core;
  const at = Float64Array.from({ length: m * d }, (_, k) => 2 * Math.sin(k));
  const quadratics = quadraticsOf(tasks);
  const losses = (w: Float64Array) => {
    const [out, gradient] = [arena.f64(m), arena.f64(m * d)];
    tasks.gradients(arena.copyOf(w), 0, gradient, 0, out);
    return { values: arena.view(out, m).slice(), gradient: arena.view(gradient, m * d).slice() };
  };
  const matrices = (stiffness: number) => {
    const [grams, moments] = [arena.f64(m * d * d), arena.f64(m * d)];
    quadratics.around(arena.copyOf(at), 0, stiffness);
    quadratics.write(grams, moments);
    const [H, h] = [arena.view(grams, m * d * d).slice(), arena.view(moments, m * d).slice()];
    const entry = (i: number, a: number, b: number) =>
      H[(i * d + Math.max(a, b)) * d + Math.min(a, b)]!;
    return { entry, h };
  };

  test.each([1, 8, Infinity])("has the slope of its loss there, of stiffness %s", (stiffness) => {
    const { entry, h } = matrices(stiffness);
    const { gradient } = losses(at);
    for (let i = 0; i < m; i++) {
      for (let a = 0; a < d; a++) {
        let slope = -h[i * d + a]!;
        for (let b = 0; b < d; b++) slope += entry(i, a, b) * at[i * d + b]!;
        expect(slope).toBeCloseTo(gradient[i * d + a]!, 10);
      }
    }
  });

  test("bends as its loss does there, or lies above it everywhere", () => {
    const [bend, bound] = [matrices(1), matrices(Infinity)];
    const here = losses(at);
    let apart = 0;
    for (const length of [1e-3, 0.5, 3, 20]) {
      const move = Float64Array.from({ length: m * d }, (_, k) => length * Math.cos(7 * k));
      const there = losses(at.map((value, k) => value + move[k]!));
      for (let i = 0; i < m; i++) {
        const along = (entry: typeof bend.entry) => {
          let value = here.values[i]!;
          for (let a = 0; a < d; a++) {
            value += here.gradient[i * d + a]! * move[i * d + a]!;
            for (let b = 0; b < d; b++) {
              value += (entry(i, a, b) * move[i * d + a]! * move[i * d + b]!) / 2;
            }
          }
          return value - there.values[i]!;
        };
        if (length === 1e-3) expect(along(bend.entry)).toBeCloseTo(0, 8);
        apart = Math.min(apart, along(bend.entry));
        expect(along(bound.entry)).toBeGreaterThan(-1e-12);
      }
    }
    // Without the bound some are below.
    expect(apart).toBeLessThan(-0.1);
  });
});
