import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  deltaOf,
  deltaOfGroups,
  epsilonOfGroups,
} from "../../../src/privacy/accounting/account.js";
import {
  ACCOUNTANT_NAMES,
  type AccountantName,
} from "../../../src/privacy/accounting/accountants/accountant.js";
import { epsilonBounds } from "../../../src/privacy/accounting/bounds.js";
import { claimedDelta, claimedEpsilon, within } from "../../../src/privacy/accounting/figures.js";
import type { EventGroup } from "../../../src/privacy/accounting/groups.js";
import { chiSquare } from "../../../src/privacy/accounting/wishart-profile.js";
import {
  discreteGaussianEvent,
  gaussianEvent,
  laplaceEvent,
  pureEvent,
  subsampledGaussianEvent,
  twoSidedWishartEvent,
  wishartEvent,
} from "../../../src/privacy/events/events.js";
import { BudgetExceededError, Ledger } from "../../../src/privacy/ledger/ledger.js";
import { logNormalCdf, normalCdf } from "../../../src/privacy/accounting/special/erfc.js";
import { someOf, thorough, thoroughTest } from "../../thorough.js";
import { uniform } from "../uniform.js";
import type { PrivacyEvent } from "../../../src/privacy/events/event-kinds.js";

const adjacency = "zero-out" as const;

describe("NaN counts as infinity", () => {
  test("a ledger refuses noise multipliers at which Renyi divergences overflow", () => {
    const event = subsampledGaussianEvent({ sigma: 0.04, rate: 1e-3 });
    const plan = new Array<PrivacyEvent>(30).fill(event);
    expect(() => new Ledger({ epsilon: 1, delta: 1e-6, adjacency, plan })).toThrow(
      BudgetExceededError,
    );
    const groups = [{ event, count: 30 }];
    for (const accountant of someOf(["auto", "pld", "rdp"] as const, 2)) {
      // Some round tells with probability 1 - (1 - q)^30 that the task took part.
      expect(deltaOfGroups(groups, 1, accountant).delta).toBeGreaterThan(0.0295);
    }
  });

  test("the one-sided Wishart profile is its true delta, however large epsilon", () => {
    const event = (nu: number) =>
      wishartEvent({ dimension: 3, degreesOfFreedom: nu, scale: 0.5, adjacency });
    for (const epsilon of [600, 709, 710, 720, 1e4, 1e300]) {
      // n = 2, b = 2: outside of the support with probability 1 - e^-1.
      expect(deltaOf([event(4)], { epsilon })).toBeCloseTo(-Math.expm1(-1), 10);
      expect(deltaOf([event(10)], { epsilon })).toBeCloseTo(chiSquare(8, 2).lower, 10);
      // Through the world between, a replaced column shows at least as often.
      const replaced = { ...event(4), adjacency: "replace" as const };
      expect(deltaOf([replaced], { epsilon })).toBeGreaterThanOrEqual(-Math.expm1(-1) * (1 - 1e-9));
    }
  });

  test("what is claimed of a computed figure", () => {
    expect([NaN, -1e-17, 0.3, Infinity].map(claimedEpsilon)).toEqual([Infinity, 0, 0.3, Infinity]);
    expect([NaN, -1e-17, 0.3, 1.0000000000000142].map(claimedDelta)).toEqual([1, 0, 0.3, 1]);
    expect([within(NaN, 1), within(1, NaN), within(1, 1)]).toEqual([false, false, true]);
  });
});

/** 10^x with x where things happen, far from it, or anywhere in the range of doubles. */
const magnitude = fc
  .oneof(
    { arbitrary: uniform(-3, 3), weight: 3 },
    { arbitrary: uniform(-30, 30), weight: 1 },
    { arbitrary: uniform(-300, 300), weight: 1 },
  )
  .map((exponent) => 10 ** exponent);
const sensitivity = fc.oneof(fc.constant(1), fc.constant(1), magnitude);
const rate = magnitude.map((x) => Math.min(x, 1 / x, 0.999));

const anyEvent: fc.Arbitrary<PrivacyEvent> = fc.oneof(
  fc
    .tuple(magnitude, sensitivity)
    .map(([sigma, s]) => gaussianEvent({ sigma, sensitivity: s, adjacency })),
  fc
    .tuple(magnitude, sensitivity, rate)
    .map(([sigma, s, q]) => subsampledGaussianEvent({ sigma, sensitivity: s, rate: q })),
  fc.tuple(magnitude, rate).map(([sigma, q]) => subsampledGaussianEvent({ sigma, rate: q })),
  fc
    .tuple(magnitude, sensitivity)
    .map(([scale, s]) => laplaceEvent({ scale, sensitivity: s, adjacency })),
  magnitude.map((epsilon) => pureEvent({ epsilon, adjacency })),
  magnitude.map((scale) => twoSidedWishartEvent({ scale, adjacency })),
  fc
    .tuple(magnitude, uniform(0, 500), fc.integer({ min: 1, max: 50 }))
    .map(([scale, more, dimension]) =>
      wishartEvent({ dimension, degreesOfFreedom: dimension + 1 + more, scale, adjacency }),
    ),
  fc.tuple(magnitude, sensitivity, uniform(-12, -1)).map(([sigma, s, grid]) =>
    discreteGaussianEvent({
      sigma,
      grid: sigma * 10 ** grid,
      entries: 5,
      sensitivity: s,
      adjacency,
    }),
  ),
);
const count = fc.oneof(
  fc.constant(1),
  uniform(0, 9).map((x) => Math.floor(10 ** x)),
);
const groupsOf: fc.Arbitrary<EventGroup[]> = fc.array(fc.record({ event: anyEvent, count }), {
  minLength: 1,
  maxLength: 2,
});
const anyDelta = fc.oneof(
  fc.constant(0),
  magnitude.map((x) => Math.min(x, 1 / x, 0.9)),
);
const anyEpsilon = fc.oneof(fc.constant(0), magnitude);

