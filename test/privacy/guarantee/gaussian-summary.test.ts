/** mu and the attacker's gain against closed forms and other profiles. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  attackerGain,
  gaussianDelta,
  gaussianEpsilon,
  gaussianEvent,
  gaussianSummary,
  discreteGaussianEvent,
  epsilonOf,
  laplaceEvent,
  pureEvent,
  subsampledGaussianEvent,
} from "../../../src/privacy/index.js";
import { muOfPure } from "../../../src/privacy/guarantee/gaussian-summary.js";

const budget = { epsilon: 1, delta: 1e-5 };

describe("mu of a pure release", () => {
  test("is 2 Phi^-1(e^eps / (1 + e^eps)): 1.2322 for eps 1", () => {
    // Phi(0.6161) = 0.73107, e / (1 + e) = 0.73106.
    expect(muOfPure(1)).toBeCloseTo(1.2322, 3);
    expect(muOfPure(0)).toBe(0);
  });

  test("covers randomized response at every epsilon, and touches it at 0", () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0.01, max: 20, noNaN: true }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (epsilon, part) => {
          const mu = muOfPure(epsilon);
          const profile = (x: number) =>
            (Math.exp(epsilon) - Math.exp(x)) / (1 + Math.exp(epsilon));
          const at = part * epsilon;
          expect(gaussianDelta(at, mu)).toBeGreaterThanOrEqual(profile(at) * (1 - 1e-9) - 1e-15);
          expect(gaussianDelta(0, mu) / profile(0)).toBeLessThan(1 + 1e-9);
        },
      ),
      { numRuns: 300, seed: 20 },
    );
  });

  test("is eps sqrt(pi/2) for the least epsilons, and never below what it is", () => {
    const first = Math.sqrt(Math.PI / 2);
    for (let power = 2; power < 300; power += power < 20 ? 0.25 : 10) {
      const epsilon = 10 ** -power;
      // Phi^-1(1/2 + t) = sqrt(2 pi) t (1 + pi t^2 / 3 + ...), t = tanh(eps/2) / 2 = eps / 4 (1 - eps^2 / 12 + ...).
      const mu = first * epsilon * (1 + (Math.PI / 48 - 1 / 12) * epsilon ** 2);
      const found = muOfPure(epsilon);
      expect(found / mu, String(epsilon)).toBeGreaterThanOrEqual(1 - 2 * epsilon ** 4 - 2 ** -51);
      expect(found / mu, String(epsilon)).toBeLessThan(1 + 1e-9);
    }
  });
});

describe("the summary in mu", () => {
  test("of Gaussian rounds is exact: the root of the summed squares", () => {
    const events = [gaussianEvent({ sigma: 10 }), gaussianEvent({ sigma: 5 })];
    const mu = Math.sqrt(1 / 100 + 1 / 25);
    const summary = gaussianSummary(events, budget)!;
    expect(summary).toMatchObject({ fit: "exact", slack: 0 });
    expect(summary.mu).toBeCloseTo(mu, 12);
    expect(summary.epsilon).toBeCloseTo(gaussianEpsilon(mu, 1e-5), 9);
  });

  test("of noise on a grid says how little the grid adds", () => {
    const event = discreteGaussianEvent({
      sigma: 10,
      grid: 2 ** -17,
      entries: 100,
      sensitivity: 1,
    });
    const { mu, slack, epsilon } = gaussianSummary([event], budget)!;
    expect(mu).toBeGreaterThan(0.1);
    expect(mu).toBeLessThan(0.1001);
    expect(slack).toBeGreaterThan(0);
    expect(slack).toBeLessThan(1e-6);
    expect(epsilon!).toBeGreaterThan(gaussianEpsilon(0.1, 1e-5));
  });

  test("of samples and pure noise is a bound, of delta 0 without an epsilon", () => {
    const sampled = subsampledGaussianEvent({ sigma: 4, rate: 0.1, adjacency: "zero-out" });
    expect(gaussianSummary([sampled], budget)).toMatchObject({ fit: "bound" });
    const pure = [laplaceEvent({ scale: 4, sensitivity: 1 })];
    expect(gaussianSummary(pure, { epsilon: 0.25, delta: 0 })).toMatchObject({
      fit: "bound",
      epsilon: null,
    });
  });
});

describe("what an attacker gains at 1 % false positives", () => {
  test("from (epsilon, 0): e^eps percent; from mu 1: 9.24 %; never above 1", () => {
    expect(attackerGain({ epsilon: 1, delta: 0 }).truePositiveRate).toBeCloseTo(0.0271828, 6);
    // Phi(Phi^-1(0.01) + 1) = Phi(-1.326348) = 0.09236.
    const loose = { epsilon: 30, delta: 1e-9 };
    const gain = attackerGain(loose, [gaussianEvent({ sigma: 1 })]);
    expect(gain.truePositiveRate).toBeCloseTo(0.09236, 4);
    expect(gain.falsePositiveRate).toBe(0.01);
    expect(attackerGain(loose).truePositiveRate).toBeLessThanOrEqual(1);
  });

  test("is never below what the likelihood ratio of randomized response reaches", () => {
    fc.assert(
      fc.property(fc.double({ min: 0.01, max: 10, noNaN: true }), (epsilon) => {
        // Truth with probability e^eps / (1 + e^eps); the best test of level 0.01 is randomized.
        const p = Math.exp(epsilon) / (1 + Math.exp(epsilon));
        const reached = 1 - p >= 0.01 ? (0.01 * p) / (1 - p) : p + ((1 - p) * (0.01 - (1 - p))) / p;
        const { truePositiveRate } = attackerGain({ epsilon, delta: 0 }, [pureEvent({ epsilon })]);
        expect(truePositiveRate).toBeGreaterThanOrEqual(reached * (1 - 1e-12));
        expect(truePositiveRate).toBeLessThan(reached * (1 + 1e-9) + 1e-12);
      }),
      { numRuns: 200, seed: 20 },
    );
  });
});

describe("the posterior odds", () => {
  test("of a pure release are e^eps, which randomized response reaches", () => {
    const { odds, except } = attackerGain({ epsilon: 1, delta: 0 }).posterior!;
    expect(odds).toBeCloseTo(Math.E, 9);
    expect(except).toBe(0);
  });

  test("of Gaussian noise fail less often than they say, by its closed form", () => {
    const cdf = (z: number) => gaussianDelta(0, 2 * z) / 2 + 1 / 2; // delta(0) = 2 Phi(mu / 2) - 1
    fc.assert(
      fc.property(
        fc.double({ min: 0.05, max: 3, noNaN: true }),
        fc.double({ min: -7, max: -2, noNaN: true }),
        (mu, exponent) => {
          const delta = 10 ** exponent;
          const epsilon = gaussianEpsilon(mu, delta);
          const { odds, except } = attackerGain({ epsilon, delta }).posterior!;
          // The privacy loss is N(mu^2 / 2, mu^2) in the world that it speaks for.
          const failing = 1 - cdf((Math.log(odds) - (mu * mu) / 2) / mu);
          expect(failing).toBeLessThanOrEqual(except + 1e-12);
        },
      ),
      { seed: 15, numRuns: 300 },
    );
  });

  test("are those of what is true: either way they may fail more often, as with one Laplace draw", () => {
    const pure = 0.2;
    const delta = 0.0515;
    const event = laplaceEvent({ scale: 1 / pure, sensitivity: 1 });
    const epsilon = epsilonOf([event], { delta });
    const { odds, except } = attackerGain({ epsilon, delta }, [event]).posterior!;
    // Half of all draws lie beyond both centers on the true one's side, where its odds are e^pure; e^-pure of as many on the other.
    expect(odds).toBeLessThan(Math.exp(pure));
    expect(1 / 2).toBeLessThanOrEqual(except);
    expect((1 + Math.exp(-pure)) / 2).toBeGreaterThan(1.7 * except);
  });

  test("are not stated where they say nothing", () => {
    expect(attackerGain({ epsilon: 1000, delta: 1e-5 }).posterior).toBeUndefined();
    expect(attackerGain({ epsilon: 1, delta: 0.1 }).posterior).toBeUndefined();
  });
});
