import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cholesky, eigh, gemm, sampleWishart, svd, syrk } from "../../src/linalg.js";

const f64 = (...values: number[]) => Float64Array.from(values);

describe("mp-mtl/linalg", () => {
  test("values by hand", () => {
    expect([...gemm(f64(1, 2, 3, 4), f64(5, 6, 7, 8), 2, 2, 2)]).toEqual([19, 22, 43, 50]);
    expect([...syrk(f64(1, 2, 3, 4, 5, 6), 3, 2)]).toEqual([35, 44, 44, 56]);
    expect([...cholesky(f64(4, 2, 2, 2), 2)]).toEqual([2, 0, 1, 1]);
    const { values, vectors } = eigh(f64(2, 1, 1, 2), 2);
    expect(values[0]).toBeCloseTo(3, 14);
    expect(values[1]).toBeCloseTo(1, 14);
    expect(Math.abs(vectors[0]!)).toBeCloseTo(Math.SQRT1_2, 14);
    expect(vectors[1]).toBeCloseTo(-vectors[3]!, 14);
    const { u, s, v } = svd(f64(3, 0, 0, 0, 4, 0), 2, 3);
    expect([...s]).toEqual([4, 3]);
    expect(u).toHaveLength(4);
    expect(v).toHaveLength(6);
    expect(Math.abs(v[2]!)).toBe(1);
  });

  test("a seeded Wishart draw is positive definite and repeats", () => {
    const draw = () =>
      sampleWishart(
        { mode: "seeded", seed: "linalg" },
        { dimension: 5, degreesOfFreedom: 6, scale: 1 },
      );
    const s = draw();
    expect(eigh(s, 5).values[4]).toBeGreaterThan(0);
    expect(draw()).toEqual(s);
  });

  test("asymmetry within rounding is averaged away", () => {
    const n = 70;
    const a = Float64Array.from({ length: n * n }, (_, at) =>
      Math.abs((at % n) - Math.floor(at / n)),
    );
    const bent = a.map((x, at) => x + (at % n > at / n ? 3e-11 : -3e-11));
    const exact = eigh(a, n).values;
    eigh(bent, n).values.forEach((value, j) => {
      // 4e-11; one triangle alone would move the largest by about 3e-11 n = 2e-9.
      expect(Math.abs(value - exact[j]!)).toBeLessThan(100 * 2 ** -52 * exact[0]!);
    });
  });

  test("arguments stay as they were", () => {
    const a = f64(2, 1, 1, 2);
    eigh(a, 2);
    svd(a, 2, 2);
    cholesky(a, 2);
    expect([...a]).toEqual([2, 1, 1, 2]);
  });

  test("names what it refuses", () => {
    expect(() => gemm(f64(1), f64(1, 2), 1, 1, 1)).toThrow("b: expected 1 x 1 = 1 entries, got 2");
    expect(() => gemm(f64(1), f64(NaN), 1, 1, 1)).toThrow(
      "b: expected finite entries, row 0 column 0",
    );
    expect(() => syrk(f64(1, 2, Infinity, 4), 2, 2)).toThrow("row 1 column 0 is not");
    expect(() => syrk(f64(1), 1.5, 1)).toThrow("rows: expected an integer from 1");
    expect(() => svd(f64(), 0, 3)).toThrow("rows: expected an integer from 1");
    expect(() => eigh(f64(1, 2, 3, 4), 2)).toThrow("row 0 column 1 differs from row 1 column 0");
    expect(() => cholesky(f64(1, 2, 2, 1), 2)).toThrow("pivot 2 of 2 is not positive");
    expect(() => eigh([1] as unknown as Float64Array, 1)).toThrow(TypeError);
  });
});

/** Matrices with entries in [-1, 1] of a size drawn from 1 to 12. */
const entries = (length: number) =>
  fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: length, maxLength: length });
const square = fc
  .integer({ min: 1, max: 12 })
  .chain((n) => fc.tuple(fc.constant(n), entries(n * n)));
const rectangle = fc
  .tuple(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 12 }))
  .chain(([rows, cols]) => fc.tuple(fc.constant(rows), fc.constant(cols), entries(rows * cols)));
const settings = { numRuns: 100, seed: 20 };

function symmetrised(n: number, a: number[]): Float64Array {
  return Float64Array.from(a, (x, at) => (x + a[(at % n) * n + Math.floor(at / n)]!) / 2);
}

/** The [rows, cols] transpose of a [cols, rows]. */
function turned(a: ArrayLike<number>, rows: number, cols: number): Float64Array {
  return Float64Array.from(
    { length: rows * cols },
    (_, at) => a[(at % cols) * rows + Math.floor(at / cols)]!,
  );
}

describe("laws", () => {
  test("adding c I moves every eigenvalue by c; their sum is the trace", () => {
    fc.assert(
      fc.property(square, fc.double({ min: -3, max: 3, noNaN: true }), ([n, list], c) => {
        const a = symmetrised(n, list);
        const { values } = eigh(a, n);
        const shifted = eigh(
          a.map((x, at) => (at % (n + 1) === 0 ? x + c : x)),
          n,
        ).values;
        let trace = 0;
        for (let i = 0; i < n; i++) {
          trace += a[i * (n + 1)]! - values[i]!;
          expect(Math.abs(shifted[i]! - values[i]! - c)).toBeLessThan(1e-13);
        }
        expect(Math.abs(trace)).toBeLessThan(1e-13);
      }),
      settings,
    );
  });

  test("a matrix and its transpose have the same singular values, U and V exchanged", () => {
    fc.assert(
      fc.property(rectangle, ([rows, cols, list]) => {
        const a = Float64Array.from(list);
        const r = Math.min(rows, cols);
        const one = svd(a, rows, cols);
        const other = svd(turned(a, cols, rows), cols, rows);
        const sizes = [one.u, one.v, other.u, other.v].map((x) => x.length);
        expect(sizes).toEqual([rows * r, cols * r, cols * r, rows * r]);
        for (let j = 0; j < r; j++) expect(Math.abs(one.s[j]! - other.s[j]!)).toBeLessThan(1e-13);
      }),
      settings,
    );
  });

  test("A A^T is symmetric to the bit; A^T A has the squares of A's singular values", () => {
    fc.assert(
      fc.property(rectangle, ([rows, cols, list]) => {
        const a = Float64Array.from(list);
        const at = turned(a, cols, rows);
        const left = turned(gemm(a, at, rows, cols, rows), rows, rows);
        expect(left).toEqual(gemm(a, at, rows, cols, rows));
        const gram = syrk(a, rows, cols);
        const { s } = svd(a, rows, cols);
        const { values } = eigh(gram, cols);
        for (let j = 0; j < s.length; j++) {
          expect(Math.abs(values[j]! - s[j]! ** 2)).toBeLessThan(1e-12);
        }
      }),
      settings,
    );
  });

  test("the Cholesky factor of L L^T is L", () => {
    fc.assert(
      fc.property(square, ([n, list]) => {
        const l = Float64Array.from(list, (x, at) => {
          const [i, j] = [Math.floor(at / n), at % n];
          return i === j ? 1 + Math.abs(x) : i > j ? x / 4 : 0;
        });
        const product = gemm(l, turned(l, n, n), n, n, n);
        const got = cholesky(product, n);
        got.forEach((x, at) => {
          expect(Math.abs(x - l[at]!)).toBeLessThan(1e-11);
        });
      }),
      settings,
    );
  });
});
