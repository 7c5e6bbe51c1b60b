/** The posterior of coefficients under a mixture of normals: exact sums of squares leave no variance below rounding. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { mixturePosterior } from "../../../../src/learning/families/mixed/scale-mixture.js";
import { diagonal } from "../../../../src/linalg/small-matrices.js";

test("is the likelihood's own where that is sure of every coefficient, however sure", () => {
  const scales = Float64Array.of(2, 2, 3);
  const cases = fc.record({
    power: fc.integer({ min: 8, max: 20 }),
    means: fc.array(fc.double({ min: -2, max: 2, noNaN: true }), { minLength: 3, maxLength: 3 }),
    ratios: fc.array(fc.double({ min: 0.1, max: 50, noNaN: true }), { minLength: 3, maxLength: 3 }),
  });
  fc.assert(
    fc.property(cases, ({ power, means, ratios }) => {
      const told = ratios.map((ratio) => ratio * 10 ** power);
      const pull = Float64Array.from(told, (precision, c) => precision * means[c]!);
      const { mean, error } = mixturePosterior({ precision: diagonal(told), pull }, scales);
      // Beside the largest precision the least one is known to the factorization's jitter.
      const most = Math.max(...told);
      told.forEach((precision, c) => {
        const jitter = (1e-9 * most) / precision;
        expect(Math.abs(mean[c]! - means[c]!)).toBeLessThan(1e-5 + 2 * jitter);
        expect(Math.abs(error[c * 4]! * precision - 1)).toBeLessThan(1e-4 + jitter);
      });
    }),
    { seed: 6, numRuns: 200 },
  );
});
