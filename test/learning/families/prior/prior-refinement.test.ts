/**
 * Refining a prior over rounds: the coordinates against closed forms, the number of rounds, and what
 * a second look gains.
 */
import { describe, expect, test } from "vitest";
import { openCore } from "../../../../src/core/index.js";
import { affordableRounds } from "../../../../src/learning/families/prior/rounds.js";
import { makeEstimator, MpFeatureLearning } from "../../../../src/learning/index.js";
import { covariancePriorRule } from "../../../../src/learning/families/prior/covariance/covariance-prior.js";
import { diagonalPriorRule } from "../../../../src/learning/families/prior/covariance/diagonal-prior.js";
import { hierarchicalPriorRule } from "../../../../src/learning/families/prior/covariance/hierarchical-prior.js";
import { PriorCoordinates } from "../../../../src/learning/families/prior/covariance/coordinates.js";
import { eigh, gemm } from "../../../../src/linalg/index.js";
import { simulate } from "../../../../src/data/index.js";
import { makeTasks } from "../../tasks.js";

const d = 5;
const budget = { epsilon: 1, delta: 1e-3, adjacency: "replace", mechanism: "auto" } as const;
const release = { ...budget, random: { mode: "secure" }, noise: "auto" } as const;

/** A positive definite matrix of trace d, its inverse and an orthogonal matrix. */
function spd() {
  const a = Float64Array.from({ length: d * d }, (_, k) => Math.sin(3 * k + 1));
  const symmetric = a.map((value, k) => value + a[(k % d) * d + Math.floor(k / d)]!);
  const { vectors } = eigh(symmetric, d);
  const values = [2.5, 1.5, 0.5, 0.3, 0.2];
  const compose = (f: (value: number) => number) => {
    const scaled = vectors.map((v, k) => v * f(values[k % d]!));
    const transposed = vectors.map((_, k) => vectors[(k % d) * d + Math.floor(k / d)]!);
    return gemm(scaled, transposed, d, d, d);
  };
  return { covariance: compose((v) => v), precision: compose((v) => 1 / v), vectors };
}

describe("the coordinates of a prior", () => {
  test("models drawn from it are isotropic in them", () => {
    const { covariance, precision } = spd();
    const core = openCore();
    const { arena } = core;
    const coordinates = new PriorCoordinates(core, d, d);
    expect(coordinates.entered).toBe(false);
    coordinates.enter(arena.copyOf(precision));
    // L^T C L = I, from the rows of C expressed once, transposed and expressed again.
    const once = arena.f64(d * d);
    const twice = arena.f64(d * d);
    coordinates.express(arena.copyOf(covariance), once, d);
    const turned = arena.f64(d * d);
    core.kernels.transpose(once, turned, d, d);
    coordinates.express(turned, twice, d);
    arena.view(twice, d * d).forEach((value, k) => {
      expect(value).toBeCloseTo(k % (d + 1) === 0 ? 1 : 0, 12);
    });
  });

  test("a release of equal variances leaves the prior as it was, up to the floor", () => {
    const { precision, vectors } = spd();
    const core = openCore();
    const { arena } = core;
    const coordinates = new PriorCoordinates(core, d, d);
    coordinates.enter(arena.copyOf(precision));
    const out = arena.f64(d * d);
    coordinates.precisionOf(arena.copyOf(vectors), arena.copyOf(new Float64Array(d).fill(3)), out);
    arena.view(out, d * d).forEach((value, k) => {
      expect(Math.abs(value - precision[k]!)).toBeLessThan(1e-4 * 25 * 1.01);
    });
  });
});

test("the covariance prior is centred on zero, whatever was in memory", () => {
  const core = openCore();
  const { arena } = core;
  const d = 3;
  const rule = covariancePriorRule({
    shrinkage: "optimal",
    edge: 0.6,
    floor: "auto",
    norm: 1,
    noise: () => ({ mean: 0, edge: 2, deviation: 1 }),
  }).prepare({ core, m: 30, d });
  const message = arena.copyOf(new Float64Array(d * d + d).fill(7));
  rule(arena.copyOf(Float64Array.of(22, 5, 3, 5, 6, 1, 3, 1, 2)), message, 1);
  expect([...arena.view(message + 8 * d * d, d)]).toEqual([0, 0, 0]);
});

test("no feature's variance falls below a ten thousandth of the mean, however often it is released as none", () => {
  const core = openCore();
  const { arena } = core;
  const rule = diagonalPriorRule({
    shrinkage: "edge",
    edge: 1,
    floor: 0,
    norm: 1,
    noise: () => ({ edge: 2, deviation: 1 }),
  }).prepare({ core, m: 30, d: 3 });
  const statistic = arena.copyOf(Float64Array.of(22, 8, 0));
  const message = arena.f64(12);
  for (const round of [1, 2, 3]) {
    rule(statistic, message, round);
    expect(arena.view(message, 9)[8]).toBeCloseTo(1e4, 6);
  }
});

