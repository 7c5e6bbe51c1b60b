import { describe, expect, test } from "vitest";
import { deltaOf, epsilonOf } from "../../src/privacy/accounting/account.js";
import { epsilonBounds } from "../../src/privacy/accounting/bounds.js";
import { gaussianDelta, gaussianEpsilon } from "../../src/privacy/accounting/gdp.js";
import { sumLaws } from "../../src/privacy/accounting/pld/allocation-sum.js";
import { ratioLaw, type RatioLaw } from "../../src/privacy/accounting/pld/allocation.js";
import { normalCdf } from "../../src/privacy/accounting/special/erfc.js";
import { gaussianEvent, subsampledGaussianEvent } from "../../src/privacy/events.js";
import { Ledger } from "../../src/privacy/ledger.js";
import { parseEvent } from "../../src/privacy/parse-event.js";
import { randomAllocationEvent } from "../../src/privacy/random-allocation.js";
import { someOf, thorough, thoroughTest } from "../thorough.js";
import type { PrivacyEvent } from "../../src/privacy/event-kinds.js";

/** E_Q (R - a)^+ and E_Q (1 - a R)^+ of a grid law, with what it leaves open. */
function divergences({ p, q, lostP, lostQ }: RatioLaw, a: number): [number, number] {
  let [forward, reverse] = [lostP, lostQ];
  for (let k = 0; k < p.length; k++) {
    forward += Math.max(0, p[k]! - a * q[k]!);
    reverse += Math.max(0, q[k]! - a * p[k]!);
  }
  return [forward, reverse];
}

/**
 * Both divergences for two rounds: given the first coordinate x, R > a is a half-line of the second, in closed form;
 * the integral over x by the trapezoidal rule, which is exact to rounding for such integrands.
 */
function exactForTwo(sigma: number, a: number): [number, number] {
  const ratio = (x: number) => Math.exp((2 * x - 1) / (2 * sigma * sigma));
  const inverse = (r: number) => sigma * sigma * Math.log(r) + 0.5;
  const density = (x: number) =>
    Math.exp((-x * x) / (2 * sigma * sigma)) / (sigma * Math.sqrt(2 * Math.PI));
  const step = sigma / 400;
  let [forward, reverse] = [0, 0];
  for (let x = -12 * sigma; x <= 12 * sigma + 2 / sigma + 2; x += step) {
    const u = ratio(x);
    // (u + u')/2 - a > 0, and 1 - a (u + u')/2 > 0.
    const [low, high] = [2 * a - u, 2 / a - u];
    const cut = low > 0 ? inverse(low) : -Infinity;
    const above = normalCdf(-cut / sigma);
    const shifted = normalCdf((1 - cut) / sigma);
    forward += density(x) * ((u / 2 - a) * above + shifted / 2) * step;
    if (high > 0) {
      const top = inverse(high);
      const [below, moved] = [normalCdf(top / sigma), normalCdf((top - 1) / sigma)];
      reverse += density(x) * ((1 - (a * u) / 2) * below - (a * moved) / 2) * step;
    }
  }
  return [forward, reverse];
}

/** The same for two of three rounds: given the first two, R > a is a half-line of the third. */
function exactForTwoOfThree(sigma: number, a: number): [number, number] {
  const step = sigma / 20;
  const xs = Array.from({ length: 420 }, (_, i) => -10 * sigma + i * step);
  const densities = xs.map(
    (x) => (Math.exp((-x * x) / (2 * sigma * sigma)) / (sigma * Math.sqrt(2 * Math.PI))) * step,
  );
  const ratios = xs.map((x) => Math.exp((2 * x - 1) / (2 * sigma * sigma)));
  const cutAt = (ratio: number) => (ratio > 0 ? sigma * sigma * Math.log(ratio) + 0.5 : -Infinity);
  let [forward, reverse] = [0, 0];
  ratios.forEach((u, i) =>
    ratios.forEach((v, j) => {
      const weight = densities[i]! * densities[j]!;
      const [fixed, rise] = [(u * v) / 3, (u + v) / 3];
      const cut = cutAt((a - fixed) / rise);
      const [above, shifted] = [normalCdf(-cut / sigma), normalCdf((1 - cut) / sigma)];
      forward += weight * ((fixed - a) * above + rise * shifted);
      const top = cutAt((1 / a - fixed) / rise);
      const [below, moved] = [normalCdf(top / sigma), normalCdf((top - 1) / sigma)];
      reverse += weight * ((1 - a * fixed) * below - a * rise * moved);
    }),
  );
  return [forward, reverse];
}

