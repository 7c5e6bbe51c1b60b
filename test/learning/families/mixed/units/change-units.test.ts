/** A change of units takes the numbers of its map that are not zero: what it makes is what the whole matrices make. */
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  changedPoints,
  changedTriangles,
} from "../../../../../src/learning/families/mixed/units/change-units.js";
import { packedTriangle, triangle } from "../../../../../src/linalg/packed-symmetric.js";
import {
  apply,
  diagonal,
  multiply,
  symmetric,
  transpose,
} from "../../../../../src/linalg/small-matrices.js";

const numbers = (length: number) =>
  fc
    .array(fc.double({ min: -1e3, max: 1e3, noNaN: true }), {
      minLength: length,
      maxLength: length,
    })
    .map((values) => Float64Array.from(values, (value) => value + 0));

/** A map of d coordinates, two points and two covariances. */
const drawn = fc.integer({ min: 1, max: 9 }).chain((d) =>
  fc.record({
    factors: numbers(d),
    constant: numbers(d),
    shift: numbers(d),
    points: numbers(2 * d),
    triangles: numbers(2 * triangle(d)),
  }),
);

/** The symmetric matrix of a lower triangle. */
const symmetricOf = (lower: Float64Array, d: number) =>
  Float64Array.from({ length: d * d }, (_, at) => {
    const [i, j] = [Math.floor(at / d), at % d];
    return lower[triangle(Math.max(i, j)) + Math.min(i, j)]!;
  });

/** -0 is 0. */
const bits = (values: Float64Array) => Array.from(values, (value) => value + 0);

test("points and covariances have the bits of the products of whole matrices", () => {
  fc.assert(
    fc.property(drawn, ({ factors, constant, shift, points, triangles }) => {
      const d = factors.length;
      constant[d - 1] = factors[d - 1]!;
      const change = { factors, constant, shift };
      const map = diagonal(factors);
      map.set(constant, (d - 1) * d);
      const [movedPoints, movedTriangles] = [
        changedPoints(change, points),
        changedTriangles(change, triangles),
      ];
      for (const k of [0, 1]) {
        const moved = apply(map, points.subarray(k * d, (k + 1) * d), d, d);
        const point = movedPoints.subarray(k * d, (k + 1) * d);
        expect(bits(point)).toEqual(bits(moved.map((value, c) => value + shift[c]!)));
        const own = (all: Float64Array) => all.subarray(k * triangle(d), (k + 1) * triangle(d));
        const half = multiply(map, symmetricOf(own(triangles), d), d, d, d);
        const whole = symmetric(multiply(half, transpose(map, d, d), d, d, d), d);
        expect(bits(own(movedTriangles))).toEqual(bits(packedTriangle(whole, d)));
      }
    }),
    { seed: 5 },
  );
});
