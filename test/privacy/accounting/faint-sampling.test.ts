/** One round of a sample under much noise, where the closed forms subtract nearly equal tails: figures stay above the truth. */
import { expect, test } from "vitest";
import { sampledAddDelta } from "../../../src/privacy/accounting/sampled-gaussian.js";
import { deltaOf, subsampledGaussianEvent } from "../../../src/privacy/index.js";

const delta = (rate: number, sigma: number, epsilon: number) =>
  deltaOf([subsampledGaussianEvent({ sigma, rate })], { epsilon, accountant: "exact" });

// Both directions of the closed form at 60 digits (mpmath), the larger.
test.each([
  { rate: 0.033480655484922954, sigma: 8672.60271593162, epsilon: 6.661461552745139e-5, truth: 1.5115218125278215e-73 }, // prettier-ignore
  { rate: 0.04813491499412273, sigma: 5179.578668322542, epsilon: 9.055093693831028e-5, truth: 1.0004310337061639e-28 }, // prettier-ignore
  { rate: 0.20745731916842491, sigma: 6218.053320310806, epsilon: 0.0011068944283134305, truth: 1.2012624735368319e-246 }, // prettier-ignore
])("sigma $sigma, epsilon $epsilon", ({ rate, sigma, epsilon, truth }) => {
  const figure = delta(rate, sigma, epsilon);
  expect(figure).toBeGreaterThanOrEqual(truth);
  expect(figure).toBeLessThan(truth * (1 + 1e-10));
});

// At 60 digits, too: where nearly every task takes part, what is left out must not cancel.
test.each([
  { rate: 1, epsilon: 40, truth: 0.8147794377600817 },
  { rate: 0.999999999999, epsilon: 20, truth: 0.9975446819639296 },
  { rate: 0.999999, epsilon: 13, truth: 0.5574659727701277 },
])("the added task at rate $rate, epsilon $epsilon", ({ rate, epsilon, truth }) => {
  expect(sampledAddDelta({ rate, sigma: 0.1 }, epsilon) / truth).toBeCloseTo(1, 12);
});

test("a delta that is below all numbers is not called none", () => {
  // The threshold is a hundred standard deviations away.
  expect(delta(0.1, 1, 100)).toBeGreaterThan(0);
});
