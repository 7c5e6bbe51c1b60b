import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  accountForDelta,
  accountForEpsilon,
  deltaOf,
  epsilonOf,
} from "../../../src/privacy/accounting/account.js";
import { epsilonBounds } from "../../../src/privacy/accounting/bounds.js";
import { calibrate, largestRounds } from "../../../src/privacy/accounting/calibrate.js";
import { gaussianEpsilon } from "../../../src/privacy/accounting/gdp.js";
import { pldAccountant } from "../../../src/privacy/accounting/accountants/pld-accountant.js";
import {
  gaussianEvent,
  laplaceEvent,
  pureEvent,
  sphericalLaplaceEvent,
  subsampledGaussianEvent,
  twoSidedWishartEvent,
  wishartEvent,
} from "../../../src/privacy/events/events.js";
import { selectionEvent } from "../../../src/privacy/selection/selection-event.js";
import { someOf, thorough, thoroughTest } from "../../thorough.js";
import type { PrivacyEvent } from "../../../src/privacy/events/event-kinds.js";

const adjacency = "zero-out" as const;

const anyEvent: fc.Arbitrary<PrivacyEvent> = fc.oneof(
  fc.double({ min: 2, max: 60, noNaN: true }).map((sigma) => gaussianEvent({ sigma, adjacency })),
  fc.double({ min: 2, max: 60, noNaN: true }).map((scale) => laplaceEvent({ scale, adjacency })),
  fc
    .double({ min: 2, max: 60, noNaN: true })
    .map((scale) => sphericalLaplaceEvent({ scale, adjacency })),
  fc
    .double({ min: 2, max: 60, noNaN: true })
    .map((scale) => twoSidedWishartEvent({ scale, adjacency })),
  fc.double({ min: 0, max: 0.5, noNaN: true }).map((epsilon) => pureEvent({ epsilon, adjacency })),
  fc
    .tuple(
      fc.double({ min: 0.7, max: 5, noNaN: true }),
      fc.double({ min: 0.01, max: 0.6, noNaN: true }),
    )
    .map(([sigma, rate]) => subsampledGaussianEvent({ sigma, rate, adjacency })),
  fc
    .integer({ min: 40, max: 200 })
    .map((nu) => wishartEvent({ dimension: 10, degreesOfFreedom: nu, scale: 3, adjacency })),
);
const eventLists = fc.array(anyEvent, { minLength: 1, maxLength: thorough ? 6 : 2 });
const deltas = fc.constantFrom(1e-12, 1e-6, 1e-3, 0.05);

describe("random lists of events", () => {
  test("lower <= upper with a small gap, and delta inverts epsilon on the safe side", () => {
    fc.assert(
      fc.property(eventLists, deltas, (events, delta) => {
        const { lower, upper } = epsilonBounds(events, { delta });
        expect(lower).toBeLessThanOrEqual(upper);
        expect(upper - lower).toBeLessThanOrEqual(5e-4 * upper + 1e-5);
        // Within a hair of the sum of pure budgets delta(eps) falls off a cliff.
        const sum = events.some(({ kind }) => /gaussian|^wishart/.test(kind))
          ? Infinity
          : epsilonOf(events, { delta: 0 });
        if (upper > 0 && upper < sum * (1 - 1e-4)) {
          const back = deltaOf(events, { epsilon: upper, accountant: "pld" });
          expect(back / delta).toBeGreaterThan(0.95);
          expect(back / delta).toBeLessThan(1.05);
        }
      }),
      { numRuns: thorough ? 5 : 1, seed: 11, endOnFailure: true },
    );
  });

  test("one more event never costs less; a larger delta never more", () => {
    fc.assert(
      fc.property(eventLists, anyEvent, deltas, (events, another, delta) => {
        const before = epsilonOf(events, { delta });
        // Grids differ between the two, so equality holds to their accuracy only.
        expect(epsilonOf([...events, another], { delta })).toBeGreaterThanOrEqual(
          before * (1 - 1e-5) - 1e-7,
        );
        expect(epsilonOf(events, { delta: delta * 3 })).toBeLessThanOrEqual(
          before * (1 + 1e-5) + 1e-7,
        );
      }),
      { numRuns: thorough ? 3 : 1, seed: 12, endOnFailure: true },
    );
  });

  thoroughTest("is independent of the order of events", () => {
    fc.assert(
      fc.property(eventLists, (events) => {
        const forward = epsilonOf(events, { delta: 1e-6 });
        const backward = epsilonOf([...events].reverse(), { delta: 1e-6 });
        expect(Math.abs(forward - backward)).toBeLessThanOrEqual(1e-6 * forward + 1e-9);
      }),
      { numRuns: 2, seed: 13 },
    );
  });
});

