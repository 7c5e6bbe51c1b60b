/** Discrete Gaussian noise drawn in shares: `privacy/accounting/discrete.ts`. */
import { describe, expect, test } from "vitest";
import { continuous, sharesGap } from "../../../src/privacy/accounting/discrete.js";
import { eventRdp } from "../../../src/privacy/accounting/accountants/rdp-accountant.js";
import { groupEvents } from "../../../src/privacy/accounting/groups.js";
import {
  deltaOf,
  discreteGaussianEvent,
  epsilonOf,
  gaussianEpsilon,
  parseEvent,
} from "../../../src/privacy/index.js";

/** N_Z(0, v) on -range .. range. */
function discrete(variance: number, range: number): Float64Array {
  const p = Float64Array.from({ length: 2 * range + 1 }, (_, i) =>
    Math.exp(-((i - range) ** 2) / (2 * variance)),
  );
  const total = p.reduce((a, b) => a + b, 0);
  return p.map((x) => x / total);
}

describe("discrete Gaussian noise in shares", () => {
  test.each([0.6, 0.8, 1])("a sum of shares of s = %f is as near one draw as is claimed", (s) => {
    const range = 60;
    const share = discrete(s * s, range);
    let sum = share;
    for (let h = 2; h <= 5; h++) {
      const next = new Float64Array(2 * range + 1);
      for (let x = 0; x < sum.length; x++) {
        for (let y = 0; y < share.length; y++) {
          const at = x + y - range;
          if (at >= 0 && at < next.length) next[at]! += sum[x]! * share[y]!;
        }
      }
      sum = next;
      const whole = discrete(h * s * s, range);
      let gap = 0;
      for (let z = range - 8; z <= range + 8; z++) {
        gap = Math.max(gap, Math.abs(Math.log(sum[z]! / whole[z]!)));
      }
      const event = discreteGaussianEvent({
        sigma: Math.SQRT2 * Math.sqrt(h) * s,
        grid: 1,
        entries: 1,
        shares: h,
      });
      expect(gap).toBeLessThanOrEqual(sharesGap(event));
      // Not vacuous: the sum really differs.
      if (s < 1) expect(gap).toBeGreaterThan(1e-6);
    }
  });

  test("Renyi divergences pay for the gap in both densities, at powers of alpha and alpha - 1", () => {
    const of = (shares: number) =>
      discreteGaussianEvent({ sigma: 1.5, grid: 1, entries: 1, shares, sensitivity: 1 });
    const [whole, drawn] = [of(1), of(6)];
    const gap = sharesGap(drawn) - sharesGap(whole);
    expect(gap).toBeGreaterThan(1e-6);
    for (const alpha of [1.01, 1.5, 2, 30]) {
      const more = eventRdp(drawn, alpha)! - eventRdp(whole, alpha)!;
      // (1 / (alpha - 1)) ln of a factor e^(alpha gap) e^((alpha - 1) gap).
      expect(more / ((alpha * gap + (alpha - 1) * gap) / (alpha - 1))).toBeCloseTo(1, 6);
    }
  });

  test("costs what the Gaussian of the whole variance does, and never less", () => {
    const event = discreteGaussianEvent({
      sigma: 2 ** 20,
      grid: 1,
      entries: 900,
      shares: 300,
      sensitivity: 2 ** 19,
    });
    const epsilon = epsilonOf([event, event, event, event], { delta: 1e-6 });
    const exact = gaussianEpsilon(1, 1e-6);
    expect(epsilon).toBeGreaterThanOrEqual(exact);
    expect(epsilon).toBeLessThan(exact * (1 + 1e-6));
    expect(
      epsilonOf([event, event, event, event], { delta: 1e-6, accountant: "rdp" }),
    ).toBeGreaterThan(epsilon);
  });

  test("values on the grid from the start: no sensitivity is added", () => {
    const options = { sigma: 100, grid: 1, entries: 4, sensitivity: 5 };
    const of = (shares?: number) =>
      continuous(
        groupEvents([
          discreteGaussianEvent(shares === undefined ? options : { ...options, shares }),
        ]),
        1,
      ).groups[0]!.event;
    expect(of()).toMatchObject({ sensitivity: 7 });
    expect(of(1)).toMatchObject({ sensitivity: 5 });
  });

  test("shares narrower than the theorem are refused", () => {
    const event = discreteGaussianEvent({ sigma: 60, grid: 1, entries: 4, shares: 400 });
    expect(() => epsilonOf([event], { delta: 1e-6 })).toThrow(
      "grid: expected a grid below sigma / (6 sqrt(400)), got 1 at sigma 60",
    );
  });

  test.each([
    [6, 5, 900],
    [6, 20, 1],
    [40, 5, 900],
    [6, 400, 100],
  ])(
    "on a coarse grid, epsilon is no less than delta's proof allows (sigma %f)",
    (sigma, rounds, entries) => {
      // The price of discreteness grows with the eps that is claimed: the claim must pay its own.
      const event = discreteGaussianEvent({ sigma, grid: 1, entries, sensitivity: 1 });
      const events = new Array<typeof event>(rounds).fill(event);
      const epsilon = epsilonOf(events, { delta: 1e-5, accountant: "gdp" });
      if (epsilon === Infinity) {
        // No eps is within reach of its own price; Renyi accounting has none.
        expect(epsilonOf(events, { delta: 1e-5 })).toBe(
          epsilonOf(events, { delta: 1e-5, accountant: "rdp" }),
        );
        return;
      }
      expect(deltaOf(events, { epsilon, accountant: "gdp" })).toBeLessThanOrEqual(
        1e-5 * (1 + 1e-9),
      );
    },
  );

  test("survives JSON, and is another event than without shares", () => {
    const event = discreteGaussianEvent({ sigma: 60, grid: 1, entries: 4, shares: 2 });
    expect(parseEvent(JSON.parse(JSON.stringify(event)))).toEqual(event);
    const { shares, ...plain } = event;
    expect(shares).toBe(2);
    expect(groupEvents([event, plain])).toHaveLength(2);
    expect(() => parseEvent({ ...plain, shares: 0 })).toThrow("shares: expected an integer >= 1");
  });
});
