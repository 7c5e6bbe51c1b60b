import { describe, expect, test } from "vitest";
import { taskRelationship } from "../../../src/learning/fitted/relationship.js";
import { gemm, svd } from "../../../src/linalg/index.js";
import { randomMatrix } from "../../assembly/matrices.js";

const [m, d] = [150, 140];

/** Models of given singular values but for the angles between directions, which are random. */
function models(sizes: readonly number[]): Float64Array {
  const r = sizes.length;
  const along = randomMatrix(m, r, 1).map((x, k) => x * sizes[k % r]!);
  return gemm(along, randomMatrix(r, d, 2), m, r, d);
}

/** U diag(s) U^T / tr s, by the decomposition of all directions. */
function byAllDirections(weights: Float64Array): Float64Array {
  const { u, s } = svd(weights, m, d);
  const trace = s.reduce((a, b) => a + b, 0);
  const scaled = u.map((x, k) => (x * s[k % d]!) / trace);
  const transposed = Float64Array.from(
    { length: d * m },
    (_, k) => u[(k % m) * d + Math.floor(k / m)]!,
  );
  return gemm(scaled, transposed, m, d, m);
}

describe("taskRelationship", () => {
  test.each([
    ["one direction", [1]],
    ["a few", [1, 1, 1, 1]],
    ["falling, so that squares do not show all", [1, 1e-3, 1e-6, 1e-9]],
    ["falling over many orders", Array.from({ length: 12 }, (_, k) => 0.04 ** k)],
    ["a quarter of all", Array.from({ length: d / 4 }, () => 1)],
    ["all", Array.from({ length: d }, () => 1)],
  ])("of models in %s is that of all directions", (_, sizes) => {
    const weights = models(sizes);
    const want = byAllDirections(weights);
    const got = taskRelationship(weights, m, d);
    const apart = got.reduce((most, x, k) => Math.max(most, Math.abs(x - want[k]!)), 0);
    expect(apart).toBeLessThan(1e-14);
  });

  test.each([1e200, 1e-200])("models of size %f, whose squares leave the double range", (size) => {
    const weights = models([1, 1]);
    const want = taskRelationship(weights, m, d);
    const got = taskRelationship(
      weights.map((x) => x * size),
      m,
      d,
    );
    got.forEach((x, k) => expect(x).toBeCloseTo(want[k]!, 14));
  });
});