describe("the accountants agree", () => {
  const rounds = (event: PrivacyEvent, n: number) => new Array<PrivacyEvent>(n).fill(event);

  test("PLD of Gaussians is the closed form", () => {
    for (const [sigma, n, delta] of [
      [1, 1, 1e-5],
      [20, 300, 1e-12],
      [500, 50, 1e-3],
    ] as const) {
      const events = rounds(gaussianEvent({ sigma }), n);
      const exact = gaussianEpsilon(Math.sqrt(n) / sigma, delta);
      const pld = epsilonOf(events, { delta, accountant: "pld" });
      expect(pld).toBeGreaterThanOrEqual(exact * (1 - 1e-9));
      expect(pld).toBeLessThanOrEqual(exact * (1 + 1e-5) + 1e-7);
    }
  });

  test("PLD of pure rounds is the exact composition; KOV and RDP lie above", () => {
    const events = rounds(pureEvent({ epsilon: 0.1 }), 60);
    const delta = 1e-5;
    const [exact, pld, kov, rdp] = (["exact", "pld", "kov", "rdp"] as const).map((accountant) =>
      epsilonOf(events, { delta, accountant }),
    ) as [number, number, number, number];
    expect(pld / exact).toBeCloseTo(1, 6);
    expect(kov).toBeGreaterThan(exact);
    expect(rdp).toBeGreaterThan(exact);
    expect(accountForDelta(events, { delta }).accountant).toBe("exact");
  });

  test("n copies of an event are n rounds, for every kind", () => {
    const one = laplaceEvent({ scale: 10, adjacency });
    const same = pldAccountant.epsilon([{ event: one, count: 40 }], 1e-5);
    const two = pldAccountant.epsilon(
      [
        { event: one, count: 13 },
        { event: { ...one }, count: 27 },
      ],
      1e-5,
    );
    expect(Math.abs(two / same - 1)).toBeLessThan(1e-6);
    expect(epsilonOf(rounds(one, 40), { delta: 1e-5 })).toBeCloseTo(same, 9);
  });

  test("a single Wishart or subsampled round agrees with its closed form", () => {
    for (const event of [
      wishartEvent({ dimension: 5, degreesOfFreedom: 60, scale: 2, adjacency }),
      subsampledGaussianEvent({ sigma: 1, rate: 0.2, adjacency }),
      laplaceEvent({ scale: 3, adjacency }),
    ]) {
      const exact = epsilonOf([event], { delta: 1e-4, accountant: "exact" });
      const pld = epsilonOf([event], { delta: 1e-4, accountant: "pld" });
      expect(pld).toBeGreaterThanOrEqual(exact * (1 - 1e-9));
      expect(Math.abs(pld / exact - 1)).toBeLessThan(1e-5);
    }
  });
});

