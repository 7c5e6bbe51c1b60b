/**
 * Every solver of the joint problem against the others: they share the certificate only, and the
 * certificate is checked in plain loops (certificates.test.ts).
 */
import { describe, expect, test } from "vitest";
import { openCore } from "../../../src/core/index.js";
import { TaskSet } from "../../../src/data/index.js";
import { lambdaMax, TraceNorm } from "../../../src/learning/index.js";
import { traceNormPenalty } from "../../../src/learning/convex/penalties/trace-norm.js";
import { ResidentTasks } from "../../../src/learning/tasks/resident-tasks.js";
import { solveAccelerated } from "../../../src/learning/convex/solvers/accelerated.js";
import { Basis } from "../../../src/learning/convex/solvers/basis.js";
import type { PenalizedSolution } from "../../../src/learning/convex/solvers/problem.js";
import { splitHalf } from "../../../src/learning/convex/splitting/half.js";
import { solveBySplitting } from "../../../src/learning/convex/splitting/solve.js";
import { solveInSubspace } from "../../../src/learning/convex/solvers/subspace.js";
import { losses, norms } from "../objectives.js";
import { makeTasks } from "../tasks.js";
import { someOf } from "../../thorough.js";

const wide = makeTasks({ m: 40, d: 64, rows: (i) => 12 + (i % 9), noise: 0.5 });

/** Features whose scales span three orders of magnitude, tasks whose scales span two. */
const skewed = TaskSet.from(
  [...makeTasks({ m: 12, d: 6, rows: (i) => 4 + i, noise: 0.5 })].map(({ name, x, y }, i) => ({
    name,
    x: Float64Array.from(x, (value, k) => value * 10 ** (((k % 6) * 3) / 5 - 2)),
    y: Float64Array.from(y, (value) => value * (1 + 10 * i)),
  })),
);

function setUp(data: TaskSet, share: number, intercept: boolean) {
  const tasks = new ResidentTasks(openCore(), data, data.y, {
    loss: "squared",
    lossScale: "mean",
    intercept,
  });
  const lambda = share * lambdaMax(data, { penalty: "trace-norm", intercept });
  const start = {
    weights: new Float64Array(data.m * data.d),
    intercepts: new Float64Array(data.m),
  };
  return { tasks, lambda, start, tolerance: 1e-9, maxRounds: 20_000 };
}

function accelerated(problem: ReturnType<typeof setUp>): Promise<PenalizedSolution> {
  return solveAccelerated({ ...problem, shared: traceNormPenalty(problem.lambda) });
}

function split({ tasks, lambda, start, ...limits }: ReturnType<typeof setUp>) {
  const { core, m, d } = tasks;
  const shared = traceNormPenalty(lambda);
  const half = splitHalf(tasks, { shared }, start);
  return solveBySplitting({ ...limits, core, m, d, half, shared, isSquared: true });
}

describe.each([false, true])("with intercepts: %s", (intercept) => {
  test.each(someOf([0.1, 0.5, 0.02], 3))("all solvers agree at %s of lambda_max", async (share) => {
    const solutions = await Promise.all([
      accelerated(setUp(wide, share, intercept)),
      split(setUp(wide, share, intercept)),
      new TraceNorm({
        lambda: setUp(wide, share, intercept).lambda,
        intercept,
        tolerance: 1e-9,
      }).fit(wide),
    ]);
    const best = Math.min(...solutions.map(({ objective }) => objective));
    for (const { objective, certificate } of solutions) {
      expect(certificate?.met).toBe(true);
      expect(objective / best - 1).toBeLessThan(2e-9);
    }
  });

  test("the objective is that of plain loops", async () => {
    const { lambda } = setUp(wide, 0.2, intercept);
    const model = await new TraceNorm({ lambda, intercept }).fit(wide);
    const value =
      losses(wide, wide.y, "squared", model).value +
      lambda * norms.trace.value(model.weights, wide.d);
    expect(model.objective / value - 1).toBeCloseTo(0, 9);
  });
});

