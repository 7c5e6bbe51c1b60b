/** Compositions of losses, piece by piece, against direct sums and laws that are known. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  allocationAsKnown,
  allocationRevealed,
} from "../../../../src/privacy/accounting/pld/allocation/allocation-blocks.js";
import {
  composeLosses,
  type ComposedLoss,
} from "../../../../src/privacy/accounting/pld/compose.js";
import { gaussianDelta } from "../../../../src/privacy/accounting/gdp.js";
import { lossLaw } from "../../../../src/privacy/accounting/pld/laws.js";
import { mergeGroups } from "../../../../src/privacy/accounting/pld/merge.js";
import { deltaReader, readEpsilon } from "../../../../src/privacy/accounting/pld/read.js";
import { tailOf } from "../../../../src/privacy/accounting/pld/tail.js";
import { convolveSparse } from "../../../../src/privacy/accounting/pld/sparse.js";
import { twoStepDelta, twoStepEpsilon } from "../../../../src/privacy/accounting/pld/two-steps.js";
import { binomialAtLeast } from "../../../../src/privacy/accounting/special/binomial.js";
import {
  gaussianEvent,
  pureEvent,
  subsampledGaussianEvent,
  wishartEvent,
} from "../../../../src/privacy/events/events.js";
import { randomAllocationEvent } from "../../../../src/privacy/events/random-allocation.js";

const adjacency = "zero-out" as const;

describe("rounds together", () => {
  test("are infinite as often as any of them", () => {
    const event = wishartEvent({ dimension: 1, degreesOfFreedom: 6, scale: 2, adjacency });
    const law = lossLaw(event, "without-against-with")!;
    for (const count of [1, 4]) {
      const parts = [{ law, count }];
      const target = { kind: "epsilon", epsilon: 1 } as const;
      const { infinite } = composeLosses(parts, target, "upper", 1e-6);
      const exact = 1 - (1 - law.infinite) ** count;
      expect(infinite).toBeGreaterThanOrEqual(exact * (1 - 1e-12));
      expect(infinite).toBeLessThan(exact + 1e-6);
    }
  });

  test("have beyond their window no more than is said: randomized response, whose composed law is binomial", () => {
    for (const [epsilon, count] of [
      [0.5, 400],
      [0.1, 5000],
    ] as const) {
      const law = lossLaw(pureEvent({ epsilon, adjacency }), "with-against-without")!;
      const target = { kind: "delta", logDelta: Math.log(1e-6) } as const;
      const found = composeLosses([{ law, count }], target, "upper", 1e-5);
      const last = (found.start + found.mass.length - 1) * found.step;
      // L = (2 K - n) eps, K of n with probability e^eps / (1 + e^eps).
      const least = Math.floor((last / epsilon + count) / 2) + 1;
      const tail = binomialAtLeast(count, least, 1 / (1 + Math.exp(-epsilon)));
      expect(tail).toBeGreaterThan(0);
      expect(found.logAbove).toBeGreaterThan(Math.log(tail));
      expect(found.logAbove).toBeLessThan(Math.log(1e-6) - 10);
    }
  });
});

test("what is cut off counts as infinite, and is a given part of delta however small delta is: Gaussian rounds, in closed form", () => {
  const [count, mu] = [16, 0.25];
  const event = gaussianEvent({ sigma: 1, sensitivity: mu, adjacency });
  const law = lossLaw(event, "with-against-without")!;
  for (const epsilon of [2, 9]) {
    const allowance = { margin: 18, truncation: 17, resolved: Infinity };
    const target = { kind: "epsilon", epsilon } as const;
    const tail = tailOf([{ law, count }], target, count, allowance);
    const beyond = { pAbove: 0, qAbove: 0, pBelow: 0, qBelow: 0 };
    law.tails(law.nodes[tail.last[0]!]!, beyond);
    const delta = gaussianDelta(epsilon, mu * Math.sqrt(count));
    expect(delta).toBeGreaterThan(0);
    // The estimate of delta that sets the cut is good to a factor of e.
    expect(Math.log(count * beyond.pAbove)).toBeLessThan(Math.log(delta) - 16);
  }
});

describe("a composed loss, read", () => {
  const loss: ComposedLoss = {
    start: -2,
    step: 0.5,
    tilt: 0,
    logMoment: 0,
    infinite: 0.01,
    logAbove: Math.log(0.02),
    mass: Float64Array.of(0.1, 0.2, 0.3, 0.2, 0.17),
    logWrapped: Math.log(1e-3),
    noise: 2e-3,
    drift: 0,
  };
  /** sum of p (1 - e^(eps - l)) over losses above. */
  const plain = (epsilon: number) =>
    loss.mass.reduce((sum, p, k) => sum + p * Math.max(0, -Math.expm1(epsilon - (k - 2) / 2)), 0);

  test("is the profile, with all that is not resolved against us, or left out of a lower bound", () => {
    const [upper, lower] = [deltaReader(loss, "upper"), deltaReader(loss, "lower")];
    for (const epsilon of [0, 0.2, 0.5, 0.7]) {
      expect(upper(epsilon)).toBeCloseTo(plain(epsilon) + 0.03 + 2e-3, 12);
      expect(lower(epsilon)).toBeCloseTo(Math.max(0, plain(epsilon) + 0.01 - 3e-3), 12);
    }
    // Beyond the window only what lies there.
    expect(upper(1.2)).toBeCloseTo(0.03, 12);
    expect(lower(1.2)).toBeCloseTo(0.01, 12);
    const moved = { ...loss, drift: 0.1 };
    expect(deltaReader(moved, "upper")(0.3)).toBeCloseTo(upper(0.2), 12);
    expect(deltaReader(moved, "lower")(0.2)).toBeCloseTo(lower(0.3), 12);
  });

  test("gives the epsilon at which the profile is the delta, moved by what rounding may have moved", () => {
    for (const delta of [0.05, 0.1, 0.2]) {
      const epsilon = readEpsilon(loss, delta, "upper");
      expect(deltaReader(loss, "upper")(epsilon)).toBeLessThanOrEqual(delta * (1 + 1e-9));
      const below = readEpsilon(loss, delta, "lower");
      expect(below).toBeLessThan(epsilon);
      expect(readEpsilon({ ...loss, drift: 0.1 }, delta, "upper")).toBeCloseTo(epsilon + 0.1, 12);
      expect(readEpsilon({ ...loss, drift: 0.01 }, delta, "lower")).toBeCloseTo(Math.max(0, below - 0.01), 12); // prettier-ignore
    }
    // Nothing is known below what lies beyond the window.
    expect(readEpsilon(loss, 0.03, "upper")).toBe(Infinity);
    expect(readEpsilon(loss, 0.03, "lower")).toBeLessThan(Infinity);
    expect(readEpsilon(loss, 0.01, "lower")).toBe(Infinity);
    // Nor of what is no number: nothing is promised, and nothing proven.
    const unknown = { ...loss, mass: loss.mass.map(() => NaN) };
    expect(readEpsilon(unknown, 0.05, "upper")).toBe(Infinity);
    expect(readEpsilon(unknown, 0.05, "lower")).toBe(0);
  });

  test("says nothing where it is no number", () => {
    const broken = { ...loss, logMoment: NaN };
    expect(deltaReader(broken, "upper")(0.1)).toBe(1);
    expect(deltaReader(broken, "lower")(0.1)).toBe(0);
  });
});

