import fc from "fast-check";
import { expect, test } from "vitest";
import type { MixedPrior } from "../../../../../src/learning/families/mixed/exchange.js";
import { alonePrior } from "../../../../../src/learning/families/mixed/squared/solve/hypotheses.js";
import { ALONE_PRIOR } from "../../../../../src/learning/families/mixed/squared/squared-settings.js";
import { diagonal } from "../../../../../src/linalg/small-matrices.js";

/** A shared prior of two slopes and an intercept, by variances. */
function prior({ effect = 1, spread = 0.1, error = 0, unsure = 0 }): MixedPrior {
  return {
    fixedEffects: Float64Array.of(effect, -effect, 0.3),
    stated: () => ({ fixedEffectsCovariance: diagonal([error, error, 0.2]) }),
    releaseCovariance: diagonal([error, error, 0.2]),
    covariance: diagonal([spread, spread, 0.5]),
    noise: 0.3,
    unsure: diagonal([unsure, unsure, unsure]),
  };
}

const { base, unsure, effects, most, rows } = ALONE_PRIOR;

test("of few rows: the base where all is sure, and what is left over where nothing is", () => {
  expect(alonePrior(prior({}))(0)).toBeCloseTo(base, 12);
  // The whole prior deviation of each logarithm is 1.5.
  expect(alonePrior(prior({ unsure: 1.5 ** 2 }))(0)).toBeCloseTo(base + unsure, 12);
  expect(alonePrior(prior({ effect: 0, spread: 0, error: 1 }))(0)).toBeCloseTo(base + effects, 12);
  // A half of the slopes' second moment is error: 2 x 0.5 of 2 x (0.3 + 0.2 + 0.5), whatever the intercept's.
  const half = prior({ effect: Math.sqrt(0.2), spread: 0.3, error: 0.5 });
  expect(alonePrior(half)(0)).toBeCloseTo(base + effects / 4, 12);
});

test("with the rows up to the most, and half of the way at so many rows", () => {
  expect(alonePrior(prior({}))(rows)).toBeCloseTo((base + most) / 2, 12);
  expect(alonePrior(prior({}))(1e6)).toBeCloseTo(most, 9);
});

test("a weight, and no smaller of more error, more that is unsure, or more rows", () => {
  const figure = fc.double({ min: 0, max: 5, noNaN: true });
  const given = fc.record({ effect: figure, spread: figure, error: figure, unsure: figure });
  fc.assert(
    fc.property(given, fc.integer({ min: 0, max: 500 }), figure, (one, n, more) => {
      const weight = alonePrior(prior(one))(n);
      expect(weight).toBeGreaterThan(0);
      expect(weight).toBeLessThan(1);
      const least = weight - 1e-12;
      expect(alonePrior(prior({ ...one, error: one.error + more }))(n)).toBeGreaterThanOrEqual(least); // prettier-ignore
      expect(alonePrior(prior({ ...one, unsure: one.unsure + more }))(n)).toBeGreaterThanOrEqual(least); // prettier-ignore
      expect(alonePrior(prior(one))(n + 10)).toBeGreaterThanOrEqual(least);
    }),
    { seed: 21, numRuns: 300 },
  );
});
