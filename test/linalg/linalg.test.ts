import { describe, expect, test } from "vitest";
import { cholesky, eigh, gemm, svd, syrk } from "../../src/linalg.js";

const f64 = (...values: number[]) => Float64Array.from(values);

describe("mp-mtl/linalg", () => {
  test("values by hand", () => {
    expect([...gemm(f64(1, 2, 3, 4), f64(5, 6, 7, 8), 2, 2, 2)]).toEqual([19, 22, 43, 50]);
    expect([...syrk(f64(1, 2, 3, 4, 5, 6), 3, 2)]).toEqual([35, 44, 44, 56]);
    expect([...cholesky(f64(4, 2, 2, 2), 2)]).toEqual([2, 0, 1, 1]);
    const { values, vectors } = eigh(f64(2, 1, 1, 2), 2);
    expect(values[0]).toBeCloseTo(3, 14);
    expect(values[1]).toBeCloseTo(1, 14);
    expect(Math.abs(vectors[0])).toBeCloseTo(Math.SQRT1_2, 14);
    expect(vectors[1]).toBeCloseTo(-vectors[3], 14);
    const { u, s, v } = svd(f64(3, 0, 0, 0, 4, 0), 2, 3);
    expect([...s]).toEqual([4, 3]);
    expect(u).toHaveLength(4);
    expect(v).toHaveLength(6);
    expect(Math.abs(v[2])).toBe(1);
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
