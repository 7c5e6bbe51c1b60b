/** Laws on a grid, by their profiles: what is rounded up dominates the law, what is rounded down is dominated, nothing is lost. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { optimistic } from "../../../../src/privacy/accounting/pld/optimistic.js";
import { pessimistic, type GridLaw } from "../../../../src/privacy/accounting/pld/discretize.js";
import {
  outcomeLaws,
  ratioLaw,
} from "../../../../src/privacy/accounting/pld/allocation/allocation.js";
import { allocationLaw } from "../../../../src/privacy/accounting/pld/allocation/allocation-law.js";
import { boundedLaw } from "../../../../src/privacy/accounting/pld/allocation/bounded-law.js";
import { infiniteMass, totalVariation } from "../../../../src/privacy/accounting/pld/parts.js";
import { normalCdf } from "../../../../src/privacy/accounting/special/erfc.js";
import { lossLaw } from "../../../../src/privacy/accounting/pld/laws.js";
import { chiSquare, EVENTS, lawsOf, profile } from "../../laws.js";
import { someOf } from "../../../thorough.js";

const LAWS = lawsOf([...EVENTS, ["chi-square noise of 5 degrees", chiSquare(5, 0.9)]]);

function gridProfile({ start, mass, infinite }: GridLaw, step: number, epsilon: number): number {
  let total = infinite;
  mass.forEach((p, i) => {
    const loss = (start + i) * step;
    if (loss > epsilon) total -= p * Math.expm1(epsilon - loss);
  });
  return total;
}

describe.each(LAWS)("%s on a grid", (_, law) => {
  /** Grids of any width and step; many end within the law's support. */
  const grids = fc.record({
    step: fc.double({ min: 0.03, max: 0.7, noNaN: true }),
    low: fc.double({ min: -6, max: 0.2, noNaN: true }),
    width: fc.integer({ min: 1, max: 40 }),
    epsilon: fc.double({ min: -3, max: 5, noNaN: true }),
  });

  test("rounded up, has all the probability and is above the profile", () => {
    fc.assert(
      fc.property(grids, ({ step, low, width, epsilon }) => {
        const first = Math.floor(low / step);
        const grid = pessimistic(law, step, first, first + width);
        const all = grid.mass.reduce((sum, p) => sum + p, grid.infinite);
        expect(Math.abs(all - 1)).toBeLessThan(1e-12);
        expect(gridProfile(grid, step, epsilon)).toBeGreaterThan(profile(law, epsilon) - 1e-13);
      }),
      { numRuns: 80, seed: 71 },
    );
  });

  test("rounded down, is below the profile", () => {
    fc.assert(
      fc.property(grids, ({ step, low, width, epsilon }) => {
        const first = Math.floor(low / step);
        const grid = optimistic(law, step, first, first + width);
        const all = grid.mass.reduce((sum, p) => sum + p, grid.infinite);
        expect(all).toBeLessThan(1 + 1e-12);
        expect(gridProfile(grid, step, epsilon)).toBeLessThan(
          Math.max(0, -Math.expm1(epsilon), profile(law, epsilon)) + 1e-13,
        );
      }),
      { numRuns: 80, seed: 72 },
    );
  });

  test("rounded up or down, is near the profile where the grid is fine", () => {
    const [step, reach] = [4e-3, 30];
    const ends = [-Math.ceil(reach / step), Math.ceil(reach / step)] as const;
    for (const epsilon of [0, 0.3, 1]) {
      const exact = profile(law, epsilon);
      expect(gridProfile(pessimistic(law, step, ...ends), step, epsilon)).toBeLessThan(exact + 8e-3); // prettier-ignore
      expect(gridProfile(optimistic(law, step, ...ends), step, epsilon)).toBeGreaterThan(exact - 8e-3); // prettier-ignore
    }
  });
});

