/** Discrete noise on a grid as coarse as is allowed, of many entries: its price is of the size of what it is added to. */
import { expect, test } from "vitest";
import { deltaOf, discreteGaussianEvent } from "../../../src/privacy/index.js";

test("what a delta grows by holds for the part of it that the grid adds, too", () => {
  // s = 4 steps: t1 = n / (8 s^2) = 705, so that e^t1 beta, beta = e^-700 at eps, is no delta at all.
  const event = discreteGaussianEvent({
    sigma: 4 * Math.SQRT2 * (1 + 1e-12),
    grid: 1,
    entries: 705 * 128,
    sensitivity: 1e-3,
  });
  expect(deltaOf([event], { epsilon: 1e5, accountant: "gdp" })).toBe(1);
});
