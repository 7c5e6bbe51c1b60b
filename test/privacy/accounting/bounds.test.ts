import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { epsilonOf } from "../../../src/privacy/accounting/account.js";
import { epsilonBounds } from "../../../src/privacy/accounting/bounds.js";
import type { ComposedLoss } from "../../../src/privacy/accounting/pld/compose.js";
import { pessimistic, type GridLaw } from "../../../src/privacy/accounting/pld/discretize.js";
import { isSymmetric, lossLaw } from "../../../src/privacy/accounting/pld/laws.js";
import { optimistic } from "../../../src/privacy/accounting/pld/optimistic.js";
import { readDelta, readEpsilon } from "../../../src/privacy/accounting/pld/read.js";
import {
  gaussianEvent,
  laplaceEvent,
  pureEvent,
  subsampledGaussianEvent,
  wishartEvent,
} from "../../../src/privacy/events/events.js";
import { someOf, thorough, thoroughTest } from "../../thorough.js";
import { profile } from "../laws.js";
import { describePartOfReference } from "../reference.js";
import { uniform } from "../uniform.js";
import type { PrivacyEvent } from "../../../src/privacy/events/event-kinds.js";

const adjacency = "zero-out" as const;
const rounds = (event: PrivacyEvent, n: number) => new Array<PrivacyEvent>(n).fill(event);

/** The profile of masses on a grid. */
function gridProfile({ start, mass, infinite }: GridLaw, step: number, loss: number): number {
  return mass.reduce(
    (total, p, i) => total + p * Math.max(0, -Math.expm1(loss - (start + i) * step)),
    infinite,
  );
}

const anyEvent: fc.Arbitrary<PrivacyEvent> = fc.oneof(
  uniform(0.3, 5).map((sigma) => gaussianEvent({ sigma, adjacency })),
  uniform(0.3, 5).map((scale) => laplaceEvent({ scale, adjacency })),
  uniform(0.1, 3).map((epsilon) => pureEvent({ epsilon, adjacency })),
  fc
    .tuple(uniform(0.3, 3), uniform(0.001, 0.7))
    .map(([sigma, rate]) => subsampledGaussianEvent({ sigma, rate })),
  fc
    .tuple(fc.constantFrom(2, 3, 40), uniform(0.2, 3))
    .map(([n, scale]) => wishartEvent({ dimension: 1, degreesOfFreedom: n, scale, adjacency })),
);

describe("one round on a grid, whatever lies beyond its edges", () => {
  test("the pessimistic law lies above the profile, the optimistic one below", () => {
    fc.assert(
      fc.property(
        anyEvent,
        fc.constantFrom("with-against-without", "without-against-with" as const),
        uniform(0.01, 0.5),
        fc.integer({ min: -60, max: 0 }),
        fc.integer({ min: 1, max: 60 }),
        (event, direction, step, first, last) => {
          const law = lossLaw(event, direction as "with-against-without")!;
          const upper = pessimistic(law, step, first, last);
          const lower = optimistic(law, step, first, last);
          for (let i = -80; i <= 80; i++) {
            // Between grid points as well as on them.
            const loss = i * step * 0.77;
            const truth = profile(law, loss);
            expect(gridProfile(upper, step, loss)).toBeGreaterThanOrEqual(truth - 1e-13);
            expect(gridProfile(lower, step, loss)).toBeLessThanOrEqual(truth + 1e-13);
          }
          // Nothing is lost: P has probability 1.
          const total = upper.mass.reduce((a, b) => a + b, upper.infinite);
          expect(Math.abs(total - 1)).toBeLessThan(1e-12);
        },
      ),
      { numRuns: thorough ? 100 : 20, seed: 30 },
    );
    expect(isSymmetric(pureEvent({ epsilon: 1 }))).toBe(true);
  });

  thoroughTest("both laws come together with the square of the step", () => {
    const law = lossLaw(
      subsampledGaussianEvent({ sigma: 0.8, rate: 1e-4 }),
      "with-against-without",
    )!;
    const gap = (step: number) => {
      const [first, last] = [Math.floor(-1.1e-4 / step), Math.ceil(2 / step)];
      const upper = gridProfile(pessimistic(law, step, first, last), step, 0);
      return upper - gridProfile(optimistic(law, step, first, last), step, 0);
    };
    expect(gap(2e-5) / gap(1e-5)).toBeGreaterThan(3);
  });
});

