/** Small matrices in plain TypeScript: what is left out of a product is zero. */
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  diagonal,
  lowerGram,
  multiply,
  scaledColumns,
  scaledOnSides,
  transpose,
} from "../../src/linalg/small-matrices.js";

const entries = fc.array(fc.double({ min: -1e3, max: 1e3, noNaN: true }), {
  minLength: 81,
  maxLength: 81,
});
const lower = (values: readonly number[], n: number) =>
  Float64Array.from({ length: n * n }, (_, at) =>
    at % n > Math.floor(at / n) ? 0 : values[at]! + 0,
  );

test("L^T L of a lower triangular L has the bits of the whole product", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 9 }), entries, (n, values) => {
      const l = lower(values, n);
      expect([...lowerGram(l, n)]).toEqual([...multiply(transpose(l, n, n), l, n, n, n)]);
    }),
  );
});

test("scaled columns, and both sides, are products with a diagonal matrix, both sides in the place of the matrix, too", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 9 }), entries, (n, values) => {
      // A zero is left out of a product, whose sign is then another.
      const a = Float64Array.from({ length: n * n }, (_, at) => values[at]! + 0);
      const factors = Float64Array.from({ length: n }, (_, c) => values[80 - c]! + 0);
      const scale = diagonal(factors);
      const columns = multiply(a, scale, n, n, n);
      const both = multiply(multiply(scale, a, n, n, n), scale, n, n, n);
      const plain = (all: Float64Array) => Array.from(all, (value) => value + 0);
      expect(plain(scaledColumns(a, factors))).toEqual(plain(columns));
      expect(plain(scaledOnSides(a, factors))).toEqual(plain(both));
      const place = a.slice();
      expect(scaledOnSides(place, factors, place)).toBe(place);
      expect(plain(place)).toEqual(plain(both));
    }),
  );
});
