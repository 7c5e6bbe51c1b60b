import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { multiply, randomMatrix, transposed } from "./matrices.js";
import {
  runColumnSquares,
  runGemm,
  runSingleProduct,
  runSpectralProduct,
  runSyrk,
  runTranspose,
} from "./run.js";

const EPS = 2 ** -52;

/** |got - want| <= 2 k eps sum |a| |b|, entry by entry: twice the bound of summing in any order. */
function expectProduct(
  got: Float64Array,
  a: Float64Array,
  b: Float64Array,
  m: number,
  k: number,
  n: number,
): void {
  const want = multiply(a, b, m, k, n);
  const bound = multiply(a.map(Math.abs), b.map(Math.abs), m, k, n);
  for (let i = 0; i < want.length; i++) {
    const error = Math.abs(got[i]! - want[i]!);
    if (!(error <= 2 * k * EPS * bound[i]!)) {
      throw new Error(
        `entry ${i} of ${m} x ${k} x ${n}: off by ${error}, allowed ${2 * k * EPS * bound[i]!}`,
      );
    }
  }
}

const sizes = [1, 2, 3, 4, 5, 7, 8, 9, 13, 30, 33];

describe("gemm", () => {
  test("agrees with plain loops at all small and odd sizes", () => {
    for (const m of sizes) {
      for (const k of sizes) {
        for (const n of sizes) {
          const a = randomMatrix(m, k, m + k);
          const b = randomMatrix(k, n, k * n);
          expectProduct(runGemm(a, b, m, k, n), a, b, m, k, n);
        }
      }
    }
  });

  test.each([
    [130, 257, 5],
    [3, 513, 1030],
    [129, 300, 131],
    [1, 600, 1],
  ])("agrees with plain loops across block borders: %i x %i x %i", (m, k, n) => {
    const a = randomMatrix(m, k, 5);
    const b = randomMatrix(k, n, 6);
    expectProduct(runGemm(a, b, m, k, n), a, b, m, k, n);
  });

  test("integers multiply exactly, so associativity holds to the bit", () => {
    const side = fc.integer({ min: 1, max: 12 });
    fc.assert(
      fc.property(side, side, side, side, fc.integer(), (m, k, l, n, seed) => {
        const whole = (r: number, c: number, s: number) =>
          randomMatrix(r, c, s).map((x) => Math.round(100 * x));
        const a = whole(m, k, seed);
        const b = whole(k, l, seed + 1);
        const c = whole(l, n, seed + 2);
        const left = runGemm(runGemm(a, b, m, k, l), c, m, l, n);
        const right = runGemm(a, runGemm(b, c, k, l, n), m, k, n);
        expect(left).toEqual(right);
      }),
      { numRuns: 60, seed: 7 },
    );
  });
});

describe("syrk", () => {
  test.each([
    [1, 1],
    [5, 3],
    [3, 5],
    [320, 30],
    [300, 37],
    [259, 130],
    [2, 261],
  ])("equals A^T A and is symmetric to the bit: %i x %i", (m, n) => {
    const a = randomMatrix(m, n, m * n);
    const c = runSyrk(a, m, n);
    expectProduct(c, transposed(a, m, n), a, n, m, n);
    expect(transposed(c, n, n)).toEqual(c);
  });

  // The path for narrow matrices has edges of its own: all remainders of n by 4, blocks of 256 rows.
  const NARROW_SIZES = [1, 2, 3, 4, 5, 6, 7, 8, 30, 63, 101, 102, 103, 104, 105];
  test.each([0, 1, 2, 63, 256, 257, 515])("has the bits of the general product: %i rows", (m) => {
    for (const n of NARROW_SIZES) {
      const a = randomMatrix(m, n, m + n);
      expect(runSyrk(a, m, n)).toEqual(runGemm(transposed(a, m, n), a, n, m, n));
    }
  });

  test("reads nothing past the end of the matrix", () => {
    for (const n of [3, 5, 6]) {
      const a = randomMatrix(9, n, n);
      expect(runSyrk(a, 9, n, { atEndOfMemory: true })).toEqual(runSyrk(a, 9, n));
    }
  });
});