const sizes: [size: number, delta: number][] = [
  [0.05, 1e-4],
  [1e-7, 1e-13],
  [2, 1e-13],
];
test.each(someOf(sizes, 3))(
  "no accountant is below the certified lower bound, size %d at delta %d",
  (size, delta) => {
    const scale = 1 / size;
    const all = [
      pureEvent({ epsilon: size, adjacency }),
      laplaceEvent({ scale, adjacency }),
      gaussianEvent({ sigma: scale, adjacency }),
      subsampledGaussianEvent({ sigma: scale, rate: 0.05, adjacency }),
      wishartEvent({ dimension: 3, degreesOfFreedom: 30, scale, adjacency }),
    ];
    for (const event of someOf<(typeof all)[number]>(all.reverse(), 2)) {
      const events = new Array<PrivacyEvent>(20).fill(event);
      const { lower } = epsilonBounds(events, { delta });
      let covered = 0;
      for (const accountant of ["kov", "exact", "gdp", "rdp", "pld", "auto"] as const) {
        try {
          expect(epsilonOf(events, { delta, accountant })).toBeGreaterThanOrEqual(
            lower * (1 - 1e-12),
          );
          covered++;
        } catch (error) {
          if (!(error instanceof RangeError)) throw error;
        }
      }
      expect(covered).toBeGreaterThanOrEqual(2);
    }
  },
);

describe("refusals", () => {
  test("mixed adjacencies, uncovered events and bad deltas are named", () => {
    const events = [pureEvent({ epsilon: 1 }), pureEvent({ epsilon: 1, adjacency })];
    expect(() => epsilonOf(events, { delta: 0 })).toThrow("events: expected one adjacency");
    expect(() =>
      epsilonOf([gaussianEvent({ sigma: 1 })], { delta: 0.1, accountant: "kov" }),
    ).toThrow(
      'expected one that covers the events; "kov" does not: a gaussian event is not pure eps-DP',
    );
    expect(() => epsilonOf([], { delta: 1 })).toThrow("delta: expected 0 <= delta < 1, got 1");
    const wishart = wishartEvent({ dimension: 3, degreesOfFreedom: 30, scale: 1 });
    const selection = selectionEvent({
      repetitions: { kind: "poisson", mean: 2 },
      plans: [[{ event: pureEvent({ epsilon: 1 }), count: 1 }]],
    });
    expect(() => epsilonOf([wishart, selection], { delta: 0.1 })).toThrow(
      "none covers these together",
    );
  });

  test("the papers' Wishart rounds have no finite epsilon below their true delta", () => {
    const event = wishartEvent({ dimension: 30, degreesOfFreedom: 31, scale: 5, adjacency });
    const rounds = new Array<PrivacyEvent>(10).fill(event);
    const truth = -Math.expm1(-1); // ten rounds of nominal eps 0.1
    expect(epsilonOf(rounds, { delta: truth * 0.999 })).toBe(Infinity);
    expect(epsilonOf(rounds, { delta: truth * 1.001 })).toBeLessThan(0.01);
    expect(deltaOf(rounds, { epsilon: 1 })).toBeCloseTo(truth, 6);
  });
});

describe("extremes end with a finite, valid answer or Infinity", () => {
  const cases: [string, PrivacyEvent, number][] = [
    ["tiny pure", pureEvent({ epsilon: 1e-8, adjacency }), 100_000],
    ["large pure", pureEvent({ epsilon: 100, adjacency }), 100],
    ["tiny Laplace", laplaceEvent({ scale: 1e6, adjacency }), 100_000],
    ["sigma 1e-3", subsampledGaussianEvent({ sigma: 1e-3, rate: 0.01, adjacency }), 1],
    ["long", subsampledGaussianEvent({ sigma: 1, rate: 1e-3, adjacency }), 100_000],
    ["tiny rate", subsampledGaussianEvent({ sigma: 1, rate: 1e-6, adjacency }), 1000],
    ["Gaussian sigma 1e-3", gaussianEvent({ sigma: 1e-3, adjacency }), 100_000],
  ];
  test.each(someOf(cases, 3))("%s", (_, event, count) => {
    const events = new Array<PrivacyEvent>(count).fill(event);
    for (const delta of [1e-15, 1e-5]) {
      const { epsilon } = accountForDelta(events, { delta });
      expect(Number.isNaN(epsilon)).toBe(false);
      expect(epsilon).toBeGreaterThanOrEqual(0);
      if (epsilon < 1e4) {
        expect(accountForEpsilon(events, { epsilon }).delta).toBeLessThanOrEqual(1);
      }
    }
    for (const epsilon of [1e-8, 1e4]) {
      const { delta } = accountForEpsilon(events, { epsilon });
      expect(delta).toBeGreaterThanOrEqual(0);
      expect(delta).toBeLessThanOrEqual(1);
    }
  });
});