test("the diagonal prior is the posterior mean, and refines over rounds", () => {
  const core = openCore();
  const { arena } = core;
  const rule = diagonalPriorRule({
    shrinkage: "optimal",
    edge: 0.6,
    floor: "auto",
    norm: 1,
    noise: () => ({ edge: 2, deviation: 2 }),
  }).prepare({ core, m: 30, d: 3 });
  const statistic = arena.copyOf(Float64Array.of(22, 5, 3));
  const message = arena.f64(12);
  rule(statistic, message, 1);
  const first = [0, 4, 8].map((at) => 1 / arena.view(message, 9)[at]!);
  // By quadrature: s ~ Exp(mean 10), S ~ N(s, 4).
  const byQuadrature = [22, 5, 3].map((value) => {
    let [top, bottom] = [0, 0];
    for (let s = 0.0005; s < 60; s += 0.001) {
      const density = Math.exp(-s / 10 - (value - s) ** 2 / 8);
      top += s * density;
      bottom += density;
    }
    return top / bottom;
  });
  const mean = byQuadrature.reduce((a, b) => a + b) / 3;
  first.forEach((value, j) => expect(value).toBeCloseTo(byQuadrature[j]! / mean, 6));
  arena.view(statistic, 3).set([10, 10, 10]);
  rule(statistic, message, 2);
  [0, 4, 8].forEach((at, j) => {
    expect(1 / arena.view(message, 9)[at]!).toBeCloseTo(first[j]!, 12);
  });
});

describe('rounds: "auto"', () => {
  test("grows with the budget and stays within 1 to 4", () => {
    const rounds = [0.01, 0.1, 1, 3, 10].map((epsilon) =>
      affordableRounds({ ...release, epsilon }, "covariance", 320, 30),
    );
    expect(rounds).toEqual([1, 1, 3, 4, 4]);
    const pure = affordableRounds({ ...release, delta: 0, epsilon: 10 }, "covariance", 320, 30);
    expect(pure).toBeLessThanOrEqual(4);
    expect(pure).toBeGreaterThanOrEqual(1);
  });

  test("is what the ledger was charged for; an untrusted curator sees one", async () => {
    const tasks = makeTasks({ m: 60, d: 4, rows: () => 8, rank: 1, noise: 0.05 });
    const random = { mode: "seeded", seed: 1 } as const;
    const options = { ...budget, epsilon: 4, random, choice: "local" } as const;
    const model = await new MpFeatureLearning(options).fit(tasks);
    expect(model.rounds).toBe(affordableRounds({ ...release, ...options }, "covariance", 60, 4));
    expect(model.rounds).toBeGreaterThan(1);
    expect(model.ledger!.entries).toHaveLength(model.rounds);
    const wary = await new MpFeatureLearning({ ...options, curator: "untrusted" }).fit(tasks);
    expect(wary.rounds).toBe(1);
  });
});

test("later rounds gain on low-rank data (seeded: holds or not, whatever the day)", async () => {
  const { train, test } = simulate({ pattern: "low-rank", seed: "refine" });
  const score = async (rounds: number) => {
    const random = { mode: "seeded", seed: 7 } as const;
    const model = await new MpFeatureLearning({ rounds, random, choice: "local" }).fit(train);
    return model.score(test).nmse!;
  };
  expect(await score(3)).toBeLessThan(0.75 * (await score(1)));
});

describe("the hierarchical prior", () => {
  /** Message of one release S = [[A, m a], [m a^T, m]] (plus nothing) in 3 dimensions. */
  function released(a: number[], second: number[], deviation: number) {
    const core = openCore();
    const { arena } = core;
    const m = 100;
    const rule = hierarchicalPriorRule({
      shrinkage: "optimal",
      edge: 0.6,
      floor: "auto",
      norm: 2,
      bound: 2,
      mean: "direction",
      noise: () => ({ mean: 0, edge: 1e-9, deviation: 5e-10 }),
      meanDeviation: () => deviation,
    }).prepare({ core, m, d: 3 });
    const statistic = arena.zeros(16);
    const matrix = arena.view(statistic, 16);
    for (let j = 0; j < 3; j++) {
      matrix[j * 5] = second[j]!;
      matrix[j * 4 + 3] = matrix[12 + j] = m * a[j]!;
    }
    const message = arena.f64(12);
    rule(statistic, message, 1);
    return Float64Array.from(arena.view(message, 12));
  }

  test("puts the mean back into the covariance, with the energy that it has", () => {
    // Second moment diag(208, 96, 96) = m diag(a a^T = 1, 0, 0) + diag(108, 96, 96), total 400.
    const message = released([1, 0, 0], [208, 96, 96], 1e-9);
    const variances = [0, 4, 8].map((at) => 1 / message[at]!);
    [208, 96, 96].forEach((value, j) => expect(variances[j]).toBeCloseTo((3 * value) / 400, 2));
    expect([...message.subarray(9)]).toEqual([0, 0, 0]);
  });

  test("a mean that noise could be changes nothing", () => {
    const message = released([0.5, 0, 0], [160, 120, 120], 100);
    // Nothing is taken out of the second moment, and nothing put back.
    [160, 120, 120].forEach((value, j) => {
      expect(1 / message[4 * j]!).toBeCloseTo((3 * value) / 400, 2);
    });
  });

  test("is not behind feature learning on tasks that are alike (seeded)", async () => {
    const { train, test } = simulate({ pattern: "low-rank", clusters: 1, tasks: 139, seed: "one" });
    const score = async (method: string) => {
      const random = { mode: "seeded", seed: 3 } as const;
      const model = await makeEstimator(method, { random, epsilon: 1 }).fit(train);
      return model.score(test).nmse!;
    };
    const alone = await makeEstimator("single-task", { lambda: 3e-4 }).fit(train);
    const own = alone.score(test).nmse!;
    expect(await score("mp-hierarchical")).toBeLessThan(0.5 * own);
    expect(await score("mp-hierarchical")).toBeLessThan(1.3 * (await score("mp-feature-learning")));
  });
});
