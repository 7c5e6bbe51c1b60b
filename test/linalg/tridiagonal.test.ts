/**
 * Systems by the tridiagonal form, against Cholesky factors of the same matrices.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { cholesky, syrk } from "../../src/linalg/index.js";
import { TridiagonalForm } from "../../src/linalg/tridiagonal.js";

const cases = fc
  .record({ n: fc.integer({ min: 1, max: 70 }), rank: fc.integer({ min: 1, max: 80 }) })
  .chain(({ n, rank }) => {
    const entry = fc.integer({ min: -64, max: 64 }).map((value) => value / 16);
    return fc.record({
      n: fc.constant(n),
      rank: fc.constant(rank),
      rows: fc.array(entry, { minLength: n * rank, maxLength: n * rank }),
      b: fc.array(entry, { minLength: n, maxLength: n }),
      shift: fc.constantFrom(1e-3, 1, 1e3),
    });
  });

test("solutions and determinants of A + shift I", () => {
  fc.assert(
    fc.property(cases, ({ n, rank, rows, b, shift }) => {
      const a = syrk(Float64Array.from(rows), rank, n);
      const form = new TridiagonalForm(a, n);
      const found = form.solve(shift, form.turned(Float64Array.from(b)))!;
      const x = form.turnedBack(found.z);
      const size = Math.max(...a.map(Math.abs), shift) * Math.max(...x.map(Math.abs), 1);
      for (let i = 0; i < n; i++) {
        let sum = shift * x[i]!;
        for (let j = 0; j < n; j++) sum += a[i * n + j]! * x[j]!;
        expect(Math.abs(sum - b[i]!)).toBeLessThan(1e-13 * n * size);
      }
      const shifted = a.map((value, k) => value + (k % (n + 1) === 0 ? shift : 0));
      const l = cholesky(shifted, n);
      let log = 0;
      for (let i = 0; i < n; i++) log += 2 * Math.log(l[i * (n + 1)]!);
      expect(found.logDeterminant).toBeCloseTo(log, 6);
    }),
    { numRuns: 40, seed: 5 },
  );
});

test("a matrix that is not positive definite has no solution; zeros have", () => {
  const form = new TridiagonalForm(Float64Array.of(1, 2, 2, 1), 2);
  expect(form.solve(0, Float64Array.of(1, 1))).toBeUndefined();
  const zero = new TridiagonalForm(new Float64Array(9), 3);
  expect(zero.solve(2, Float64Array.of(2, 4, 6))?.z).toEqual(Float64Array.of(1, 2, 3));
});
