/** What an accountant may claim, whatever its parts compute. */
import { expect, test } from "vitest";
import { defineAccountant } from "../../../src/privacy/accounting/accountants/accountant.js";

const claims = (computed: number) => {
  const accountant = defineAccountant({
    name: "pld",
    refusal: () => undefined,
    epsilon: () => computed,
    delta: () => computed,
  });
  return [accountant.epsilon([], 0), accountant.delta([], 0)];
};

test("is never below 0, a delta never above 1, and what is no number is everything", () => {
  expect(claims(0.5)).toEqual([0.5, 0.5]);
  expect(claims(-1e-17)).toEqual([0, 0]);
  expect(claims(-Infinity)).toEqual([0, 0]);
  expect(claims(1.0000000000000142)).toEqual([1.0000000000000142, 1]);
  expect(claims(Infinity)).toEqual([Infinity, 1]);
  expect(claims(NaN)).toEqual([Infinity, 1]);
});
