/** Products of small matrices by the kernels are those of plain TypeScript. */
import { expect, test } from "vitest";
import { withCore } from "../../src/core/core.js";
import { congruence, product, triangularCongruence } from "../../src/linalg/kernel-products.js";
import { lowerTriangle, packedTriangle } from "../../src/linalg/packed-symmetric.js";
import { multiply, symmetric, transpose } from "../../src/linalg/small-matrices.js";

const numbers = (n: number, seed: number) =>
  Float64Array.from({ length: n }, (_, k) => Math.sin(seed + 7 * k) * 10 ** (k % 5));

// Below and above what pays, edges of tiles, and more terms than the kernels take in one go.
test.each([
  [3, 4, 5],
  [16, 16, 16],
  [30, 31, 31],
  [31, 30, 29],
  [1, 256, 40],
  [20, 300, 20],
])("to the bit: %i x %i x %i", (rows, inner, cols) => {
  const [a, b] = [numbers(rows * inner, 1), numbers(inner * cols, 2)];
  expect(product(a, b, rows, inner, cols)).toEqual(multiply(a, b, rows, inner, cols));
});

// Below and above what pays, and more terms than the kernels take in one go.
test.each([
  [3, 4],
  [16, 16],
  [31, 20],
  [20, 31],
  [5, 200],
  [20, 300],
])("B A B^T to the bit, B %i x %i", (rows, n) => {
  const [b, a] = [numbers(rows * n, 1), symmetric(numbers(n * n, 2), n)];
  const half = multiply(b, a, rows, n, n);
  const whole = multiply(half, transpose(b, rows, n), rows, n, rows);
  expect(congruence(b, a, rows, n)).toEqual(symmetric(whole, rows));
});

// Below and above what pays.
test.each([1, 2, 7, 15, 16, 31])("the triangle of L A L^T to the bit, order %i", (n) => {
  const l = lowerTriangle(numbers((n * (n + 1)) / 2, 1), n);
  const a = symmetric(numbers(n * n, 2), n);
  expect(triangularCongruence(l, a, n)).toEqual(packedTriangle(congruence(l, a, n, n), n));
});

test("a factor 0 passes over what is no number", () => {
  const n = 20;
  const [a, b] = [numbers(n * n, 1), numbers(n * n, 2)];
  b[0] = Infinity;
  for (let i = 0; i < n; i++) a[i * n] = 0;
  const found = product(a, b, n, n, n);
  expect(found).toEqual(multiply(a, b, n, n, n));
  expect(found.every(Number.isFinite)).toBe(true);
  expect(congruence(a, b, n, n).every(Number.isFinite)).toBe(true);
});

test("nothing stays in the kernels' memory", () => {
  const n = 32;
  const mark = withCore(({ arena }) => arena.mark());
  product(numbers(n * n, 1), numbers(n * n, 2), n, n, n);
  congruence(numbers(n * n, 1), numbers(n * n, 2), n, n);
  const left = withCore(({ arena }) => arena.view(mark, 8 * n * n).slice());
  expect(left.every((value) => value === 0)).toBe(true);
});
