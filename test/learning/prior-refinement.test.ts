/**
 * Refining a prior over rounds: the coordinates against closed forms, the number of rounds, and what
 * a second look gains.
 */
import { describe, expect, test } from "vitest";
import { openCore } from "../../src/core/index.js";
import { affordableRounds } from "../../src/learning/estimators/prior-rounds.js";
import { MpFeatureLearning } from "../../src/learning/index.js";
import { diagonalPriorRule } from "../../src/learning/sharing/diagonal-prior.js";
import { PriorCoordinates } from "../../src/learning/sharing/prior-coordinates.js";
import { eigh, gemm } from "../../src/linalg/index.js";
import { simulate } from "../../src/data/index.js";
import { makeTasks } from "./tasks.js";

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
