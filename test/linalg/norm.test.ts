/** Norms, and vectors held to one: by a closed form, and as a projection onto a ball. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { clippedTo, norm } from "../../src/linalg/norm.js";

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
  for (const bad of [NaN, Infinity, -Infinity, 1e200]) {
    expect(clippedTo(Float64Array.of(1, bad), 2)).toEqual(Float64Array.of(0, 0));
  }
});
