import fc from "fast-check";
import { expect, test } from "vitest";
import { cellOf, roundedScale } from "../../../src/privacy/mechanisms/exact/range.js";
import { uniform } from "../uniform.js";

test("the scale pays for sensitivity and rounding with the whole budget, on a grid a thousandth as fine", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: -20, max: 10 }),
      uniform(1, 2),
      uniform(0.1, 100),
      uniform(0.1, 100),
      (power, mantissa, sensitivity, spread) => {
        const budget = mantissa * 2 ** power;
        const statistic = { sensitivity, spread, largest: 0 };
        const { scale, grid, bits } = roundedScale(budget, statistic, { reach: 1, most: 60 });
        expect(grid).toBe(scale * 2 ** -bits);
        // Never above the budget, and below it by rounding only.
        const spent = (sensitivity + spread * grid) / scale / budget;
        expect(spent).toBeLessThanOrEqual(1);
        expect(spent).toBeGreaterThan(1 - 2 ** -48);
        // The fewest bits with which rounding takes a 2^-10th at most, or one more.
        const cost = (spread * 2 ** -bits) / budget;
        expect(cost).toBeLessThanOrEqual(2 ** -10);
        if (bits > 1) expect(cost).toBeGreaterThanOrEqual(2 ** -12);
        // As many bits as it takes are enough, and one fewer is not.
        expect(roundedScale(budget, statistic, { reach: 1, most: bits }).bits).toBe(bits);
        expect(() => roundedScale(budget, statistic, { reach: 1, most: bits - 1 })).toThrow(
          "budget: expected a budget within the exact sampler's range",
        );
      },
    ),
    { numRuns: 200, seed: 51 },
  );
});

test("values and noise stay below 2^51 cells together", () => {
  const of = (largest: number, reach: number) =>
    roundedScale(1, { sensitivity: 1, spread: 1, largest }, { reach, most: 60 });
  const { grid, bits } = of(0, 0);
  for (const share of [0, 0.25, 1]) {
    const [values, noise] = [share * 2 ** 51 * grid, (1 - share) * 2 ** (51 - bits)];
    expect(of(values * (1 - 1e-9), noise * (1 - 1e-9)).bits).toBe(bits);
    expect(() => of(values, noise)).toThrow("budget:");
    expect(() => of(values * (1 + 1e-9), noise * (1 + 1e-9))).toThrow("budget:");
  }
  expect(() => of(NaN, 1)).toThrow("budget:");
});

test("a value's cell is the nearest, and 0 where there is none", () => {
  expect([0.49, 0.51, -0.51, 7].map((value) => cellOf(value, 1))).toEqual([0, 1, -1, 7]);
  expect(cellOf(3, 0.25)).toBe(12);
  expect([2 ** 51, -(2 ** 51)].map((value) => cellOf(value, 1))).toEqual([2 ** 51, -(2 ** 51)]);
  for (const value of [2 ** 51 + 1, -(2 ** 51) - 1, NaN, Infinity])
    expect(cellOf(value, 1)).toBe(0);
});