/** Outcomes of one round: the probability in one world, and the logarithm of that in the other. */
function outcomesOf(event: PrivacyEvent): [number, number][] {
  switch (event.kind) {
    case "gaussian":
    case "subsampled-gaussian": {
      const mu = event.sensitivity / event.sigma;
      const q = event.kind === "gaussian" ? 1 : event.sampling.rate;
      return [0, mu / 2, mu, ...[1, 3, 5, 7].flatMap((z) => [z, mu + z, mu - z])].map((x) => [
        (1 - q) * normalCdf(-x) + q * normalCdf(mu - x),
        logNormalCdf(-x),
      ]);
    }
    case "pure":
    case "two-sided-wishart": {
      const epsilon = event.kind === "pure" ? event.epsilon : event.sensitivity / (2 * event.scale);
      return [[1 / (1 + Math.exp(-epsilon)), -epsilon - Math.log1p(Math.exp(-epsilon))]];
    }
    case "laplace":
      return [[0.5, -Math.LN2 - event.sensitivity / event.scale]];
    case "wishart": {
      const n = event.degreesOfFreedom - event.dimension + 1;
      return [[chiSquare(n, event.clip ** 2 / event.scale).lower, -Infinity]];
    }
    default:
      return [];
  }
}

/** What observing an outcome, in one round or in some round, proves delta to be at least. */
function provenDelta(groups: readonly EventGroup[], epsilon: number): number {
  const some = (p: number, rounds: number) => -Math.expm1(rounds * Math.log1p(-p));
  let proven = 0;
  for (const { event, count: rounds } of groups) {
    for (const [p, logQ] of outcomesOf(event)) {
      for (const n of [1, rounds]) {
        // No more than n q; each term gives way by its rounding.
        const logSome = logQ > -600 ? Math.log(some(Math.exp(logQ), n)) : logQ + Math.log(n);
        const missed = logQ === -Infinity ? 0 : Math.exp(epsilon + logSome);
        const found = some(p, n) * (1 - 1e-12) - missed * (1 + 1e-12 * (1 + epsilon));
        if (found > proven) proven = found;
      }
    }
  }
  return proven;
}

/** Of these "auto" asks pld, which takes long. */
const names = [...ACCOUNTANT_NAMES, "auto" as const].filter((name) => thorough || name !== "pld");

/** The figures of an accountant; undefined where it refuses the events. */
function figures(groups: EventGroup[], accountant: AccountantName | "auto") {
  try {
    deltaOfGroups(groups, 1, accountant);
  } catch (error) {
    if (error instanceof RangeError && /expected one that covers|none covers/.test(error.message)) {
      return undefined;
    }
    throw error;
  }
  return {
    epsilon: (delta: number) => epsilonOfGroups(groups, delta, accountant).epsilon,
    delta: (epsilon: number) => deltaOfGroups(groups, epsilon, accountant).delta,
  };
}

/** Grids differ between questions: a numerical accountant's figures are monotone up to its accuracy. */
const LOOSE = 1 + 2e-3;

describe("events of all magnitudes, by every accountant", () => {
  test.each(names)(
    "%s: a number, in range, monotone, and never below what a test proves",
    (name) => {
      let covered = 0;
      fc.assert(
        fc.property(groupsOf, anyDelta, anyEpsilon, (groups, delta, epsilon) => {
          const of = figures(groups, name);
          if (!of) return;
          covered++;
          const [e, d] = [of.epsilon(delta), of.delta(epsilon)];
          expect(e).toBeGreaterThanOrEqual(0);
          expect(d).toBeGreaterThanOrEqual(0);
          expect(d).toBeLessThanOrEqual(1);
          expect(of.epsilon(Math.min(0.95, 2 * delta + 1e-300))).toBeLessThanOrEqual(
            e * LOOSE + 1e-9,
          );
          expect(of.delta(2 * epsilon + 1e-300)).toBeLessThanOrEqual(d * LOOSE + 1e-13);
          expect(d).toBeGreaterThanOrEqual(provenDelta(groups, epsilon) * (1 - 1e-9));
          if (e < Infinity) expect(provenDelta(groups, e) * (1 - 1e-9)).toBeLessThanOrEqual(delta);
        }),
        {
          numRuns: { pld: 12, exact: thorough ? 150 : 40, auto: 10, rdp: thorough ? 60 : 40 }[name as string] ?? 120, // prettier-ignore
          seed: 20,
          endOnFailure: true,
        },
      );
      expect(covered).toBeGreaterThan(name === "selection" ? -1 : thorough ? 6 : 4);
    },
  );

  thoroughTest("certified bounds are ordered, and the lower one is below every accountant", () => {
    fc.assert(
      fc.property(groupsOf, anyDelta, (groups, delta) => {
        if (groups.some(({ event }) => event.kind === "discrete-gaussian")) return;
        const events = groups.flatMap(({ event, count: n }) =>
          new Array<PrivacyEvent>(Math.min(n, 2000)).fill(event),
        );
        const { lower, upper } = epsilonBounds(events, { delta });
        expect(lower).toBeGreaterThanOrEqual(0);
        expect(lower).toBeLessThanOrEqual(upper);
        const small = groups.map(({ event, count: n }) => ({ event, count: Math.min(n, 2000) }));
        for (const name of ["gdp", "exact", "kov", "rdp"] as const) {
          const of = figures(small, name);
          if (of) expect(lower).toBeLessThanOrEqual(of.epsilon(delta) * (1 + 1e-9) + 1e-12);
        }
      }),
      { numRuns: 15, seed: 21, endOnFailure: true },
    );
  });
});