describe("the law of the likelihood ratio", () => {
  test.each(someOf([1, 0.6, 3], 3))(
    "of two rounds brackets an integral, noise multiplier %d",
    (sigma) => {
      const [upper, lower] = [ratioLaw(2, sigma, true), ratioLaw(2, sigma, false)];
      for (const a of [1, 1.3, 3]) {
        const exact = exactForTwo(sigma, a);
        const [above, under] = [divergences(upper, a), divergences(lower, a)];
        for (const direction of [0, 1] as const) {
          // The rule resolves the kink of the integrand to 1e-6.
          expect(above[direction]).toBeGreaterThanOrEqual(
            exact[direction] - 1e-6 * exact[direction] - 1e-11,
          );
          expect(under[direction]).toBeLessThanOrEqual(
            exact[direction] + 1e-6 * exact[direction] + 1e-11,
          );
          // With less noise the largest ratios make the grid coarse.
          if (sigma >= 1) {
            expect(above[direction]).toBeLessThanOrEqual(exact[direction] * 1.01 + 1e-9);
            expect(under[direction]).toBeGreaterThanOrEqual(exact[direction] * 0.99 - 1e-9);
          }
        }
      }
    },
  );

  test("a grid too coarse for the mean gives no lower bound instead of a false one", () => {
    const lower = ratioLaw(100, 0.3, false);
    expect(lower.p.every((mass) => mass === 0)).toBe(true);
    expect(lower.q.every((mass) => mass === 0)).toBe(true);
  });
});