describe("spectralProduct", () => {
  test.each([
    [1, 1],
    [7, 3],
    [30, 30],
    [33, 12],
    [140, 139],
  ])("equals U diag(s) U^T from plain loops: n = %i, r = %i", (n, r) => {
    const u = randomMatrix(n, r, n);
    const scales = randomMatrix(1, r, 3);
    const scaled = u.map((x, k) => x * scales[k % r]!);
    const got = runSpectralProduct(u, scales, n, r);
    expectProduct(got, scaled, transposed(u, n, r), n, r, n);
    expect(transposed(got, n, n)).toEqual(got);
  });

  test("no terms give zero", () => {
    expect(runSpectralProduct(randomMatrix(5, 5), new Float64Array(0), 5, 0)).toEqual(
      new Float64Array(25),
    );
  });
});

describe("transpose and columnSquares", () => {
  test.each([
    [1, 1],
    [1, 9],
    [9, 1],
    [8, 8],
    [17, 31],
    [64, 33],
  ])("%i x %i", (rows, cols) => {
    const a = randomMatrix(rows, cols, rows + cols);
    expect(runTranspose(a, rows, cols)).toEqual(transposed(a, rows, cols));
    const squares = runColumnSquares(a, rows, cols);
    for (let j = 0; j < cols; j++) {
      let sum = 0;
      for (let i = 0; i < rows; i++) sum += a[i * cols + j]! ** 2;
      expect(squares[j]).toBe(sum);
    }
  });
});

describe("products in single precision", () => {
  const cases = [
    [1, 1],
    [3, 7],
    [4, 8],
    [9, 67],
    [6, 300],
    [5, 777],
  ] as const;

  /** Lower triangle of A, and rows of X with sizes from 1e-200 to 1e200. */
  function given(m: number, d: number) {
    const triangle = Float32Array.from(randomMatrix(1, (d * (d + 1)) / 2, d));
    for (let j = 0; j < d; j++) triangle[(j * (j + 3)) / 2]! += 1;
    const x = randomMatrix(m, d, d + 1);
    for (let i = 0; i < m; i++) {
      for (let k = 0; k < d; k++) x[i * d + k]! *= [1, 1e200, 1e-200][i % 3]!;
    }
    return { triangle, x };
  }

  const entry = (triangle: Float32Array, i: number, j: number) =>
    triangle[(Math.max(i, j) * (Math.max(i, j) + 1)) / 2 + Math.min(i, j)]!;

  test.each(cases)("%i rows, order %i: within the bound of every entry", (m, d) => {
    const { triangle, x } = given(m, d);
    const out = runSingleProduct(x, triangle, m, d);
    for (let i = 0; i < m; i++) {
      for (let j = 0; j < d; j++) {
        let [exact, size] = [0, 0];
        for (let k = 0; k < d; k++) {
          exact += x[i * d + k]! * entry(triangle, k, j);
          size += Math.abs(x[i * d + k]! * (entry(triangle, k, j) - (k === j ? 1 : 0)));
        }
        const bound = (515 + d / 512) * 2 ** -24 * size + 1e-12 * Math.abs(x[i * d + j]!);
        expect(Math.abs(out[i * d + j]! - exact)).toBeLessThanOrEqual(bound);
      }
    }
  });

  test("a row's result does not depend on the others", () => {
    const { triangle, x } = given(6, 300);
    const all = runSingleProduct(x, triangle, 6, 300);
    for (let i = 0; i < 6; i++) {
      const own = runSingleProduct(x.slice(i * 300, (i + 1) * 300), triangle, 1, 300);
      expect(own).toEqual(all.slice(i * 300, (i + 1) * 300));
    }
  });

  test("the identity changes nothing, to the bit", () => {
    const { x } = given(5, 40);
    const identity = new Float32Array((40 * 41) / 2);
    for (let j = 0; j < 40; j++) identity[(j * (j + 3)) / 2] = 1;
    expect(runSingleProduct(x, identity, 5, 40)).toEqual(x);
  });
});
