/** Sharing rules: what passes, by the definition of their penalties. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { openCore } from "../../../src/core/index.js";
import { readFactored } from "../../../src/learning/sharing/factored.js";
import { groupSparseRule } from "../../../src/learning/sharing/group-sparse.js";
import { factoredLowRankRule, lowRankRule } from "../../../src/learning/sharing/low-rank.js";

const d = 6;
const square = fc.oneof(fc.constant(0), fc.double({ min: 0, max: 9, noNaN: true }));

/** max(0, 1 - threshold / length) of a group of squared length s. */
const factorOf = (s: number, threshold: number) =>
  s > 0 ? Math.max(0, 1 - threshold / Math.sqrt(s)) : 0;

test("features pass by how long they are, those below the threshold not; the rank counts those that do", () => {
  const core = openCore();
  fc.assert(
    fc.property(
      fc.array(square, { minLength: d, maxLength: d }),
      fc.constantFrom(0.3, 1, 2),
      (squares, threshold) => {
        const rule = groupSparseRule(threshold).prepare({ core, m: 3, d });
        const [at, out] = [core.arena.copyOf(Float64Array.from(squares)), core.arena.f64(d)];
        const { rank } = rule(at, out, 1);
        const expected = squares.map((s) => factorOf(s, threshold));
        expected.forEach((value, j) => expect(core.arena.view(out, d)[j]).toBeCloseTo(value, 12));
        expect(rank).toBe(expected.filter((value) => value > 0).length);
      },
    ),
    { numRuns: 50, seed: 5 },
  );
});

test.each([
  ["some", [9, 4, 1, 0.5, 0, 0], 3],
  ["all", [9, 4, 1, 9, 2, 3], 6],
])("directions pass by how far the models reach along them, %s of them", (_, squares, most) => {
  const core = openCore();
  const threshold = 0.8;
  const rule = lowRankRule(threshold).prepare({ core, m: 3, d });
  const matrix = new Float64Array(d * d);
  squares.forEach((value, j) => (matrix[j * (d + 1)] = value));
  const [at, out] = [core.arena.copyOf(matrix), core.arena.f64(d * d)];
  const { rank } = rule(at, out, 1);
  const expected = squares.map((s) => factorOf(s, threshold));
  core.arena.view(out, d * d).forEach((value, k) => {
    expect(value).toBeCloseTo(k % (d + 1) === 0 ? expected[k / (d + 1)]! : 0, 12);
  });
  expect(rank).toBe(most);
});

test.each([
  ["close together, so that no eigenvectors are found", [9, 4, 1, 9, 2, 3]],
  ["far apart", [9e4, 4, 1, 9, 2, 3]],
  ["some below the threshold", [9, 4, 1, 0.5, 0.25, 3]],
])("the rule in factors knows the norms, lengths %s", (_, squares) => {
  const core = openCore();
  const threshold = 0.8;
  const spectral = factoredLowRankRule(threshold);
  const rule = spectral.prepare({ core, m: 3, d });
  const matrix = new Float64Array(d * d);
  squares.forEach((value, j) => (matrix[j * (d + 1)] = value));
  const out = core.arena.f64(spectral.broadcastLength(3, d));
  const { rank } = rule(core.arena.copyOf(matrix), out, 1);
  const left = squares.map((s) => Math.max(0, Math.sqrt(s) - threshold));
  const size = Math.sqrt(Math.max(...squares));
  const sum = left.reduce((a, b) => a + b, 0);
  const sumOfSquares = left.reduce((a, b) => a + b * b, 0);
  expect(rank).toBe(left.filter((s) => s > 0).length);
  expect(Math.abs(spectral.nuclearNorm() - sum)).toBeLessThan(1e-12 * size);
  expect(Math.abs(spectral.squaredNorm() - sumOfSquares)).toBeLessThan(1e-12 * size ** 2);
  expect(readFactored(core, out, d)).toBeUndefined();
  core.arena.view(out, d * d).forEach((value, k) => {
    const j = k / (d + 1);
    expect(value).toBeCloseTo(k % (d + 1) === 0 ? factorOf(squares[j]!, threshold) : 0, 12);
  });
});

test("a threshold of 0 keeps every direction whole, with the norms", () => {
  const core = openCore();
  const spectral = factoredLowRankRule(0);
  const rule = spectral.prepare({ core, m: 3, d });
  const matrix = new Float64Array(d * d);
  for (let j = 0; j < d; j++) matrix[j * (d + 1)] = (j + 1) ** 2;
  rule(core.arena.copyOf(matrix), core.arena.f64(spectral.broadcastLength(3, d)), 1);
  expect(spectral.nuclearNorm()).toBeCloseTo((d * (d + 1)) / 2, 12);
  expect(spectral.squaredNorm()).toBeCloseTo((d * (d + 1) * (2 * d + 1)) / 6, 12);
});