test("few taps are convolved on the circle as the definition says", () => {
  const weight = fc.double({ min: 0.01, max: 1, noNaN: true });
  const tap = fc.record({
    start: fc.integer({ min: -40, max: 40 }),
    weights: fc.array(weight, { minLength: 1, maxLength: 4 }),
    apart: fc.nat(3),
  });
  fc.assert(
    fc.property(
      fc.array(weight, { minLength: 16, maxLength: 16 }),
      fc.array(tap, { maxLength: 3 }),
      (x, taps) => {
        const spread = taps.map(({ start, weights, apart }) => {
          const out = new Float64Array((weights.length - 1) * (apart + 1) + 1);
          weights.forEach((w, i) => (out[i * (apart + 1)] = w));
          return { start, weights: out };
        });
        let expected = x;
        for (const { start, weights } of spread) {
          const next = new Array<number>(16).fill(0);
          expected.forEach((value, k) =>
            weights.forEach((w, i) => (next[(((k + start + i) % 16) + 16) % 16]! += w * value)),
          );
          expected = next;
        }
        const found = convolveSparse(Float64Array.from(x), spread);
        expected.forEach((value, k) => expect(found[k]).toBeCloseTo(value, 10));
      },
    ),
    { numRuns: 200, seed: 17 },
  );
});

