/** Probabilities averaged over a mixture of normals, against quadrature. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  averagedLogits,
  averagedLogOdds,
} from "../../../../src/learning/fitted/posterior/posterior-mixture.js";

const sigmoid = (x: number) => 1 / (1 + Math.exp(-x));

/** Integral of f against N(mean, variance). */
function expectation(f: (x: number) => number, mean: number, variance: number): number {
  const [step, sd] = [1e-3, Math.sqrt(variance)];
  let sum = 0;
  for (let u = -10; u <= 10; u += step) sum += f(mean + sd * u) * Math.exp((-u * u) / 2);
  return (sum * step) / Math.sqrt(2 * Math.PI);
}

describe("log-odds of the average probability", () => {
  test("are those of quadrature, for one feature and an intercept", () => {
    // w, b of two normals; covariances [w w, w b, b b].
    const mixture = {
      weights: Float64Array.of(0.3, 0.7),
      means: Float64Array.of(1, -0.5, -2, 0.4),
      covariances: Float64Array.of(0.5, 0.2, 0.9, 2, -0.3, 0.1),
    };
    for (const x of [-1.5, 0, 0.7, 3]) {
      const [first, second] = [0.5 * x * x + 0.4 * x + 0.9, 2 * x * x - 0.6 * x + 0.1];
      const p =
        0.3 * expectation(sigmoid, x - 0.5, first) +
        0.7 * expectation(sigmoid, 0.4 - 2 * x, second);
      const [found] = averagedLogOdds(mixture, Float64Array.of(x), 1);
      expect(sigmoid(found!)).toBeCloseTo(p, 4);
    }
  });

  test("are finite far out, odd in the model, and grow with the output", () => {
    const about = (mean: number, variance: number) =>
      averagedLogOdds(
        {
          weights: Float64Array.of(1, 0),
          means: Float64Array.of(mean, 0, 0, 0),
          covariances: Float64Array.of(variance, 0, 0, 1, 0, 1),
        },
        Float64Array.of(1),
        1,
      )[0]!;
    const mean = fc.double({ min: -1e6, max: 1e6, noNaN: true });
    fc.assert(
      fc.property(mean, fc.double({ min: 0, max: 1e4, noNaN: true }), (mean, variance) => {
        const value = about(mean, variance);
        expect(Number.isFinite(value)).toBe(true);
        expect(about(-mean, variance)).toBeCloseTo(-value, 6);
        expect(about(mean + 10, variance)).toBeGreaterThanOrEqual(value);
        // Averaging never makes a prediction surer than its mean output, but for the link's error.
        expect(Math.abs(value)).toBeLessThanOrEqual(Math.abs(mean) * (1 + 1e-15) + 1e-5);
      }),
      // A mean in the tail of the link's normals, where they alone gave odds 2.3 % too sure.
      { examples: [[27.87, 0]] },
    );
  });
});

describe("logits of several classes", () => {
  test("are parts of the log-odds of quadrature, for every class of its own mixture", () => {
    // Means w, b and covariances [w w, w b, b b] of one normal for each of three classes.
    const means = [1, -0.5, -2, 0.4, 0.3, 1];
    const covariances = [0.5, 0.2, 0.9, 2, -0.3, 0.1, 0, 0, 0.2];
    const mixture = {
      weights: Float64Array.of(1, 1, 1),
      means: Float64Array.from(means),
      covariances: Float64Array.from(covariances),
    };
    for (const x of [-1.5, 0.7]) {
      const found = averagedLogits(mixture, Float64Array.of(x), 1, 3);
      for (let c = 0; c < 3; c++) {
        const [ww, wb, bb] = covariances.slice(3 * c) as [number, number, number];
        const variance = ww * x * x + 2 * wb * x + bb;
        const p = expectation(sigmoid, means[2 * c]! * x + means[2 * c + 1]!, variance);
        expect(sigmoid(1.5 * found[c]!)).toBeCloseTo(p, 4);
      }
    }
  });

  test("of two classes that mirror one another give the probability of either", () => {
    const number = fc.double({ min: -4, max: 4, noNaN: true });
    fc.assert(
      fc.property(number, number, number, (w, b, x) => {
        const mixture = {
          weights: Float64Array.of(1, 1),
          means: Float64Array.of(w, b, -w, -b),
          covariances: Float64Array.of(0.5, 0.1, 0.4, 0.5, 0.1, 0.4),
        };
        const [first, second] = averagedLogits(mixture, Float64Array.of(x), 1, 2);
        const one = {
          weights: mixture.weights.slice(0, 1),
          means: mixture.means.slice(0, 2),
          covariances: mixture.covariances.slice(0, 3),
        };
        const [odds] = averagedLogOdds(one, Float64Array.of(x), 1);
        expect(first! - second!).toBeCloseTo(odds!, 9);
      }),
    );
  });

  test("are near those of a softmax where no class is far ahead, whatever their number", () => {
    const small = fc.double({ min: -0.05, max: 0.05, noNaN: true });
    fc.assert(
      fc.property(fc.array(small, { minLength: 2, maxLength: 12 }), (logits) => {
        const whole = logits.reduce((sum, z) => sum + Math.exp(z), 0);
        const odds = logits.map((z) => Math.log(Math.exp(z) / (whole - Math.exp(z))));
        // Posteriors that are sure of the odds of each class against the rest.
        const mixture = {
          weights: new Float64Array(logits.length).fill(1),
          means: Float64Array.from(odds.flatMap((value) => [0, value])),
          covariances: new Float64Array(3 * logits.length),
        };
        const found = averagedLogits(mixture, Float64Array.of(1), 1, logits.length);
        const exps = found.map(Math.exp);
        const total = exps.reduce((a, b) => a + b, 0);
        // Of second order in how far the logits are apart, .1 at most; the link is off by 8e-5.
        logits.forEach((z, c) =>
          expect(Math.abs(exps[c]! / total - Math.exp(z) / whole)).toBeLessThan(2e-3),
        );
      }),
    );
  });
});