describe("random allocation", () => {
  test("one of t rounds: bounds within 1 %, below Poisson sampling at rate 1/t, above every test", () => {
    for (const [t, sigma] of thorough
      ? ([
          [100, 1],
          [1000, 3],
        ] as const)
      : ([[30, 1.5]] as const)) {
      const event = randomAllocationEvent({ sigma, rounds: t });
      const { lower, upper } = epsilonBounds([event], { delta: 1e-5 });
      expect(lower / upper).toBeGreaterThan(0.99);
      expect(lower / upper).toBeLessThanOrEqual(1);
      const poisson = new Array<PrivacyEvent>(t).fill(
        subsampledGaussianEvent({ sigma, rate: 1 / t }),
      );
      expect(upper).toBeLessThan(epsilonOf(poisson, { delta: 1e-5 }));
      // Whether some round exceeds a threshold.
      for (const epsilon of [0, lower]) {
        const delta = deltaOf([event], { epsilon });
        for (let x = 0; x < 8; x += 0.25) {
          const stay = normalCdf(x / sigma);
          const found = 1 - stay ** (t - 1) * normalCdf((x - 1) / sigma);
          const missed = 1 - stay ** t;
          expect(found - Math.exp(epsilon) * missed).toBeLessThanOrEqual(delta + 1e-12);
        }
      }
    }
  });

  thoroughTest("one of two rounds: bounds around an integral", () => {
    for (const [sigma, delta] of [
      [0.88, 1e-5],
      [2.4, 4e-14],
      [0.28, 0.02],
    ] as const) {
      const event = randomAllocationEvent({ sigma, rounds: 2 });
      const { lower, upper } = epsilonBounds([event], { delta });
      const at = (epsilon: number) => Math.max(...exactForTwo(sigma, Math.exp(epsilon)));
      expect(at(lower)).toBeGreaterThanOrEqual(delta * (1 - 1e-4));
      expect(at(upper)).toBeLessThanOrEqual(delta * (1 + 1e-4));
    }
  });

  thoroughTest("two of three rounds: bounds around an integral", () => {
    const event = randomAllocationEvent({ sigma: 1, rounds: 3, picks: 2 });
    for (const [epsilon, gap] of [
      [0.5, 1.3],
      [2, 1.15],
    ] as const) {
      const delta = Math.max(...exactForTwoOfThree(1, Math.exp(epsilon)));
      const { lower, upper } = epsilonBounds([event], { delta });
      // The rule's error is far below.
      expect(lower).toBeLessThanOrEqual(epsilon * (1 + 1e-5));
      expect(upper).toBeGreaterThanOrEqual(epsilon * (1 - 1e-5));
      expect(lower).toBeGreaterThan(0.97 * epsilon);
      expect(upper).toBeLessThan(gap * epsilon);
    }
  });

  test("of a sum over rounds, bounds on the probabilities of the whole hold and are close", () => {
    const { p, q } = sumLaws(1000, 10, 1);
    for (const { low, high } of [p, q]) {
      expect(low.every((mass, j) => mass >= 0 && mass <= high[j]!)).toBe(true);
      const [least, most] = [low, high].map((x) => x.reduce((a, b) => a + b, 0));
      expect(least).toBeLessThan(1);
      expect(most).toBeGreaterThan(1);
      expect(most! - least!).toBeLessThan(1e-6);
    }
  });

  thoroughTest(
    "k of t rounds: bounds within 1 % where few rounds are drawn, above what the sum of all tells",
    () => {
      const event = randomAllocationEvent({ sigma: 2, rounds: 40, picks: 4 });
      const { lower, upper } = epsilonBounds([event], { delta: 1e-5 });
      expect(lower).toBeGreaterThan(gaussianEpsilon(4 / Math.sqrt(40) / 2, 1e-5));
      expect(lower).toBeGreaterThan(0.99 * upper);
      expect(lower).toBeLessThanOrEqual(upper);
      expect(upper).toBeLessThan(gaussianEpsilon(Math.sqrt(4) / 2, 1e-5));
    },
  );

  thoroughTest("blocks of two sizes: from above no worse than with the rounds left over", () => {
    const of = (rounds: number) =>
      epsilonOf([randomAllocationEvent({ sigma: 3, rounds, picks: 4 })], { delta: 1e-5 });
    expect(of(27)).toBeLessThan(0.98 * of(24));
    // Blocks of a single round are plain Gaussian releases.
    const few = randomAllocationEvent({ sigma: 3, rounds: 3, picks: 2 });
    const whole = gaussianEvent({ sigma: 3, adjacency: "zero-out" });
    const pair = randomAllocationEvent({ sigma: 3, rounds: 2 });
    const both = epsilonOf([whole, pair], { delta: 1e-5 });
    expect(epsilonOf([few], { delta: 1e-5 })).toBeCloseTo(both, 9);
  });

  test("all rounds are plain Gaussian ones; little noise falls back on what is revealed", () => {
    const all = randomAllocationEvent({ sigma: 2, rounds: 9, picks: 9 });
    expect(all.kind).toBe("gaussian");
    expect(deltaOf([all], { epsilon: 1 })).toBeCloseTo(gaussianDelta(1, 1.5), 12);
    for (const sigma of someOf([0.01, 0.3, 1e-200], 3)) {
      const event = randomAllocationEvent({ sigma, rounds: 50 });
      const { lower, upper } = epsilonBounds([event], { delta: 1e-5 });
      const revealed = sigma > 1e-100 ? gaussianEpsilon(1 / sigma, 1e-5) : Infinity;
      expect(upper).toBeLessThanOrEqual(revealed * (1 + 1e-5));
      expect(lower).toBeLessThanOrEqual(upper);
    }
  });

  test("is refused under replace and by accountants without a theorem; it survives JSON and the ledger", () => {
    const options = { sigma: 4, rounds: 20, picks: 2 };
    expect(() => randomAllocationEvent({ ...options, adjacency: "replace" as "zero-out" })).toThrow(
      'adjacency: expected "zero-out" for random allocation',
    );
    expect(() => randomAllocationEvent({ ...options, picks: 21 })).toThrow("picks: ");
    const event = randomAllocationEvent(options);
    expect(() => epsilonOf([event], { delta: 1e-5, accountant: "rdp" })).toThrow(
      "a random-allocation event has no Renyi divergence",
    );
    expect(parseEvent(JSON.parse(JSON.stringify(event)))).toEqual(event);
    const stored = { ...event, adjacency: "replace" };
    expect(() => parseEvent(stored)).toThrow('event.adjacency: expected "zero-out"');
    const plan = [event];
    const ledger = new Ledger({ epsilon: 2, delta: 1e-5, adjacency: "zero-out", plan });
    ledger.charge(event, { round: 1 });
    expect(ledger.accountant).toBe("pld");
    expect(ledger.spent().epsilon).toBeLessThanOrEqual(2);
  });
});
