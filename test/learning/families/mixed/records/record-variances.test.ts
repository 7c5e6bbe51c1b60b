/** Variances from figures that are exactly what these variances give. */
import { expect, test } from "vitest";
import { weightedSizes } from "../../../../../src/learning/families/mixed/weighted-sizes.js";
import { recordVariances } from "../../../../../src/learning/families/mixed/records/record-variances.js";
import type { NoisyMeans } from "../../../../../src/learning/families/mixed/records/record-means.js";

const [m, meanRows] = [1_000_000, 8];

function meansOf(size: number, gram: readonly number[]): NoisyMeans {
  return {
    size,
    around: new Float64Array(size),
    gram: Float64Array.from(gram),
    doubt: new Float64Array(size * size),
    cross: new Float64Array(size),
    square: 1,
    deviation: 0,
    count: m * meanRows,
    samples: m * meanRows,
  };
}

test.each([
  [0.04, 0.3],
  [0.16, 0.1],
  [0.01, 0.9],
])("slopes have %d of what is left, intercepts %d", (slopePart, interceptPart) => {
  // One feature of mean .9 and variance .19, so that its products with the constant matter.
  const [mean, square] = [0.9, 1];
  const [rows, pairs] = [meansOf(2, [square, mean, mean, 1]), meansOf(1, [square - mean ** 2])];
  const [slopes, intercept] = [slopePart / square, interceptPart];
  const noise = 1 - slopePart - interceptPart;
  // A task's v is its sums over rows of r (1, x) / sqrt(n), r of mean b + s x and variance of the noise.
  const sums = (products: number, other: number) => noise * products + meanRows * other;
  const found = recordVariances({
    rows,
    pairs,
    features: 1,
    deviation: 0,
    of: weightedSizes({ m, d: 1, rows: m * meanRows, mostRows: meanRows }, undefined),
    effects: {
      effects: new Float64Array(2),
      error: new Float64Array(4),
      residual: 1,
      released: { residual: 1, within: noise + slopes * (square - mean ** 2) },
    },
    between: Float64Array.of(
      m * sums(1, intercept + slopes * mean ** 2),
      m * sums(square, intercept * mean ** 2 + slopes * square ** 2),
    ),
  });
  expect(found.slopes / slopes).toBeCloseTo(1, 3);
  expect(found.intercept / intercept).toBeCloseTo(1, 3);
  expect(found.noise / noise).toBeCloseTo(1, 3);
  expect(Math.max(...found.unsure.map(Math.abs))).toBeLessThan(1e-3);
});
