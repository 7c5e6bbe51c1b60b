import { expect, test } from "vitest";
import { deviationHolding } from "../../../../../../src/learning/families/mixed/squared/stated/stated-width.js";

test("of one normal around 0 it is its deviation", () => {
  expect(deviationHolding([{ weight: 1, mean: 0, variance: 9 }], 1.2816)).toBeCloseTo(3, 6);
});

test("an unlikely wide normal hardly widens it, a likely one does", () => {
  const of = (weight: number) =>
    deviationHolding(
      [
        { weight: 1 - weight, mean: 0, variance: 1 },
        { weight, mean: 0, variance: 100 ** 2 },
      ],
      1.2816,
    );
  expect(of(0.02)).toBeLessThan(1.1);
  expect(of(0.5)).toBeGreaterThan(20);
});

test("a mean away from 0 counts", () => {
  // Eight tenths of the normal around 3 lie below 3.84 of its deviations.
  const away = deviationHolding([{ weight: 1, mean: 3, variance: 1 }], 1.2816);
  expect(away * 1.2816).toBeCloseTo(3.8416, 3);
});
