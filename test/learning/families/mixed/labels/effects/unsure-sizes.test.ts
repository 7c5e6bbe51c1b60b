/** Effects of columns on whose sizes tasks voted: averaged over what the votes leave. */
import { expect, test } from "vitest";
import { overSizes } from "../../../../../../src/learning/families/mixed/labels/effects/unsure-sizes.js";

const clear = { value: 2, reckoned: 0.01, variance: 0.02, prior: 9 };

test("a size that is known leaves the posterior as it is", () => {
  const gain = 9 / 9.01;
  const { mean, variance } = overSizes(clear, 0);
  expect(mean).toBeCloseTo(2 * gain, 12);
  expect(variance).toBeCloseTo(gain ** 2 * 0.02 + (1 - gain) ** 2 * 9, 12);
});

test("an effect that is known but for the size is off by what the size may be", () => {
  // The effect is 2 / r^2, and r is off by a tenth.
  const { variance } = overSizes(clear, 0.1);
  expect(Math.sqrt(variance)).toBeGreaterThan(0.3);
  expect(Math.sqrt(variance)).toBeLessThan(0.6);
});

test("where nothing is known of size and effect, the error is as large as effects of the smallest size", () => {
  const { mean, variance } = overSizes({ value: 0, reckoned: 1e9, variance: 1e9, prior: 9 }, 1);
  expect(mean).toBe(0);
  // The mean of 9 exp(-2 s) over s = -2 .. 2 with the weights of a normal.
  const weights = [-2, -1, 0, 1, 2].map((s) => [s, Math.exp((-s * s) / 2)] as const);
  const whole = weights.reduce((sum, [, w]) => sum + w, 0);
  const wanted = weights.reduce((sum, [s, w]) => sum + (w / whole) * 9 * Math.exp(-2 * s), 0);
  expect(variance / wanted).toBeCloseTo(1, 4);
});
