import { describe, expect, test } from "vitest";
import { deltaOf, epsilonOf } from "../../src/privacy/accounting/account.js";
import { epsilonBounds } from "../../src/privacy/accounting/bounds.js";
import { gaussianDelta, gaussianEpsilon } from "../../src/privacy/accounting/gdp.js";
import { ratioLaw, type RatioLaw } from "../../src/privacy/accounting/pld/allocation.js";
import { normalCdf } from "../../src/privacy/accounting/special/erfc.js";
import { subsampledGaussianEvent, type PrivacyEvent } from "../../src/privacy/events.js";
import { Ledger } from "../../src/privacy/ledger.js";
import { parseEvent } from "../../src/privacy/parse-event.js";
import { randomAllocationEvent } from "../../src/privacy/random-allocation.js";

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

describe("the law of the likelihood ratio", () => {
  test.each([0.6, 1, 3])("of two rounds brackets an integral, noise multiplier %d", (sigma) => {
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
  });

  test("a grid too coarse for the mean gives no lower bound instead of a false one", () => {
    const lower = ratioLaw(100, 0.3, false);
    expect(lower.p.every((mass) => mass === 0)).toBe(true);
    expect(lower.q.every((mass) => mass === 0)).toBe(true);
  });
});

describe("random allocation", () => {
  test("one of t rounds: bounds within 1 %, below Poisson sampling at rate 1/t, above every test", () => {
    for (const [t, sigma] of [
      [100, 1],
      [1000, 3],
    ] as const) {
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

  test("k of t rounds: between the sum's shift and the rounds revealed, in order of k", () => {
    let before = 0;
    for (const picks of [1, 4, 10]) {
      const event = randomAllocationEvent({ sigma: 2, rounds: 40, picks });
      const { lower, upper } = epsilonBounds([event], { delta: 1e-5 });
      expect(lower).toBeGreaterThanOrEqual(
        gaussianEpsilon(picks / Math.sqrt(40) / 2, 1e-5) * 0.999,
      );
      expect(upper).toBeLessThanOrEqual(gaussianEpsilon(Math.sqrt(picks) / 2, 1e-5) * 1.001);
      expect(upper).toBeGreaterThan(before);
      expect(lower).toBeLessThanOrEqual(upper);
      before = upper;
    }
  });

  test("all rounds are plain Gaussian ones; little noise falls back on what is revealed", () => {
    const all = randomAllocationEvent({ sigma: 2, rounds: 9, picks: 9 });
    expect(all.kind).toBe("gaussian");
    expect(deltaOf([all], { epsilon: 1 })).toBeCloseTo(gaussianDelta(1, 1.5), 12);
    for (const sigma of [1e-200, 0.01, 0.3]) {
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
