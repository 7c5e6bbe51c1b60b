/** Laws of the privacy loss by what makes them so: within any interval of losses P is between e^low and e^high times Q. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { subsampledGaussianEvent } from "../../../../src/privacy/events/events.js";
import { randomAllocationEvent } from "../../../../src/privacy/events/random-allocation.js";
import { chiSquare, EVENTS, lawsOf, profile } from "../../laws.js";
import type { LossLaw, Tails } from "../../../../src/privacy/accounting/pld/loss-law.js";

const LAWS = lawsOf([
  ...EVENTS,
  ["a rare sample", subsampledGaussianEvent({ sigma: 2, rate: 1e-3 })],
  ["chi-square noise of 3 degrees", chiSquare(3, 0.7)],
  ["chi-square noise of 40 degrees", chiSquare(40, 1.5)],
  ["one round of 20", randomAllocationEvent({ sigma: 1.5, rounds: 20 })],
]);

const at = (law: LossLaw, loss: number): Tails => {
  const tails = { pAbove: NaN, qAbove: NaN, pBelow: NaN, qBelow: NaN };
  law.tails(loss, tails);
  return tails;
};
/** Rounding, and for laws on a grid what the grid leaves open. */
const openOf = (name: string) => (name.startsWith("one round") ? 1e-6 : 1e-13);

describe.each(LAWS)("%s", (name, law) => {
  const open = openOf(name);
  const reach = Math.min(30, law.supremum + 1);

  test("has all its probability, and the ratio that its losses say", () => {
    fc.assert(
      fc.property(
        fc.double({ min: -reach, max: reach, noNaN: true }),
        fc.double({ min: 1e-3, max: 3, noNaN: true }),
        (low, width) => {
          const [from, to] = [at(law, low), at(law, low + width)];
          for (const { pAbove, pBelow, qAbove, qBelow } of [from, to]) {
            expect(Math.abs(pAbove + pBelow - 1)).toBeLessThan(open);
            expect(Math.abs(qAbove + qBelow - 1)).toBeLessThan(open);
          }
          // From the side on which the difference of tails loses least.
          const inside = (above: "pAbove" | "qAbove", below: "pBelow" | "qBelow") =>
            from[above] < from[below] ? from[above] - to[above] : to[below] - from[below];
          const [p, q] = [inside("pAbove", "pBelow"), inside("qAbove", "qBelow")];
          const slack = (x: number) => open * Math.max(1, x);
          expect(p).toBeGreaterThanOrEqual(Math.exp(low) * q * (1 - open) - slack(Math.exp(low)));
          expect(p).toBeLessThanOrEqual(
            Math.exp(low + width) * q * (1 + open) + slack(Math.exp(low + width)),
          );
        },
      ),
      { numRuns: 200, seed: 61 },
    );
  });

  test("ends at its supremum: what lies above is infinite", () => {
    const beyond = law.supremum < Infinity ? law.supremum + 1e-9 : 1e6;
    expect(at(law, beyond).pAbove).toBeCloseTo(law.infinite, 12);
    expect(at(law, beyond).qAbove).toBeLessThan(1e-12);
    if (law.supremum < Infinity && open < 1e-9) {
      const before = at(law, law.supremum - 0.05 * Math.abs(law.supremum));
      expect(before.pAbove).toBeGreaterThan(law.infinite);
      expect(before.qAbove).toBeGreaterThan(0);
    } else expect(at(law, 2).pAbove).toBeGreaterThanOrEqual(law.infinite);
    expect(Number.isNaN(law.supremum)).toBe(false);
  });

  test("jumps at its atoms by their masses, and nowhere else", () => {
    for (const { loss, p, q } of law.atoms) {
      const [before, after] = [at(law, loss - 1e-9), at(law, loss + 1e-9)];
      expect(after.pBelow - before.pBelow).toBeCloseTo(p, 7);
      expect(before.qAbove - after.qAbove).toBeCloseTo(q, 7);
      expect(p).toBeCloseTo(Math.exp(loss) * q, 12);
    }
    const total = law.atoms.reduce((sum, { p }) => sum + p, law.infinite);
    if (law.discrete) expect(total).toBeCloseTo(1, 12);
    else expect(total).toBeLessThan(1 - 1e-3);
  });

  test("is resolved by its nodes: ascending, within its support, from its first losses to its last", () => {
    const { nodes } = law;
    expect([...nodes]).toEqual([...new Set(nodes)].sort((a, b) => a - b));
    expect(nodes.at(-1)!).toBeLessThanOrEqual(law.supremum + 1e-9);
    expect(at(law, nodes[0]! - 1e-9).pBelow).toBeLessThan(1e-6);
    expect(at(law, nodes.at(-1)! + 1e-9).pAbove - law.infinite).toBeLessThan(1e-6);
  });

  test("weakened, its profile is not above its own, and on a fine grid close to it", () => {
    const weaker = law.weakened?.(1e-4);
    if (!weaker) return;
    for (let loss = -3; loss <= 3; loss += 0.037) {
      const [own, less] = [profile(law, loss), profile(weaker, loss)];
      expect(less).toBeLessThanOrEqual(own + open);
      expect(less).toBeGreaterThanOrEqual(own - 1e-3);
    }
  });
});
