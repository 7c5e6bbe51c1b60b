import { describe, expect, test } from "vitest";
import { wishartLogDensity } from "../../../src/privacy/audit/wishart-density.js";
import { wishartEvent } from "../../../src/privacy/events/events.js";

const event = (dimension: number) => wishartEvent({ dimension, degreesOfFreedom: 7, scale: 0.5 });
const [nu, scale] = [7, 0.5];

describe("the density of Wishart noise", () => {
  test("of side 1 is that of a scaled chi-square law, up to a constant", () => {
    const at = (x: number) => wishartLogDensity(Float64Array.of(x + 2), Float64Array.of(2), event(1)); // prettier-ignore
    const closed = (x: number) => (nu / 2 - 1) * Math.log(x) - x / (2 * scale);
    for (const x of [0.1, 3, 20]) expect(at(x) - at(1)).toBeCloseTo(closed(x) - closed(1), 12);
    for (const x of [0, -1, NaN]) expect(at(x)).toBe(-Infinity);
  });

  test("of a matrix depends on determinant and trace", () => {
    const from = Float64Array.of(1, 0.5, 0.2, 0.5, 2, -0.3, 0.2, -0.3, 1.5);
    const plus = (noise: number[]) => wishartLogDensity(from.map((x, k) => x + noise[k]!), from, event(3)); // prettier-ignore
    // Determinants 13 and 1, traces 9 and 3; positive definite, not diagonal.
    const found = plus([2, 1, 1, 1, 3, 2, 1, 2, 4]) - plus([1, 0, 0, 0, 1, 0, 0, 0, 1]);
    expect(found).toBeCloseTo(((nu - 4) / 2) * Math.log(13) - (9 - 3) / (2 * scale), 12);
    expect(plus([1, 2, 0, 2, 1, 0, 0, 0, 1])).toBe(-Infinity);
  });

  test("of a diagonal is a product of chi-square laws", () => {
    const at = (x: number[]) => wishartLogDensity(Float64Array.from(x), Float64Array.of(1, 1, 1), event(3)); // prettier-ignore
    const found = at([3, 2, 5]) - at([2, 2, 2]);
    expect(found).toBeCloseTo((nu / 2 - 1) * Math.log(2 * 4) - (2 + 1 + 4 - 3) / (2 * scale), 12);
    expect(at([3, 1, 5])).toBe(-Infinity);
  });
});