test("many kinds of rounds are merged into as many rounds, each at least as strong, or for a lower bound at most", () => {
  const events = Array.from({ length: 300 }, (_, k) => ({
    event: subsampledGaussianEvent({ rate: 0.1, sigma: 1.05 ** k }),
    count: 1 + (k % 3),
  }));
  const rounds = (groups: { count: number }[]) => groups.reduce((sum, { count }) => sum + count, 0);
  const strengths = (groups: readonly { event: unknown; count: number }[]) =>
    groups
      .flatMap(({ event, count }) => {
        const { sigma, sensitivity } = event as { sigma: number; sensitivity: number };
        return new Array<number>(count).fill(sensitivity / sigma);
      })
      .sort((a, b) => b - a);
  const upper = mergeGroups(events, "upper");
  expect(upper.length).toBeLessThan(60);
  expect(rounds(upper)).toBe(rounds(events));
  const own = strengths(events);
  strengths(upper).forEach((mu, k) => {
    expect(mu).toBeGreaterThanOrEqual(own[k]!);
    expect(mu).toBeLessThan(own[k]! * 1.4 + own[0]! * 2e-6);
  });
  const lower = mergeGroups(events, "lower");
  expect(rounds(lower)).toBeLessThanOrEqual(rounds(events));
  strengths(lower).forEach((mu, k) => expect(mu).toBeLessThanOrEqual(own[k]!));
});

describe("allocations", () => {
  test("fall into as many blocks as rounds are picked, together as long as they are", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 2, max: 500 }),
        fc.double({ min: 0.001, max: 0.99, noNaN: true }),
        fc.integer({ min: 1, max: 4 }),
        (rounds, part, count) => {
          const picks = Math.max(1, Math.floor(part * rounds));
          const event = randomAllocationEvent({ sigma: 1, rounds, picks });
          const blocks = allocationAsKnown({ event, count }, "upper");
          const length = (one: (typeof blocks)[number]) =>
            one.event.kind === "random-allocation" ? one.event.rounds : 1;
          expect(blocks.reduce((sum, one) => sum + one.count, 0)).toBe(count * picks);
          expect(blocks.reduce((sum, one) => sum + one.count * length(one), 0)).toBe(
            count * rounds,
          );
          for (const one of blocks) {
            if (one.event.kind === "random-allocation") expect(one.event.picks).toBe(1);
          }
          expect(allocationRevealed({ event, count }).count).toBe(count * picks);
        },
      ),
      { numRuns: 100, seed: 18 },
    );
  });
});

test("two steps of randomized response cost no less than their composition: binomial", () => {
  const [epsilon, counts] = [0.5, [3, 1]] as const;
  const law = lossLaw(pureEvent({ epsilon, adjacency }), "with-against-without")!;
  const [first, second] = counts.map((count) => [{ law, count }]);
  const way = { first: first!, second: second! };
  const n = counts[0] + counts[1];
  // Of n answers, k changed ones have the loss (n - 2 k) epsilon.
  const changed = 1 / (1 + Math.exp(epsilon));
  const choose = [1, 4, 6, 4, 1];
  const exact = (at: number) =>
    choose.reduce((sum, ways, k) => {
      const mass = ways * changed ** k * (1 - changed) ** (n - k);
      return sum + mass * Math.max(0, -Math.expm1(at - (n - 2 * k) * epsilon));
    }, 0);
  for (const at of [0.2, 0.55, 1.05, 1.45, 1.6, 1.95]) {
    expect(twoStepDelta([way], at)).toBeGreaterThanOrEqual(exact(at));
    expect(twoStepDelta([way], at)).toBeLessThan(1);
    expect(exact(twoStepEpsilon([way], exact(at)))).toBeLessThanOrEqual(exact(at) * (1 + 1e-9));
  }
  expect(twoStepDelta([way], n * epsilon)).toBe(0);
});
