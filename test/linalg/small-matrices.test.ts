/** Small matrices in plain TypeScript: what is left out of a product is zero. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { lowerGram, multiply, transpose } from "../../src/linalg/small-matrices.js";

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
