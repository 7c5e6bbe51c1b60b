import { describe, expect, test } from "vitest";
import { generator } from "../../../bench/uniform-draws.js";
import { deltaOf, epsilonOf } from "../../../src/privacy/accounting/account.js";
import { epsilonBounds } from "../../../src/privacy/accounting/bounds.js";
import { gaussianDelta, gaussianEpsilon } from "../../../src/privacy/accounting/gdp.js";
import { allocationLaw } from "../../../src/privacy/accounting/pld/allocation/allocation-law.js";
import {
  outcomeLaws,
  ratioLaw,
} from "../../../src/privacy/accounting/pld/allocation/allocation.js";
import { boundedLaw } from "../../../src/privacy/accounting/pld/allocation/bounded-law.js";
import { infiniteMass } from "../../../src/privacy/accounting/pld/parts.js";
import { normalCdf } from "../../../src/privacy/accounting/special/erfc.js";
import { gaussianEvent, subsampledGaussianEvent } from "../../../src/privacy/events/events.js";
import { Ledger } from "../../../src/privacy/ledger/ledger.js";
import { parseEvent } from "../../../src/privacy/events/parse-event.js";
import { randomAllocationEvent } from "../../../src/privacy/events/random-allocation.js";
import { someOf, thoroughTest } from "../../thorough.js";
import type { PrivacyEvent } from "../../../src/privacy/events/event-kinds.js";

/** E_Q (R - a)^+ and E_Q (1 - a R)^+ of the grid law, with what it leaves open. */
function divergencesAbove(s: number, sigma: number, a: number): [number, number] {
  const { start, step, q, zero, lostP, lostQ } = ratioLaw(s, sigma);
  let [forward, reverse] = [lostP, lostQ + zero];
  q.forEach((mass, k) => {
    const ratio = Math.exp(start + k * step);
    forward += mass * Math.max(0, ratio - a);
    reverse += mass * Math.max(0, 1 - a * ratio);
  });
  return [forward, reverse];
}

/** What the outcomes below prove, in both directions. */
function divergencesBelow(s: number, sigma: number, a: number): [number, number] {
  const { p, q } = outcomeLaws(s, sigma);
  let [forward, reverse] = [0, 0];
  p.low.forEach((_, k) => {
    forward += Math.max(0, p.low[k]! - a * q.high[k]!);
    reverse += Math.max(0, q.low[k]! - a * p.high[k]!);
  });
  return [forward, reverse];
}

/**
 * Both divergences for two rounds: given the first coordinate x, R > a is a half-line of the second, in closed form;
 * the integral over x by the trapezoidal rule, which is exact to rounding for such integrands.
 */
function exactForTwo(sigma: number, a: number): [number, number] {
  const ratio = (x: number) => Math.exp((2 * x - 1) / (2 * sigma * sigma));
  const inverse = (r: number) => sigma * sigma * Math.log(r) + 0.5;
  const density = (x: number) =>
    Math.exp((-x * x) / (2 * sigma * sigma)) / (sigma * Math.sqrt(2 * Math.PI));
  const step = sigma / 400;
  let [forward, reverse] = [0, 0];
  for (let x = -12 * sigma; x <= 12 * sigma + 2 / sigma + 2; x += step) {
    const u = ratio(x);
    // (u + u')/2 - a > 0, and 1 - a (u + u')/2 > 0.
    const [low, high] = [2 * a - u, 2 / a - u];
    const cut = low > 0 ? inverse(low) : -Infinity;
    const above = normalCdf(-cut / sigma);
    const shifted = normalCdf((1 - cut) / sigma);
    forward += density(x) * ((u / 2 - a) * above + shifted / 2) * step;
    if (high > 0) {
      const top = inverse(high);
      const [below, moved] = [normalCdf(top / sigma), normalCdf((top - 1) / sigma)];
      reverse += density(x) * ((1 - (a * u) / 2) * below - (a * moved) / 2) * step;
    }
  }
  return [forward, reverse];
}

