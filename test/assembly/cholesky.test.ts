import { describe, expect, test } from "vitest";
import { difference, multiply, norm, randomMatrix, symmetric, transposed } from "./matrices.js";
import { runCholesky, runCholeskySolve, runSyrk } from "./run.js";

const EPS = 2 ** -52;

function positiveDefinite(n: number, seed: number): Float64Array {
  const a = runSyrk(randomMatrix(n + 3, n, seed), n + 3, n);
  for (let i = 0; i < n; i++) a[i * n + i]! += 0.1;
  return a;
}

describe("cholesky", () => {
  test.each([1, 2, 3, 5, 8, 30, 33, 64, 101, 200])("L L^T = A, n = %i", (n) => {
    const a = positiveDefinite(n, n);
    const { code, l } = runCholesky(a, n);
    expect(code).toBe(0);
    for (let i = 0; i < n; i++) {
      expect(l[i * n + i]).toBeGreaterThan(0);
      for (let j = i + 1; j < n; j++) expect(l[i * n + j]).toBe(0);
    }
    const product = multiply(l, transposed(l, n, n), n, n, n);
    expect(norm(difference(product, a)) / norm(a)).toBeLessThan(Math.sqrt(n) * 4 * EPS);
  });

  test("known factor: A_ij = min(i, j) + 1 has L all ones", () => {
    const n = 40;
    const { l } = runCholesky(
      symmetric(n, (i, j) => Math.min(i, j) + 1),
      n,
    );
    expect([...l]).toEqual([...symmetric(n, () => 1).map((x, k) => (k % n <= k / n ? x : 0))]);
  });

  test.each([1, 2, 3, 29, 30, 31, 34, 101])("no row below the last is read, n = %i", (n) => {
    const a = positiveDefinite(n, n);
    expect(runCholesky(a, n, { atEndOfMemory: true })).toEqual(runCholesky(a, n));
  });

  test.each([
    [1, 80],
    [4, 80],
    [17, 80],
    [32, 80],
    [33, 80],
    [70, 80],
    [81, 83],
    [82, 83],
    [83, 83],
  ])("names the first pivot that is not positive: %i of %i", (bad, n) => {
    const a = symmetric(n, (i, j) => (i === j ? 1 : 0));
    a[(bad - 1) * (n + 1)] = -1;
    expect(runCholesky(a, n).code).toBe(bad);
    a[(bad - 1) * (n + 1)] = NaN;
    expect(runCholesky(a, n).code).toBe(bad);
  });
});

describe("choleskySolve", () => {
  test.each([
    [1, 1],
    [5, 1],
    [30, 1],
    [30, 7],
    [65, 64],
    [101, 3],
  ])("A X = B to backward accuracy: n = %i, %i right-hand sides", (n, nrhs) => {
    const a = positiveDefinite(n, n);
    const b = randomMatrix(n, nrhs, 2);
    const x = runCholeskySolve(runCholesky(a, n).l, b, n, nrhs);
    const residual = norm(difference(multiply(a, x, n, n, nrhs), b));
    expect(residual / (norm(a) * norm(x))).toBeLessThan(8 * n * EPS);
  });
});
