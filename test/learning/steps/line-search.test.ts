/** Backtracking: the first halving that brings a part of the first-order decrease. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { backtrack } from "../../../src/learning/steps/line-search.js";

test("a step of a quadratic is the first that decreases it, at most twice the best, with its value", () => {
  // f(t) = a t^2 / 2 - t: Armijo's condition holds from t = 2 (1 - 1e-4) / a down.
  fc.assert(
    fc.property(
      fc.double({ min: 1e-3, max: 1e3, noNaN: true }),
      fc.double({ min: 1e-2, max: 1e2, noNaN: true }),
      (a, step) => {
        const value = (t: number) => (a * t * t) / 2 - t;
        const tried: number[] = [];
        const found = backtrack({ value: 0, slope: -1, step, mostHalvings: 40 }, (t) => {
          tried.push(t);
          return value(t);
        })!;
        const most = (2 * (1 - 1e-4)) / a;
        expect(found.step).toBeLessThanOrEqual(most * (1 + 1e-9));
        expect(found.value).toBe(value(found.step));
        expect(found.value).toBeLessThan(0);
        expect(tried[0]).toBe(step);
        expect(tried.at(-1)).toBe(found.step);
        for (const longer of tried.slice(0, -1)) expect(longer).toBeGreaterThan(most * (1 - 1e-9));
      },
    ),
    { numRuns: 100, seed: 3 },
  );
});

test("where nothing decreases there is no step, but for what may be rounding", () => {
  const search = { value: 1, slope: -1, step: 1, mostHalvings: 3 };
  let asked = 0;
  expect(backtrack(search, () => (asked++, 1 + 1e-12))).toBeUndefined();
  expect(asked).toBe(4);
  expect(backtrack({ ...search, rounding: 1e-3 }, () => 1 + 1e-12)).toEqual({ step: 1, value: 1 + 1e-12 }); // prettier-ignore
  expect(backtrack(search, () => NaN)).toBeUndefined();
});