/** The same for two of three rounds, by `sets` or by blocks of two and one: given the first two, R > a is a half-line of the third. */
function exactForTwoOfThree(sigma: number, a: number, sets: boolean): [number, number] {
  const step = sigma / 20;
  const xs = Array.from({ length: 420 }, (_, i) => -10 * sigma + i * step);
  const densities = xs.map(
    (x) => (Math.exp((-x * x) / (2 * sigma * sigma)) / (sigma * Math.sqrt(2 * Math.PI))) * step,
  );
  const ratios = xs.map((x) => Math.exp((2 * x - 1) / (2 * sigma * sigma)));
  const cutAt = (ratio: number) => (ratio > 0 ? sigma * sigma * Math.log(ratio) + 0.5 : -Infinity);
  let [forward, reverse] = [0, 0];
  ratios.forEach((u, i) =>
    ratios.forEach((v, j) => {
      const weight = densities[i]! * densities[j]!;
      const [fixed, rise] = sets ? [(u * v) / 3, (u + v) / 3] : [0, (u + v) / 2];
      const cut = cutAt((a - fixed) / rise);
      const [above, shifted] = [normalCdf(-cut / sigma), normalCdf((1 - cut) / sigma)];
      forward += weight * ((fixed - a) * above + rise * shifted);
      const top = cutAt((1 / a - fixed) / rise);
      const [below, moved] = [normalCdf(top / sigma), normalCdf((top - 1) / sigma)];
      reverse += weight * ((1 - a * fixed) * below - a * rise * moved);
    }),
  );
  return [forward, reverse];
}

/** Losses under P of one round of each block, by drawing them. */
function drawnLosses(blocks: readonly number[], sigma: number, draws: number, seed: number) {
  const { normal } = generator(seed);
  return Float64Array.from({ length: draws }, () =>
    blocks.reduce((loss, size) => {
      let sum = 0;
      // All rounds of a block play the same part: the first is drawn.
      for (let i = 0; i < size; i++) {
        const x = (i === 0 ? 1 : 0) + sigma * normal();
        sum += Math.exp((2 * x - 1) / (2 * sigma * sigma));
      }
      return loss + Math.log(sum / size);
    }, 0),
  );
}

describe("the law of the likelihood ratio", () => {
  test.each(someOf([0.6, 1, 3, 0.25, 10], 5))(
    "of two rounds brackets an integral closely, noise multiplier %d",
    (sigma) => {
      for (const a of [1, 1.3, 3]) {
        const exact = exactForTwo(sigma, a);
        const [above, under] = [divergencesAbove(2, sigma, a), divergencesBelow(2, sigma, a)];
        for (const direction of [0, 1] as const) {
          // The rule resolves the kink of the integrand to 1e-6.
          const error = 1e-6 * exact[direction] + 1e-11;
          expect(above[direction]).toBeGreaterThanOrEqual(exact[direction] - error);
          expect(under[direction]).toBeLessThanOrEqual(exact[direction] + error);
          expect(above[direction]).toBeLessThanOrEqual(exact[direction] * 1.001 + 1e-9);
          expect(under[direction]).toBeGreaterThanOrEqual(exact[direction] * 0.999 - 1e-9);
        }
      }
    },
  );

  test("is above an integral at every threshold, what lower bounds take below it, where no loss counts as infinite", () => {
    for (const sigma of [0.6, 3]) {
      for (const [at, direction] of (
        ["with-against-without", "without-against-with"] as const
      ).entries()) {
        const law = allocationLaw(2, sigma, direction);
        const tails = { pAbove: 0, qAbove: 0, pBelow: 0, qBelow: 0 };
        const divergence = (of: typeof law, a: number) => {
          of.tails(Math.log(a), tails);
          return tails.pAbove - a * tails.qAbove;
        };
        for (const a of [1, 1.3]) {
          const exact = exactForTwo(sigma, a)[at]!;
          expect(divergence(law, a)).toBeGreaterThan(exact);
          expect(divergence(law.weakened!(1), a)).toBeLessThan(exact);
        }
        // What the grid does not hold may be an infinite loss, and may not.
        expect(infiniteMass([{ law, count: 3 }])).toBeGreaterThan(0);
        expect(infiniteMass([{ law, count: 3 }], "lower")).toBe(0);
      }
    }
  });

  test("of bounded outcomes: above loss 0 the least of P and the most of Q, below it the other way round", () => {
    const laws = {
      p: { low: Float64Array.of(0.5, 0.1), high: Float64Array.of(0.6, 0.2) },
      q: { low: Float64Array.of(0.1, 0.7), high: Float64Array.of(0.25, 0.8) },
    };
    const above = (direction: "with-against-without" | "without-against-with", loss: number) => {
      const tails = { pAbove: 0, qAbove: 0, pBelow: 0, qBelow: 0 };
      boundedLaw(laws, direction).tails(loss, tails);
      return [tails.pAbove, tails.qAbove];
    };
    expect(above("with-against-without", 0.1)).toEqual([0.5, 0.25]);
    expect(above("with-against-without", -0.1)).toEqual([1 - 0.2, 1 - 0.7]);
    expect(above("without-against-with", 0.1)).toEqual([0.7, 0.2]);
    expect(above("without-against-with", -0.1)).toEqual([1 - 0.25, 1 - 0.5]);
  });

  test("has the moments of an average of log-normal variables: mean 1, variance (e^(1 / sigma^2) - 1) / s", () => {
    const cases = [[2, 1], [37, 0.7], [100, 200]] as const; // prettier-ignore
    for (const [s, sigma] of someOf(cases, 3)) {
      const { start, step, q } = ratioLaw(s, sigma);
      let [mean, variance] = [0, 0];
      q.forEach((mass, k) => {
        const above = Math.expm1(start + k * step);
        mean += mass * (1 + above);
        variance += mass * above * above;
      });
      expect(mean).toBeCloseTo(1, 10);
      const exact = Math.expm1(1 / sigma ** 2) / s;
      // Larger in the convex order, by what the grid rounds.
      expect(variance).toBeGreaterThan(exact);
      expect(variance).toBeLessThan(1.001 * exact);
    }
  });
});