describe("reading a composed loss", () => {
  // Half the mass at loss 1, the rest lost, beyond the window or infinite.
  const loss: ComposedLoss = {
    start: 0,
    step: 1,
    tilt: 0,
    logMoment: 0,
    mass: Float64Array.of(0, 0.5, 0, 0),
    infinite: 0.1,
    logAbove: Math.log(0.2),
    logWrapped: Math.log(0.05),
    noise: 0,
    drift: 0,
  };
  const own = 0.5 * -Math.expm1(-0.5);

  test("an upper bound counts what lies beyond the window as infinite, a lower one nothing", () => {
    expect(readDelta(loss, 0.5, "upper")).toBeCloseTo(own + 0.1 + 0.2, 14);
    expect(readDelta(loss, 0.5, "lower")).toBeCloseTo(own + 0.1 - 0.05, 14);
    expect(readEpsilon(loss, 0.29, "upper")).toBe(Infinity);
    expect(readEpsilon(loss, 0.05, "lower")).toBe(Infinity);
    expect(readEpsilon(loss, 0.29, "lower")).toBeLessThan(1);
    expect(readEpsilon(loss, own + 0.3, "upper")).toBeCloseTo(0.5, 12);
  });
});

describe("epsilonBounds", () => {
  // pld.test.ts holds the upper end to every case.
  describePartOfReference(
    { every: 18, ofAll: 3 },
    "accounting",
    "pld_epsilon",
    ({ params, expect: want }) => {
      const { q, sigma, T, deltas } = params as {
        q: number;
        sigma: number;
        T: number;
        deltas: number[];
      };
      const events = rounds(subsampledGaussianEvent({ sigma, rate: q, adjacency }), T);
      const truth = (want["eps"] as number[])[1]!;
      const { lower, upper } = epsilonBounds(events, { delta: deltas[1]! });
      expect(lower).toBeLessThanOrEqual(truth * (1 + 1e-8) + 1e-9);
      expect(upper).toBeGreaterThanOrEqual(truth * (1 - 1e-8) - 1e-9);
      // Beyond the range of exp the lower bound holds, but says less.
      if (truth < 600) expect(upper - lower).toBeLessThanOrEqual(1e-3 * upper + 1e-6);
    },
  );

  test.each(someOf([2, 0.5, 4], 3))(
    "is within 1 % at q = 1e-4 and T = 1e5, noise multiplier %d",
    (sigma) => {
      const events = rounds(subsampledGaussianEvent({ sigma, rate: 1e-4 }), 1e5);
      for (const delta of [1e-5, 1e-8]) {
        const { lower, upper } = epsilonBounds(events, { delta });
        expect(lower / upper).toBeGreaterThan(0.99);
        expect(lower / upper).toBeLessThanOrEqual(1);
      }
    },
  );

  test.each(someOf([100, 1e5], 2))("the lower bound holds at a loss of %d a round", (size) => {
    const mu = Math.sqrt(2 * size);
    for (const n of [1, 3]) {
      for (const delta of [1e-3, 0.4]) {
        // Randomized response in n rounds, and Gaussian rounds, have closed forms.
        for (const event of [
          pureEvent({ epsilon: size, adjacency }),
          gaussianEvent({ sigma: 1 / mu, adjacency }),
        ]) {
          const { lower } = epsilonBounds(rounds(event, n), { delta });
          const accountant = event.kind === "pure" ? "exact" : "gdp";
          const truth = epsilonOf(rounds(event, n), { delta, accountant });
          expect(lower).toBeLessThanOrEqual(truth * (1 + 1e-11));
        }
        if (n === 1) {
          const { lower } = epsilonBounds([laplaceEvent({ scale: 1 / size, adjacency })], {
            delta,
          });
          expect(lower).toBeLessThanOrEqual(size + 2 * Math.log1p(-delta) + 1e-9 * size);
        }
      }
    }
  });
});
