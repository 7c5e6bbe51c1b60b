import fc from "fast-check";
import { expect, test } from "vitest";
import { mixtureQuantile } from "../../../../src/learning/fitted/posterior/normal-mixture.js";
import { normalCdf } from "../../../../src/privacy/accounting/special/erfc.js";

test("the quantile of one normal is that of the tables", () => {
  const one = { weights: [1], means: [3], variances: [4] };
  // 1.2815515655446004: the 90 % point of the standard normal.
  expect(mixtureQuantile(one, 0.9)).toBeCloseTo(3 + 2 * 1.2815515655446004, 9);
  expect(mixtureQuantile(one, 0.5)).toBeCloseTo(3, 9);
});

test("a mixture has the mass below its quantile", () => {
  const number = fc.double({ min: -50, max: 50, noNaN: true });
  const variance = fc.double({ min: 1e-3, max: 100, noNaN: true });
  fc.assert(
    fc.property(
      fc.array(fc.tuple(number, variance), { minLength: 2, maxLength: 5 }),
      fc.double({ min: 0.01, max: 0.99, noNaN: true }),
      (parts, p) => {
        const weights = parts.map(() => 1 / parts.length);
        const means = parts.map(([mean]) => mean);
        const variances = parts.map(([, v]) => v);
        const at = mixtureQuantile({ weights, means, variances }, p);
        const mass = (x: number) =>
          parts.reduce((sum, [mean, v]) => sum + normalCdf((x - mean) / Math.sqrt(v)), 0) /
          parts.length;
        expect(mass(at + 1e-6)).toBeGreaterThanOrEqual(p - 1e-9);
        expect(mass(at - 1e-6)).toBeLessThanOrEqual(p + 1e-9);
      },
    ),
    { seed: 3, numRuns: 100 },
  );
});
