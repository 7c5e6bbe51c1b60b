/** Four rows at a time: the bits of one row after the other, and the system solved. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { solveBoth } from "../../../../../src/learning/tasks/own-models/sparse/triangular-solves.js";

const number = fc.double({ min: -2, max: 2, noNaN: true });
const systems = fc.integer({ min: 1, max: 14 }).chain((n) =>
  fc.record({
    n: fc.constant(n),
    entries: fc.array(number, { minLength: n * n, maxLength: n * n }),
    right: fc.array(number, { minLength: n, maxLength: n }),
  }),
);

test("b <- (L L^T)^-1 b", () => {
  fc.assert(
    fc.property(systems, ({ n, entries, right }) => {
      const l = Float64Array.from(entries, (value, at) => {
        const [i, j] = [Math.floor(at / n), at % n];
        if (j > i) return NaN;
        return i === j ? 3 + Math.abs(value) : value / n;
      });
      const plain = Float64Array.from(right);
      for (let i = 0; i < n; i++) {
        for (let j = 0; j < i; j++) plain[i]! -= l[i * n + j]! * plain[j]!;
        plain[i]! /= l[i * n + i]!;
      }
      for (let i = n - 1; i >= 0; i--) {
        plain[i]! /= l[i * n + i]!;
        for (let j = 0; j < i; j++) plain[j]! -= l[i * n + j]! * plain[i]!;
      }
      const found = Float64Array.from(right);
      solveBoth(l, found, n);
      expect(found).toEqual(plain);
      const at = (i: number, j: number) => (j > i ? 0 : l[i * n + j]!);
      const indices = Array.from({ length: n }, (_, i) => i);
      for (const i of indices) {
        const product = indices.reduce(
          (sum, j) => sum + indices.reduce((all, k) => all + at(i, k) * at(j, k), 0) * found[j]!,
          0,
        );
        expect(product).toBeCloseTo(right[i]!, 9);
      }
    }),
    { seed: 4, numRuns: 80 },
  );
});