test("the subspace stays small and needs few checks where the rank is low", async () => {
  const problem = setUp(wide, 0.3, false);
  const solution = await solveInSubspace(problem);
  expect(solution.certificate.met).toBe(true);
  expect(solution.history.length).toBeLessThan(20);
});

test("the subspace gives up where the rank is high, and the fit still ends certified", async () => {
  const problem = setUp(wide, 0.01, false);
  const solution = await solveInSubspace(problem);
  expect(solution.certificate.met).toBe(false);
  const model = await new TraceNorm({ lambda: problem.lambda }).fit(wide);
  expect(model.certificate?.met).toBe(true);
  expect(model.rounds).toBeGreaterThan(solution.rounds);
  const rounds = model.history.map(({ round }) => round!);
  expect(rounds).toEqual([...rounds].sort((a, b) => a - b));
});

test("a warm start at the solution needs no round", async () => {
  const { lambda } = setUp(wide, 0.3, true);
  const make = () => new TraceNorm({ lambda, intercept: true, tolerance: 1e-7 });
  const model = await make().fit(wide);
  const again = await make().fit(wide, { warmStart: model });
  expect(again.rounds).toBe(0);
  expect(again.objective / model.objective - 1).toBeCloseTo(0, 9);
});

test("exact steps do not mind scales that slow gradient steps down", async () => {
  const problem = setUp(skewed, 0.01, false);
  const exact = await split(setUp(skewed, 0.01, false));
  const steps = await accelerated(problem);
  expect(exact.certificate.met).toBe(true);
  expect(exact.objective / steps.objective - 1).toBeLessThan(1e-6);
  expect(exact.rounds * 3).toBeLessThan(steps.rounds);
});

test("rounds are counted and bounded over all stages, and an abort arrives", async () => {
  const seen: number[] = [];
  const { lambda } = setUp(wide, 0.1, false);
  const make = (maxRounds: number) => new TraceNorm({ lambda, maxRounds, tolerance: 1e-12 });
  const model = await make(33).fit(wide, { onRound: ({ round }) => seen.push(round) });
  expect(model.rounds).toBe(33);
  expect(seen).toEqual(Array.from({ length: 33 }, (_, k) => k + 1));
  expect(model.certificate?.met).toBe(false);
  const controller = new AbortController();
  const fit = make(1000).fit(wide, {
    signal: controller.signal,
    onRound: ({ round }) => {
      if (round === 12) controller.abort(new Error("enough"));
    },
  });
  await expect(fit).rejects.toThrow("enough");
});

test("a basis stays orthonormal, drops what is not new and says when it is full", () => {
  const core = openCore();
  const { arena } = core;
  const d = 9;
  const basis = new Basis(core, d, 5);
  const columns = Float64Array.from({ length: d * d }, (_, k) => Math.sin(k * k));
  for (let i = 0; i < d; i++) columns[i * d + 1] = 3 * columns[i * d]!;
  const vectors = arena.copyOf(columns);
  expect(basis.add(vectors, d, 4)).toBe(true);
  expect(basis.k).toBe(3);
  const gram = () => {
    const rows = arena.view(basis.rows, basis.k * d);
    return Math.hypot(
      ...Array.from({ length: basis.k ** 2 }, (_, ab) => {
        const [a, b] = [Math.floor(ab / basis.k), ab % basis.k];
        let sum = a === b ? -1 : 0;
        for (let i = 0; i < d; i++) sum += rows[a * d + i]! * rows[b * d + i]!;
        return sum;
      }),
    );
  };
  expect(gram()).toBeLessThan(1e-14);
  expect(basis.settle(arena.copyOf(Float64Array.of(0.6, 0.8, 0)), 1)).toBe(true);
  expect(basis.k).toBe(1);
  expect(basis.add(vectors, d, 9)).toBe(false);
  expect(gram()).toBeLessThan(1e-14);
});