test("bounds on probabilities give a law whose profile is below that of all laws within", () => {
  const share = fc.double({ min: 1e-6, max: 1, noNaN: true });
  fc.assert(
    fc.property(
      fc.array(fc.tuple(share, share, fc.double({ min: 0, max: 0.3, noNaN: true })), {
        minLength: 2,
        maxLength: 12,
      }),
      fc.double({ min: -2, max: 3, noNaN: true }),
      (outcomes, epsilon) => {
        const normed = (values: number[]) => {
          const all = values.reduce((a, b) => a + b);
          return Float64Array.from(values, (value) => value / all);
        };
        const [p, q] = [0, 1].map((k) => normed(outcomes.map((one) => one[k]!)));
        const around = (mass: Float64Array) => ({
          low: mass.map((x, j) => x * (1 - outcomes[j]![2])),
          high: mass.map((x, j) => x * (1 + outcomes[j]![2])),
        });
        const law = boundedLaw({ p: around(p!), q: around(q!) }, "with-against-without");
        const exact = p!.reduce(
          (sum, x, j) => sum + Math.max(0, x - Math.exp(epsilon) * q![j]!),
          0,
        );
        expect(profile(law, epsilon)).toBeLessThan(exact + 1e-12);
      },
    ),
    { numRuns: 300, seed: 73 },
  );
});

test.each(
  someOf(
    [
      [4, 1.2],
      [30, 0.8],
    ] as const,
    2,
  ),
)(
  "an allocation among %i rounds has all its probability in what is above and what is lost",
  (s, sigma) => {
    const whole = (mass: Float64Array) => mass.reduce((sum, x) => sum + x, 0);
    const { start, step, q, zero, lostP, lostQ, error } = ratioLaw(s, sigma);
    // The ratio's mean under Q is 1.
    const p = q.map((mass, k) => mass * Math.exp(start + k * step));
    for (const all of [whole(p) + lostP, whole(q) + zero + lostQ]) {
      expect(all * (1 + error)).toBeGreaterThanOrEqual(1);
      expect(Math.abs(all - 1)).toBeLessThan(1e-12);
    }
    const outcomes = outcomeLaws(s, sigma);
    for (const { low, high } of [outcomes.p, outcomes.q]) {
      expect(low.every((mass, k) => mass >= 0 && mass <= high[k]!)).toBe(true);
      expect(whole(low)).toBeLessThan(1);
      expect(whole(high)).toBeGreaterThan(1);
      expect(whole(high) - whole(low)).toBeLessThan(1e-8);
    }
  },
);

test.each([
  [2, 0.6],
  [7, 1.5],
])(
  "an allocation among %i rounds at noise %d loses of either law at least what one round takes beyond the grid",
  (s, sigma) => {
    const { start, step, q, lostP, lostQ } = ratioLaw(s, sigma);
    // R > e^top wherever one of the s ratios alone is above s e^top; half a step more, for rounding.
    const top = start + (q.length - 0.5) * step + Math.log(s);
    const z = sigma * top + 1 / (2 * sigma);
    const [ofQ, ofP] = [normalCdf(-z), normalCdf(1 / sigma - z) / s];
    expect(ofQ).toBeGreaterThan(1e-250);
    expect(lostQ).toBeGreaterThanOrEqual(ofQ);
    expect(lostP).toBeGreaterThanOrEqual(ofP);
  },
);

test.each(
  someOf<"with-against-without" | "without-against-with">(
    ["with-against-without", "without-against-with"],
    2,
  ),
)(
  "an allocation's lower bound, %s, takes nothing for sure that its grid does not hold",
  (direction) => {
    const law = allocationLaw(12, 1.1, direction);
    const weak = law.weakened!(0);
    expect(law.infinite).toBeGreaterThan(0);
    expect(weak.infinite).toBeLessThan(law.infinite);
    for (const epsilon of [0, 0.1, 0.4, 1]) {
      expect(profile(weak, epsilon)).toBeLessThan(profile(law, epsilon));
      expect(profile(weak, epsilon)).toBeGreaterThan(profile(law, epsilon) - 1e-5);
    }
  },
);

test("rounds together are infinite if any is, and differ by the sum of what each does", () => {
  const law = lossLaw(chiSquare(2, 0.9), "without-against-with")!;
  const parts = [
    { law, count: 7 },
    { law: lossLaw(chiSquare(5, 0.9), "without-against-with")!, count: 2 },
  ];
  const finite = parts.reduce((left, one) => left * (1 - one.law.infinite) ** one.count, 1);
  expect(infiniteMass(parts)).toBeCloseTo(1 - finite, 14);
  const sum = parts.reduce((total, one) => total + one.count * profile(one.law, 0), 0);
  expect(totalVariation(parts)).toBeCloseTo(sum, 12);
  expect(totalVariation(parts)).toBeGreaterThan(sum);
});
