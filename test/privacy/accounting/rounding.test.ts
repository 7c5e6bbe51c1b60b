import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { openFilter } from "../../../src/privacy/accounting/filter.js";
import { quotient, rootOfSquares, roundUp } from "../../../src/privacy/accounting/rounding.js";
import { logSelectionRatio } from "../../../src/privacy/accounting/selection.js";
import { pureEvent } from "../../../src/privacy/events/events.js";
import { powersOfTen, uniform } from "../uniform.js";

/** A double in (0, 2^20) as an exact integer of units 2^-80. */
function exactly(x: number): bigint {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, x);
  const bits = view.getBigUint64(0);
  const exponent = Number((bits >> 52n) & 0x7ffn) - 1075;
  return ((bits & 0xfffffffffffffn) | 0x10000000000000n) << BigInt(exponent + 120);
}

describe("rounding against ourselves", () => {
  test("a filter's total is never below the exact sum of what was charged", () => {
    const budgets = fc.array(uniform(1e-6, 2), {
      minLength: 2,
      maxLength: 40,
    });
    fc.assert(
      fc.property(budgets, (epsilons) => {
        const filter = openFilter("auto", 100, 0);
        epsilons.forEach((epsilon) => filter.spend(pureEvent({ epsilon })));
        const sum = epsilons.reduce((total, epsilon) => total + exactly(epsilon), 0n);
        expect(exactly(filter.spentEpsilon()) >= sum).toBe(true);
        expect(filter.left + filter.spentEpsilon()).toBeCloseTo(100, 9);
      }),
      { seed: 40 },
    );
  });

  test("the ratio of a selection is not below its closed form, however private the base is", () => {
    // Poisson, eps-DP base: the envelope's corner is at p = 1/(1 + e^eps), and ln R = mean tanh(eps/2).
    const epsilons = powersOfTen(-12, 0);
    fc.assert(
      fc.property(epsilons, fc.constantFrom(0.5, 30, 1e4), (epsilon, mean) => {
        const base = (at: number) => (at >= epsilon ? 0 : 1);
        const log = logSelectionRatio({ kind: "poisson", mean }, base, [epsilon]);
        const exact = mean * Math.tanh(epsilon / 2);
        expect(log).toBeGreaterThanOrEqual(exact);
        expect(log).toBeLessThanOrEqual(exact * (1 + 1e-10) + mean * 1e-13);
      }),
      { seed: 41 },
    );
  });

  test("figures below the normal range are rounded up too, and do not vanish", () => {
    expect(roundUp(5e-324)).toBeGreaterThan(5e-324);
    expect(roundUp(0)).toBe(0);
    expect(quotient(1e-300, 1e300)).toBeGreaterThan(0);
    expect(quotient(0, 1e300)).toBe(0);
    for (const x of [1e-200, 3, 1e200]) {
      const root = rootOfSquares([
        { x, count: 9 },
        { x: x * 4, count: 1 },
      ]);
      expect(root / (5 * x) - 1).toBeGreaterThanOrEqual(0);
      expect(root / (5 * x) - 1).toBeLessThan(1e-12);
    }
  });
});