test("noise that is nothing beside the sensitivity promises nothing", () => {
  const event = gaussianEvent({ sigma: 1e-300, sensitivity: 1e10, adjacency });
  for (const accountant of ["gdp", "auto"] as const) {
    expect(accountForEpsilon([event], { epsilon: 5, accountant }).delta).toBe(1);
    expect(accountForDelta([event], { delta: 0.5, accountant }).epsilon).toBe(Infinity);
  }
});

thoroughTest("10,000 events of 32 kinds are composed, within half a percent", () => {
  const kinds = Array.from({ length: 32 }, (_, i) =>
    i % 2
      ? pureEvent({ epsilon: 0.001 * i, adjacency })
      : laplaceEvent({ scale: 300 + i, adjacency }),
  );
  const events = Array.from({ length: 10_000 }, (_, t) => kinds[t % 32]!);
  const { epsilon, accountant } = accountForDelta(events, { delta: 1e-6 });
  expect(accountant).toBe("pld");
  const { lower, upper } = epsilonBounds(events, { delta: 1e-6 });
  expect(epsilon).toBe(upper);
  expect(lower / upper).toBeGreaterThan(0.995);
});

describe("inverses", () => {
  test("calibrate finds the smallest noise", () => {
    const budget = { epsilon: 1, delta: 1e-5 };
    for (const event of [
      (sigma: number) => gaussianEvent({ sigma, adjacency }),
      (scale: number) => laplaceEvent({ scale, adjacency }),
      (v: number) => wishartEvent({ dimension: 4, degreesOfFreedom: 60, scale: v, adjacency }),
    ]) {
      const { noise } = calibrate({ ...budget, event });
      expect(deltaOf([event(noise)], { epsilon: 1 })).toBeLessThanOrEqual(1e-5);
      expect(deltaOf([event(noise * (1 - 1e-4))], { epsilon: 1 })).toBeGreaterThan(1e-5);
    }
    expect(calibrate({ ...budget, event: (sigma) => gaussianEvent({ sigma }) }).noise).toBeCloseTo(
      3.730632, // Balle and Wang (2018): the analytic Gaussian mechanism at (1, 1e-5)
      5,
    );
  });

  test("the papers' Wishart cannot be calibrated to a small delta by more epsilon", () => {
    const event = (v: number) =>
      wishartEvent({ dimension: 4, degreesOfFreedom: 5, scale: v, adjacency });
    // Only so much noise that the supports overlap but for delta.
    const { noise } = calibrate({ epsilon: 1, delta: 0.01, event });
    expect(noise).toBeCloseTo(1 / (-2 * Math.log1p(-0.01)), 6);
  });

  test("largestRounds is the last that fits", () => {
    const budget = { epsilon: 1, delta: 1e-5 };
    for (const event of [gaussianEvent({ sigma: 40 }), pureEvent({ epsilon: 0.03 })]) {
      const rounds = largestRounds({ ...budget, event });
      const cost = (n: number) => deltaOf(new Array<PrivacyEvent>(n).fill(event), { epsilon: 1 });
      expect(cost(rounds)).toBeLessThanOrEqual(1e-5);
      expect(cost(rounds + 1)).toBeGreaterThan(1e-5);
    }
    expect(largestRounds({ ...budget, event: pureEvent({ epsilon: 5 }) })).toBe(0);
  });
});
