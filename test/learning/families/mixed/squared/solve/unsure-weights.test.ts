import fc from "fast-check";
import { expect, test } from "vitest";
import {
  INTERCEPT_MULTIPLES,
  INTERCEPT_PRIOR,
  OWN_NOISE_MULTIPLES,
  OWN_NOISE_PRIOR,
  SPREADS,
} from "../../../../../../src/learning/families/mixed/squared/squared-settings.js";
import { unsureWeights } from "../../../../../../src/learning/families/mixed/squared/solve/unsure-weights.js";
import { diagonal, multiply, transpose } from "../../../../../../src/linalg/small-matrices.js";

const { few } = SPREADS;
const POINTS = INTERCEPT_MULTIPLES.flatMap((own) =>
  few.multiples.flatMap((wide) => OWN_NOISE_MULTIPLES.map((loud) => ({ own, wide, loud }))),
);

/** Variance of the logarithm of a multiple. */
function varianceOf(weights: Float64Array, figure: (point: (typeof POINTS)[number]) => number) {
  const mean = POINTS.reduce((sum, point, k) => sum + weights[k]! * Math.log(figure(point)), 0);
  return POINTS.reduce(
    (sum, point, k) => sum + weights[k]! * (Math.log(figure(point)) - mean) ** 2,
    0,
  );
}

test("around sure variances the weights are their own", () => {
  const found = unsureWeights(diagonal([1e-6, 1e-6, 1e-6]), few);
  const sure = INTERCEPT_PRIOR.flatMap((own) =>
    few.prior.flatMap((wide) => OWN_NOISE_PRIOR.map((loud) => own * wide * loud)),
  );
  // Neighbours are 1.1 apart or more, 4.9 deviations of the least error.
  sure.forEach((weight, k) => expect(Math.abs(found[k]! - weight)).toBeLessThan(1e-3));
});

test("whatever is unsure, weights are positive and sum to 1", () => {
  const root = fc.array(fc.double({ min: -2, max: 2, noNaN: true }), {
    minLength: 9,
    maxLength: 9,
  });
  fc.assert(
    fc.property(root, (values) => {
      const l = Float64Array.from(values);
      const found = unsureWeights(multiply(l, transpose(l, 3, 3), 3, 3, 3), few);
      expect(found.length).toBe(POINTS.length);
      for (const weight of found) expect(weight).toBeGreaterThanOrEqual(0);
      expect(found.reduce((sum, weight) => sum + weight, 0)).toBeCloseTo(1, 9);
    }),
    { numRuns: 20, seed: 2 },
  );
});

test("an error of a variance widens the hypotheses on it, and on no other", () => {
  const sure = unsureWeights(diagonal([0, 0, 0]), few);
  const noisy = unsureWeights(diagonal([0, 0, 2]), few);
  const noise = ({ loud }: { loud: number }) => loud;
  const slopes = ({ wide }: { wide: number }) => wide;
  const own = ({ own, wide }: { own: number; wide: number }) => own * wide;
  // By about the error's variance: the grid is coarse.
  const more = varianceOf(noisy, noise) - varianceOf(sure, noise);
  expect(more).toBeGreaterThan(1);
  expect(more).toBeLessThan(3);
  expect(varianceOf(noisy, slopes)).toBeCloseTo(varianceOf(sure, slopes), 6);
  expect(varianceOf(noisy, own)).toBeCloseTo(varianceOf(sure, own), 6);
});
