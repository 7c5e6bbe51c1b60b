/** Small matrices in plain TypeScript: what is left out of a product is zero. */
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  diagonal,
  lowerGram,
  multiply,
  quadratic,
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

test("a product has the bits of sums in the order of their terms, and passes over what a zero multiplies", () => {
  const size = fc.integer({ min: 1, max: 9 });
  fc.assert(
    fc.property(size, size, size, entries, (rows, inner, cols, values) => {
      const a = Float64Array.from({ length: rows * inner }, (_, at) => (at % 5 ? values[at]! : 0));
      const b = Float64Array.from({ length: inner * cols }, (_, at) => values[80 - at]!);
      // Row 0 of B is met by a zero alone.
      for (let i = 0; i < rows; i++) a[i * inner] = 0;
      b.fill(NaN, 0, cols);
      const want = Array.from({ length: rows * cols }, (_, at) => {
        const [i, j] = [Math.floor(at / cols), at % cols];
        let sum = 0;
        for (let k = 1; k < inner; k++) {
          const factor = a[i * inner + k]!;
          if (factor !== 0) sum += factor * b[k * cols + j]!;
        }
        return sum;
      });
      expect([...multiply(a, b, rows, inner, cols, new Float64Array(rows * cols).fill(7))]).toEqual(
        want,
      );
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

test("x^T A x of a matrix that is not symmetric", () => {
  const moved = new Float64Array(2);
  expect(quadratic(Float64Array.of(2, 3, 5, 7), Float64Array.of(10, -1), moved)).toBe(127);
  expect(moved).toEqual(Float64Array.of(17, 43));
});
