/** Forms of packed triangles are those of the matrices; vectors are the same where every entry is. */
import { expect, test } from "vitest";
import { packedTriangle, quadraticForm, triangle } from "../../src/linalg/packed-symmetric.js";
import { sameEntries } from "../../src/linalg/same-entries.js";

test.each([0, 1, 2, 7])(
  "x^T A x of the second of two triangles, in whole numbers: order %i",
  (d) => {
    const a = Float64Array.from({ length: d * d }, (_, at) => {
      const [i, j] = [Math.floor(at / d), at % d];
      return ((i + j) % 5) - 2 * i * j;
    });
    const x = Float64Array.from({ length: d }, (_, i) => ((3 * i) % 7) - 2);
    let form = 0;
    for (let i = 0; i < d; i++) for (let j = 0; j < d; j++) form += x[i]! * a[i * d + j]! * x[j]!;
    const triangles = new Float64Array(2 * triangle(d)).fill(NaN);
    triangles.set(packedTriangle(a, d), triangle(d));
    expect(quadraticForm(triangles, x, triangle(d))).toBe(form);
    expect(quadraticForm(packedTriangle(a, d), x)).toBe(form);
  },
);

test("one other entry, also a NaN, makes vectors others", () => {
  expect(sameEntries(Float64Array.of(1, -0, 3), Float64Array.of(1, 0, 3))).toBe(true);
  expect(sameEntries(Float64Array.of(1, 2, 3), Float64Array.of(1, 2, 4))).toBe(false);
  expect(sameEntries(Float64Array.of(NaN), Float64Array.of(NaN))).toBe(false);
});
