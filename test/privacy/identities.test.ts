/** Identities between figures that are computed apart: both directions of a divergence, sums, proofs of a loss. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { epsilonBounds } from "../../src/privacy/accounting/bounds.js";
import { sum } from "../../src/privacy/accounting/rounding.js";
import {
  sampledAddDelta,
  sampledRemoveDelta,
} from "../../src/privacy/accounting/sampled-gaussian.js";
import { proveLoss } from "../../src/privacy/audit/prove-loss.js";
import { discreteGaussianEvent } from "../../src/privacy/events/events.js";
import { createMechanism } from "../../src/privacy/mechanisms/create.js";
import { mechanismsFor } from "../../src/privacy/mechanisms/catalogue.js";
import { preferExact } from "../../src/privacy/mechanisms/prefer-exact.js";
import { openCore } from "../../src/core/index.js";
import { openStream } from "../../src/random/index.js";

test("adding a task to a sample and removing it are one divergence, read from both sides", () => {
  // H_a(P || Q) = 1 - a + a H_(1/a)(Q || P), whatever P and Q are.
  fc.assert(
    fc.property(
      fc.double({ min: 1e-3, max: 0.999, noNaN: true }),
      fc.double({ min: -1, max: 6, noNaN: true }),
      fc.double({ min: 0, max: 4, noNaN: true }),
      (rate, decade, part) => {
        const sigma = 10 ** decade;
        const law = { rate, sigma };
        // Losses there are.
        const epsilon = Math.min(0.9 * -Math.log1p(-rate), (part * rate) / sigma);
        const other = -Math.expm1(epsilon) + Math.exp(epsilon) * sampledRemoveDelta(law, -epsilon);
        const found = sampledAddDelta(law, epsilon);
        expect(Math.abs(found - other)).toBeLessThan(1e-13 + 1e-9 * other);
      },
    ),
    { numRuns: 400, seed: 31 },
  );
});

test("bounds are refused where no dominating pair is known", () => {
  const event = discreteGaussianEvent({ sigma: 1, grid: 1e-6, entries: 3 });
  expect(() => epsilonBounds([event], { delta: 1e-6 })).toThrow(/dominating pair.* discrete-gaussian/); // prettier-ignore
});

test("a long sum is off by no more than the rounding of its result", () => {
  // Whole numbers of 2^-40: their exact sum is one of big integers.
  const term = fc.tuple(fc.maxSafeInteger(), fc.nat(40));
  fc.assert(
    fc.property(fc.array(term, { minLength: 50, maxLength: 300 }), (terms) => {
      const exact = terms.reduce((total, [n, e]) => total + (BigInt(n) << BigInt(e)), 0n);
      const found = sum(terms.length, (i) => terms[i]![0] * 2 ** (terms[i]![1] - 40));
      const most = terms.reduce((largest, [n, e]) => Math.max(largest, Math.abs(n) * 2 ** e), 0);
      const off = Math.abs(found * 2 ** 40 - Number(exact));
      expect(off).toBeLessThanOrEqual(2 ** -51 * Math.abs(Number(exact)) + 2 ** -90 * most);
    }),
    { numRuns: 100, seed: 32 },
  );
  expect(sum(10_000_000, () => 0.1)).toBe(1_000_000);
  expect(sum(3, () => Infinity)).toBe(Infinity);
});

test("worlds that are told apart for certain prove what the binomial bounds allow, no more", () => {
  // Each world's 1000 tested trials give its own score: p >= a^(1/1000), q <= 1 - a^(1/1000), a a quarter of 1 - confidence.
  const scores = { name: "certain", present: new Float64Array(2000).fill(1), neighbour: new Float64Array(2000).fill(-1) }; // prettier-ignore
  for (const confidence of [0.9, 0.999]) {
    const proof = proveLoss([scores], { epsilon: 1, delta: 0.01 }, confidence);
    const p = ((1 - confidence) / 4) ** (1 / 1000);
    expect(proof.byEpsilon.epsilon).toBeCloseTo(Math.log((p - 0.01) / (1 - p)), 9);
    expect(proof.byDelta.delta).toBeCloseTo(p - Math.E * (1 - p), 9);
    expect(proof.verdict).toBe("violated");
  }
});

describe("mechanisms in floating point", () => {
  const common = { tasks: 5, dimension: 4, clip: 1 };
  const all = (["covariance", "diagonal", "vector", "augmented-covariance"] as const).flatMap(
    (statistic) =>
      mechanismsFor(statistic).flatMap((name) =>
        [false, true].map((discrete) => ({ statistic, name, discrete })),
      ),
  );
  test.each(all)(
    "$name on $statistic, exact: $discrete, has noise in every entry, and leaves nothing in its scratch memory",
    (given) => {
      const make = () => createMechanism({ ...common, ...given, delta: 1e-6 });
      if (given.discrete && given.name.startsWith("wishart")) {
        expect(make).toThrow("no exact form");
        return;
      }
      const mechanism = make();
      const core = openCore();
      const random = openStream(core, { mode: "seeded", seed: given.name });
      const at = core.arena.zeros(25);
      const bytes = Math.floor(mechanism.workspace(core) / 4) * 4;
      const work = core.arena.bytes(bytes);
      mechanism.perturb(core, random, at, 1, work);
      // All entries of the statistic have noise, and nothing beyond it.
      const length = { covariance: 16, "augmented-covariance": 25, diagonal: 4, vector: 4 };
      const noisy = [...core.arena.view(at, 25)].map((value) => value !== 0);
      expect(noisy).toEqual(noisy.map((_, k) => k < length[given.statistic]));
      expect(core.arena.words(work, bytes / 4).every((word) => word === 0)).toBe(true);
    },
  );
});

test("noise is exact where it can be, in floating point beyond its range, and of no other error", () => {
  expect(preferExact((exact) => exact)).toBe(true);
  const beyond = (exact: boolean) => {
    if (exact) throw new RangeError("budget");
    return exact;
  };
  expect(preferExact(beyond)).toBe(false);
  const broken = (exact: boolean) => {
    if (exact) throw new TypeError("a fault of the program");
    return exact;
  };
  expect(() => preferExact(broken)).toThrow(TypeError);
});
