import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { binomialAtLeast } from "../../../src/privacy/accounting/special/binomial.js";
import {
  clopperPearsonLower,
  clopperPearsonUpper,
} from "../../../src/privacy/audit/clopper-pearson.js";

/** P(X >= k) by adding up Pascal's triangle. */
function byHand(n: number, k: number, p: number): number {
  let row = [1];
  for (let i = 0; i < n; i++) {
    row = [...row, 0].map((_, j) => (row[j] ?? 0) * (1 - p) + (row[j - 1] ?? 0) * p);
  }
  return row.slice(Math.max(k, 0)).reduce((a, b) => a + b, 0);
}

describe("the binomial tail", () => {
  test("adds up", () => {
    const sizes = fc.integer({ min: 1, max: 40 });
    const probability = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(sizes, fc.integer({ min: -1, max: 42 }), probability, (n, k, p) => {
        expect(Math.abs(binomialAtLeast(n, k, p) - byHand(n, k, p))).toBeLessThan(1e-12);
      }),
    );
  });

  // Computed with scipy 1.17.1: stats.binom.sf(k - 1, n, p).
  test.each([
    [100, 12, 0.3, 0.9999943403710642],
    [100, 50, 0.3, 2.2060913327165886e-5],
    [1_000_000, 1000, 1e-3, 0.5042115551669921],
    [10_000, 5000, 0.45, 6.523053765415034e-24],
    [5, 3, 0.5, 0.5],
  ])("%i trials, at least %i, p = %f", (n, k, p, expected) => {
    expect(Math.abs(binomialAtLeast(n, k, p) / expected - 1)).toBeLessThan(1e-10);
  });
});

describe("Clopper and Pearson's bounds", () => {
  // Computed with scipy 1.17.1: stats.beta.ppf(alpha, k, n - k + 1) and (1 - alpha, k + 1, n - k).
  test.each([
    [0, 100, 0.01, 0, 0.045007413978564045],
    [1, 100, 0.01, 0.00010049830824166791, 0.06454273204858163],
    [37, 100, 0.005, 0.24948706677473803, 0.5032412033347486],
    [99, 100, 0.05, 0.9534401885464611, 0.9994871985837377],
    [100, 100, 0.01, 0.954992586021436, 1],
    [473, 5000, 0.0025, 0.08334055390202967, 0.10677564482666412],
    [12, 50_000, 0.001, 8.085444151273963e-5, 0.0005404384089874816],
    [249_000, 500_000, 0.025, 0.4966131222118245, 0.49938690096472227],
  ])("%i of %i at alpha %f", (k, n, alpha, low, high) => {
    expect(Math.abs(clopperPearsonLower(k, n, alpha) - low)).toBeLessThanOrEqual(1e-10 * low);
    expect(Math.abs(clopperPearsonUpper(k, n, alpha) - high)).toBeLessThanOrEqual(1e-10 * high);
  });

  test("are closed forms at no and at all successes", () => {
    for (const n of [1, 7, 1000, 200_000]) {
      for (const alpha of [0.3, 0.01, 1e-6]) {
        expect(clopperPearsonLower(n, n, alpha)).toBeCloseTo(alpha ** (1 / n), 10);
        expect(clopperPearsonUpper(0, n, alpha)).toBeCloseTo(-Math.expm1(Math.log(alpha) / n), 10);
        expect(clopperPearsonLower(0, n, alpha)).toBe(0);
        expect(clopperPearsonUpper(n, n, alpha)).toBe(1);
      }
    }
  });

  test("cover every probability as often as they say, counted exactly", () => {
    const alpha = 0.05;
    for (const n of [1, 10, 30]) {
      for (const p of [0.01, 0.2, 0.5, 0.93]) {
        let wrongLow = 0;
        let wrongHigh = 0;
        for (let k = 0; k <= n; k++) {
          const mass = byHand(n, k, p) - byHand(n, k + 1, p);
          if (clopperPearsonLower(k, n, alpha) > p) wrongLow += mass;
          if (clopperPearsonUpper(k, n, alpha) < p) wrongHigh += mass;
        }
        expect(wrongLow).toBeLessThanOrEqual(alpha + 1e-12);
        expect(wrongHigh).toBeLessThanOrEqual(alpha + 1e-12);
      }
    }
  });

  test("name what they refuse", () => {
    expect(() => clopperPearsonLower(4, 3, 0.1)).toThrow(
      "successes: expected an integer from 0 to 3",
    );
    expect(() => clopperPearsonUpper(1, 3, 1)).toThrow("alpha: expected 0 < alpha < 1, got 1");
  });
});
