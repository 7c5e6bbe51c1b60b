/** Group privacy: what is lifted from one record to n, and what is divided. */
import { expect, test } from "vitest";
import { liftBudget, recordBudget } from "../../src/privacy/index.js";

test("a record's budget lifts back to no more than what it was made from", () => {
  for (const n of [1, 2, 7, 500]) {
    const { epsilon, delta } = liftBudget(recordBudget({ epsilon: 2, delta: 1e-5 }, n), n);
    expect(epsilon).toBeLessThanOrEqual(2);
    expect(delta).toBeLessThanOrEqual(1e-5);
  }
  expect(liftBudget({ epsilon: Infinity, delta: 0 }, 3)).toEqual({ epsilon: Infinity, delta: 0 });
});

test("a budget whose delta promises nothing is not divided", () => {
  expect(() => recordBudget({ epsilon: 1, delta: 1 }, 2)).toThrow("delta: expected delta < 1");
});

test("what is no budget is not lifted", () => {
  for (const bad of [NaN, -1]) {
    expect(() => liftBudget({ epsilon: bad, delta: 0 }, 2)).toThrow("expected numbers >= 0");
    expect(() => liftBudget({ epsilon: 1, delta: bad }, 2)).toThrow("expected numbers >= 0");
  }
});
