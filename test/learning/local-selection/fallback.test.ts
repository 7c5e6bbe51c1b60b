import fc from "fast-check";
import { expect, test } from "vitest";
import { fallsBack } from "../../../src/learning/local-selection/fallback.js";

const one = (shared: number[], alone: number[], errors: number, scale: "difference" | "ratio") =>
  fallsBack(
    {
      loss: "squared",
      offsets: Uint32Array.of(0, shared.length),
      shared: Float64Array.from(shared),
      singleTask: Float64Array.from(alone),
    },
    { errors, scale },
  )[0];

test("a huge error hides behind its own spread from the difference, not from the ratio", () => {
  const alone = [1, 0.8, 1.2, 1, 0.9, 1.1];
  const shared = [1e8, 2, 2, 2, 2, 2];
  expect(one(shared, alone, 2, "difference")).toBe(0);
  expect(one(shared, alone, 2, "ratio")).toBe(1);
});

test("the ratio does not depend on units, and small differences are judged alike", () => {
  const losses = fc.array(fc.double({ min: 0.5, max: 1.5, noNaN: true }), {
    minLength: 12,
    maxLength: 12,
  });
  fc.assert(
    fc.property(losses, losses, fc.constantFrom(-1, 0, 1, 2), (shared, alone, errors) => {
      const kept = one(shared, alone, errors, "ratio");
      const scaled = [shared, alone].map((of) => of.map((loss) => 1024 * loss));
      expect(one(scaled[0]!, scaled[1]!, errors, "ratio")).toBe(kept);
      if (errors === 0) expect(one(shared, alone, 0, "difference")).toBe(kept);
    }),
    { numRuns: 200, seed: 4 },
  );
});

test("without evidence a task does what it would without: it falls back where less than none is wanted", () => {
  for (const scale of ["difference", "ratio"] as const) {
    expect(one([3], [1], 1, scale)).toBe(0);
    expect(one([1], [3], -Infinity, scale)).toBe(1);
    expect(one([1, 1], [3, 3], -Infinity, scale)).toBe(1);
    expect(one([2, 2, 2], [2, 2, 2], 1, scale)).toBe(0);
    expect(one([0, 0], [0, 0], 1, scale)).toBe(0);
  }
});

test("a model that loses more than can be counted is worse than any that does not", () => {
  for (const scale of ["difference", "ratio"] as const) {
    for (const lost of [Infinity, NaN]) {
      expect(one([1, lost], [3, 3], 1, scale)).toBe(1);
      expect(one([1, 1], [3, lost], 1, scale)).toBe(0);
      expect(one([1, lost], [3, lost], 1, scale)).toBe(0);
    }
  }
});

test("losses whose squares are beyond all numbers are compared all the same", () => {
  const shared = [1, 1.1, 1.2, 1.3, 1.4, 1.5].map((loss) => loss * 1e200);
  expect(one(shared, [1, 1, 1, 1, 1, 1], 2, "difference")).toBe(1);
  expect(one([6e200, 1, 1, 1, 1, 1], [1, 1, 1, 1, 1, 1], 2, "difference")).toBe(0);
});
