/** Rounds whose epsilons are below the rounding of probabilities: what they cost is small, and not nothing. */
import { describe, expect, test } from "vitest";
import { deltaOf, epsilonOf, laplaceEvent, pureEvent } from "../../../src/privacy/index.js";
import { someOf } from "../../thorough.js";

const ACCOUNTANTS = ["auto", "kov", "exact", "pld"] as const;

/**
 * delta(eps) of n rounds of randomized response for eps below all but the smallest of its losses, by hand: the loss is k e with
 * probability 2^-n binomial(n, (n + k) / 2), nearly, and 1 - exp(eps - k e) is k e - eps.
 */
function lost(n: number, e: number, epsilon: number): number {
  const ways = [1, 2, 3].includes(n) ? [[1], [1, 2], [1, 3, 3]][n - 1]! : [];
  return ways.reduce((sum, count, i) => sum + (count * Math.max(0, (n - 2 * i) * e - epsilon)) / 2 ** n, 0); // prettier-ignore
}

// Some where not all are asked for: above the rounding of probabilities, where it squares to nothing, and the least.
const EPSILONS = [1e-6, 1e-9, 1e-14, 1e-200, 1e-17, 1e-30, 1e-300, 1e-150];
describe.each(someOf(EPSILONS, 3))("epsilon %d", (e) => {
  const cases = [1, 2, 3].flatMap((n) =>
    [1e-6, 0.01, 0.3, 0.9].map((share) => [n, share] as const),
  );
  test.each(someOf(cases, 3))("%i rounds, at %d of the delta that epsilon 0 has", (n, share) => {
    const events = Array.from({ length: n }, () => pureEvent({ epsilon: e }));
    const delta = share * lost(n, e, 0);
    for (const accountant of ACCOUNTANTS) {
      const epsilon = epsilonOf(events, { delta, accountant });
      // Of what first orders leave out.
      expect(lost(n, e, epsilon) / delta, accountant).toBeLessThan(1 + 10 * n * e + 1e-12);
      const claimed = deltaOf(events, { epsilon: e / 3, accountant });
      expect(claimed / lost(n, e, e / 3), accountant).toBeGreaterThan(1 - 10 * n * e - 1e-12);
    }
  });

  test("one round of Laplace noise", () => {
    const events = [laplaceEvent({ scale: 1, sensitivity: e })];
    for (const share of [1e-6, 0.3, 0.9, 1 - 1e-9]) {
      const delta = (share * e) / 2;
      // delta(eps) = (1 - exp((eps - e) / 2)), so nearly (e - eps) / 2.
      const epsilon = epsilonOf(events, { delta });
      expect((e - epsilon) / 2 / delta).toBeLessThan(1 + e + 1e-12);
    }
  });
});

describe("many rounds, at an epsilon that only deltas below 1e-160 are spent for", () => {
  test("have a delta, be it the smallest that was looked for", () => {
    // Three kinds, whose losses are too many to be listed.
    const events = [0.1, 0.11, 0.12].flatMap((epsilon) =>
      Array.from({ length: 3000 }, () => pureEvent({ epsilon })),
    );
    const basic = 3000 * (0.1 + 0.11 + 0.12);
    for (const accountant of someOf(["kov", "auto"] as const, 2)) {
      // All losses are the largest with a probability: below their sum no epsilon has a delta of 0.
      for (const part of [0.4, 1 - 1e-9])
        expect(deltaOf(events, { epsilon: part * basic, accountant }), accountant).toBeGreaterThan(
          0,
        );
      expect(deltaOf(events, { epsilon: basic * (1 + 1e-9), accountant })).toBe(0);
    }
    // By the bound's own formula, at a delta below which it was not looked for.
    const delta = 1e-200;
    const epsilon = epsilonOf(events, { delta, accountant: "kov" });
    expect(epsilon).toBeLessThan(0.5 * basic);
    const found = deltaOf(events, { epsilon, accountant: "kov" });
    expect(found / delta).toBeGreaterThan(1 - 1e-9);
    expect(found / delta).toBeLessThan(1 + 1e-9);
  });
});