describe("random allocation", () => {
  thoroughTest(
    "one of t rounds: bounds within 1 %, below Poisson sampling at rate 1/t, above every test",
    () => {
      for (const [t, sigma] of [[100, 1]] as const) {
        const event = randomAllocationEvent({ sigma, rounds: t });
        const { lower, upper } = epsilonBounds([event], { delta: 1e-5 });
        expect(lower / upper).toBeGreaterThan(0.99);
        expect(lower / upper).toBeLessThanOrEqual(1);
        const poisson = new Array<PrivacyEvent>(t).fill(
          subsampledGaussianEvent({ sigma, rate: 1 / t }),
        );
        expect(upper).toBeLessThan(epsilonOf(poisson, { delta: 1e-5 }));
        // Whether some round exceeds a threshold.
        for (const epsilon of [0, lower]) {
          const delta = deltaOf([event], { epsilon });
          for (let x = 0; x < 8; x += 0.25) {
            const stay = normalCdf(x / sigma);
            const found = 1 - stay ** (t - 1) * normalCdf((x - 1) / sigma);
            const missed = 1 - stay ** t;
            expect(found - Math.exp(epsilon) * missed).toBeLessThanOrEqual(delta + 1e-12);
          }
        }
      }
    },
  );

  thoroughTest("one of two rounds: bounds around an integral", () => {
    for (const [sigma, delta] of [
      [0.88, 1e-5],
      [2.4, 4e-14],
      [0.28, 0.02],
    ] as const) {
      const event = randomAllocationEvent({ sigma, rounds: 2 });
      const { lower, upper } = epsilonBounds([event], { delta });
      const at = (epsilon: number) => Math.max(...exactForTwo(sigma, Math.exp(epsilon)));
      expect(at(lower)).toBeGreaterThanOrEqual(delta * (1 - 1e-4));
      expect(at(upper)).toBeLessThanOrEqual(delta * (1 + 1e-4));
    }
  });

  test("two of three rounds: bounds around an integral, and above that of a choice of any two", () => {
    const event = randomAllocationEvent({ sigma: 1, rounds: 3, picks: 2 });
    for (const epsilon of someOf([0.5, 2], 2)) {
      const delta = Math.max(...exactForTwoOfThree(1, Math.exp(epsilon), false));
      const { lower, upper } = epsilonBounds([event], { delta });
      // The rule's error is far below.
      expect(lower).toBeLessThanOrEqual(epsilon * (1 + 1e-5));
      expect(upper).toBeGreaterThanOrEqual(epsilon * (1 - 1e-5));
      expect(lower).toBeGreaterThan(0.999 * epsilon);
      expect(upper).toBeLessThan(1.001 * epsilon);
      const ofSets = Math.max(...exactForTwoOfThree(1, Math.exp(epsilon), true));
      expect(ofSets).toBeLessThan(delta);
      expect(epsilonOf([event], { delta: ofSets })).toBeGreaterThan(epsilon);
    }
  });

  const drawn = [
    { rounds: 10, picks: 5, sigma: 1.076, blocks: [2, 2, 2, 2, 2] },
    { rounds: 11, picks: 3, sigma: 0.5, blocks: [4, 4, 3] },
  ];
  test.each(someOf(drawn, 2))(
    "$picks of $rounds rounds: bounds around what is drawn",
    ({ blocks, ...options }) => {
      const event = randomAllocationEvent(options);
      const draws = 200_000;
      const delta = 0.05;
      const { lower, upper } = epsilonBounds([event], { delta });
      const losses = drawnLosses(blocks, options.sigma, draws, 20);
      // E_P (1 - e^(eps - L))^+ of numbers in [0, 1]: by Hoeffding a false alarm has probability below 1e-6 at each bound.
      const error = Math.sqrt(Math.log(1e6) / (2 * draws));
      const at = (epsilon: number) =>
        losses.reduce((sum, loss) => sum + Math.max(0, -Math.expm1(epsilon - loss)), 0) / draws;
      expect(at(lower)).toBeGreaterThan(delta - error);
      // The other direction may be the larger one; here it is not.
      expect(at(upper)).toBeLessThan(delta + error);
      expect(lower).toBeGreaterThan(0.998 * upper);
    },
  );

  test.each(
    someOf(
      [
        { rounds: 100, picks: 1, sigma: 0.5, delta: 1e-5 },
        { rounds: 100, picks: 2, sigma: 0.25, delta: 1e-9 },
        { rounds: 200, picks: 6, sigma: 1, delta: 1e-6 },
        { rounds: 20, picks: 19, sigma: 2, delta: 1e-5 },
        { rounds: 99_999, picks: 1, sigma: 0.5, delta: 1e-5 },
        { rounds: 100, picks: 10, sigma: 100, delta: 1e-6 },
        { rounds: 3, picks: 1, sigma: 0.06, delta: 1e-5 },
      ],
      3,
    ),
  )(
    "$picks of $rounds rounds, noise multiplier $sigma: bounds within 0.3 %",
    ({ delta, ...options }) => {
      const { lower, upper } = epsilonBounds([randomAllocationEvent(options)], { delta });
      expect(lower).toBeLessThanOrEqual(upper);
      expect(lower).toBeGreaterThan(0.997 * upper);
      expect(upper).toBeLessThan(gaussianEpsilon(Math.sqrt(options.picks) / options.sigma, delta));
      const whole = options.picks / Math.sqrt(options.rounds) / options.sigma;
      expect(upper).toBeGreaterThan(gaussianEpsilon(whole, delta));
    },
  );

  thoroughTest("blocks of two sizes: from above no worse than with the rounds left over", () => {
    const of = (rounds: number) =>
      epsilonOf([randomAllocationEvent({ sigma: 3, rounds, picks: 4 })], { delta: 1e-5 });
    expect(of(27)).toBeLessThan(0.98 * of(24));
    // Blocks of a single round are plain Gaussian releases.
    const few = randomAllocationEvent({ sigma: 3, rounds: 3, picks: 2 });
    const whole = gaussianEvent({ sigma: 3, adjacency: "zero-out" });
    const pair = randomAllocationEvent({ sigma: 3, rounds: 2 });
    const both = epsilonOf([whole, pair], { delta: 1e-5 });
    expect(epsilonOf([few], { delta: 1e-5 })).toBeCloseTo(both, 9);
  });

  test("all rounds are plain Gaussian ones; with little noise no more than what is revealed", () => {
    const all = randomAllocationEvent({ sigma: 2, rounds: 9, picks: 9 });
    expect(all.kind).toBe("gaussian");
    expect(deltaOf([all], { epsilon: 1 })).toBeCloseTo(gaussianDelta(1, 1.5), 12);
    for (const sigma of someOf([0.01, 0.3, 1e-200], 3)) {
      const event = randomAllocationEvent({ sigma, rounds: 50 });
      const { lower, upper } = epsilonBounds([event], { delta: 1e-5 });
      const revealed = sigma > 1e-100 ? gaussianEpsilon(1 / sigma, 1e-5) : Infinity;
      expect(upper).toBeLessThanOrEqual(revealed * (1 + 1e-5));
      expect(lower).toBeLessThanOrEqual(upper);
    }
  });

  test("is refused under replace and by accountants without a theorem; it survives JSON and the ledger", () => {
    const options = { sigma: 4, rounds: 20, picks: 2 };
    expect(() => randomAllocationEvent({ ...options, adjacency: "replace" as "zero-out" })).toThrow(
      'adjacency: expected "zero-out" for random allocation',
    );
    expect(() => randomAllocationEvent({ ...options, picks: 21 })).toThrow("picks: ");
    const event = randomAllocationEvent(options);
    expect(() => epsilonOf([event], { delta: 1e-5, accountant: "rdp" })).toThrow(
      "a random-allocation event has no Renyi divergence",
    );
    expect(parseEvent(JSON.parse(JSON.stringify(event)))).toEqual(event);
    const stored = { ...event, adjacency: "replace" };
    expect(() => parseEvent(stored)).toThrow('event.adjacency: expected "zero-out"');
    const plan = [event];
    const ledger = new Ledger({ epsilon: 2, delta: 1e-5, adjacency: "zero-out", plan });
    ledger.charge(event, { round: 1 });
    expect(ledger.accountant).toBe("pld");
    expect(ledger.spent().epsilon).toBeLessThanOrEqual(2);
  });
});
