/** Norms, and vectors held to one: by a closed form, and as a projection onto a ball. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { clippedTo, norm, withSafeSquares } from "../../src/linalg/norm.js";
import { rounding, vectorOf } from "../magnitudes.js";

test("the norm of a Pythagorean triple", () => {
  expect(norm(Float64Array.of(3, -4))).toBe(5);
  expect(norm(new Float64Array(0))).toBe(0);
});

test("a clipped vector keeps its direction, and its bits where it is within the bound", () => {
  const vectors = fc.array(fc.double({ min: -1e6, max: 1e6, noNaN: true }), { maxLength: 9 });
  fc.assert(
    fc.property(vectors, fc.double({ min: 1e-3, max: 1e6, noNaN: true }), (entries, most) => {
      const v = Float64Array.from(entries);
      const clipped = clippedTo(v, most);
      const length = norm(v);
      if (length <= most) expect(clipped).toEqual(v);
      expect(norm(clipped)).toBeLessThanOrEqual(most * (1 + 1e-12));
      const factor = Math.min(1, most / length);
      clipped.forEach((x, j) => expect(x).toBeCloseTo(factor * v[j]!, 6));
    }),
    { seed: 11 },
  );
});

test("what is not finite becomes zeros, so that no upload is unbounded", () => {
  for (const bad of [NaN, Infinity, -Infinity]) {
    expect(clippedTo(Float64Array.of(1, bad), 2)).toEqual(Float64Array.of(0, 0));
    expect(clippedTo(Float64Array.of(1, bad), Infinity)).toEqual(Float64Array.of(0, 0));
  }
  expect([norm(Float64Array.of(1, -Infinity)), norm(Float64Array.of(1, NaN))]).toEqual([Infinity, NaN]); // prettier-ignore
});

describe("of every magnitude", () => {
  const bounds = vectorOf({ minLength: 1, maxLength: 1 }).map(([x]) => Math.abs(x!));

  test("a norm is that of the host, which scales", () => {
    fc.assert(
      fc.property(vectorOf({ minLength: 1, maxLength: 9 }), (v) => {
        const expected = Math.hypot(...v);
        expect(norm(v)).toBeLessThanOrEqual(expected * (1 + 1e-14) + 5e-324);
        expect(norm(v)).toBeGreaterThanOrEqual(expected * (1 - 1e-14) - 5e-324);
      }),
      { seed: 12, numRuns: 2000 },
    );
  });

  test("a clipped vector is within the bound, or has the bits of what was given", () => {
    fc.assert(
      fc.property(vectorOf({ minLength: 1, maxLength: 9 }), bounds, (v, most) => {
        const clipped = clippedTo(v, most);
        const length = Math.hypot(...v);
        expect(Math.hypot(...clipped)).toBeLessThanOrEqual(most * rounding(v.length));
        if (length < most * (1 - 1e-12)) expect(clipped).toEqual(v);
        // It is the projection: a longer one reaches the bound.
        if (length > most && most > 1e-285)
          expect(Math.hypot(...clipped) / most).toBeCloseTo(1, 12);
      }),
      { seed: 13, numRuns: 2000 },
    );
  });

  test("what is safe to square is a multiple", () => {
    fc.assert(
      fc.property(vectorOf({ minLength: 1, maxLength: 9 }), (v) => {
        const safe = withSafeSquares(v);
        if (v.every((x) => x === 0)) {
          expect(safe).toBeUndefined();
          return;
        }
        const square = safe!.reduce((sum, x) => sum + x * x, 0);
        expect(square).toBeGreaterThan(1e-281);
        expect(square).toBeLessThan(1e301);
        const [a, b] = [Math.hypot(...v), Math.hypot(...safe!)];
        if (a > 1e-300 && a < 1e300) safe!.forEach((x, j) => expect(x / b).toBeCloseTo(v[j]! / a, 12)); // prettier-ignore
      }),
      { seed: 14, numRuns: 1000 },
    );
  });
});
