import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  addNoiseShare,
  eventSteps,
  shareEvent,
  shareSteps,
} from "../../../../src/federation/secure-aggregation/integers/noise.js";
import {
  addStatistic,
  lattice,
  quantize,
  unpackStatistic,
  type SummedStatistic,
  isMatrix,
  largestEntry,
  squaredSensitivity,
  statisticEntries,
} from "../../../../src/federation/secure-aggregation/integers/fixed-point.js";
import {
  aggregationGrid,
  modulusBits,
  type GridOptions,
} from "../../../../src/federation/secure-aggregation/integers/numbers.js";
import { parties } from "../../../../src/federation/secure-aggregation/plan/parties.js";
import {
  shareMechanism,
  shareMechanisms,
} from "../../../../src/federation/secure-aggregation/plan/mechanism.js";
import { roundToGrid } from "../../../../src/federation/secure-aggregation/integers/parts.js";
import { openCore } from "../../../../src/core/core.js";
import { epsilonOf, gaussianEpsilon, sensitivity } from "../../../../src/privacy/index.js";
import { openStream } from "../../../../src/random/index.js";

const STATISTICS: SummedStatistic[] = ["covariance", "diagonal", "augmented-covariance", "vector"];

const vector = (d: number) =>
  fc.array(fc.double({ min: -1e6, max: 1e6, noNaN: true }), { minLength: d, maxLength: d });

/** Squared Frobenius norm of packed integers, exactly. */
function squaredNorm(statistic: SummedStatistic, d: number, packed: Float64Array): bigint {
  const side = isMatrix(statistic) ? (statistic === "covariance" ? d : d + 1) : 0;
  let at = 0;
  let sum = 0n;
  if (side === 0) {
    for (const x of packed) sum += BigInt(x) ** 2n;
    return sum;
  }
  for (let i = 0; i < side; i++) {
    for (let j = i; j < side; j++) sum += (i === j ? 1n : 2n) * BigInt(packed[at++]!) ** 2n;
  }
  return sum;
}

describe("the grid", () => {
  test("its radius is K, rounded down", () => {
    fc.assert(
      fc.property(
        fc.double({ min: 1e-3, max: 1e6, noNaN: true }),
        fc.integer({ min: 4, max: 24 }),
        (clip, p) => {
          const { grid, radius } = lattice(clip, p);
          expect(Number.isInteger(Math.log2(grid))).toBe(true);
          expect(radius * grid).toBeLessThanOrEqual(clip);
          expect((radius + 1) * grid).toBeGreaterThan(clip);
          expect(radius).toBeLessThanOrEqual(2 ** p);
          expect(radius).toBeGreaterThanOrEqual(2 ** (p - 1));
        },
      ),
    );
    expect(lattice(1, 10)).toEqual({ grid: 2 ** -10, radius: 1024, one: 1024 });
  });

  test("no vector's integers are longer than the radius, and they are near its clipped form", () => {
    const p = 12;
    fc.assert(
      fc.property(vector(6), fc.double({ min: 1e-6, max: 1e6, noNaN: true }), (v, clip) => {
        const grid = lattice(clip, p);
        const q = new Float64Array(6);
        quantize(Float64Array.from(v), q, grid);
        const norm = Math.sqrt(v.reduce((s, x) => s + x * x, 0));
        const scale = Math.min(1, (grid.radius * grid.grid) / norm);
        let squares = 0n;
        q.forEach((x, j) => {
          squares += BigInt(x) ** 2n;
          expect(Math.abs(x * grid.grid - v[j]! * scale)).toBeLessThanOrEqual(1.01 * grid.grid);
        });
        expect(squares <= BigInt(grid.radius) ** 2n).toBe(true);
      }),
    );
  });

  test("extremes: zero, K on an axis, infinite length, not a number", () => {
    const grid = lattice(3, 20);
    const q = new Float64Array(2);
    quantize(Float64Array.of(0, -0), q, grid);
    expect(q).toEqual(Float64Array.of(0, 0));
    quantize(Float64Array.of(3, 0), q, grid);
    expect(q).toEqual(Float64Array.of(grid.radius, 0));
    quantize(Float64Array.of(1e308, -1e308), q, grid);
    expect(q[0]).toBe(-q[1]!);
    expect(Math.abs(Math.hypot(q[0]!, q[1]!) - grid.radius)).toBeLessThan(1);
    for (const bad of [NaN, Infinity]) {
      expect(() => quantize(Float64Array.of(1, bad), q, grid)).toThrow("expected finite entries");
    }
  });
});

describe("sensitivity of the integers", () => {
  const d = 3;
  const grid = lattice(1.7, 6);

  test.each(STATISTICS)("no replaced task moves the %s further", (statistic) => {
    const n = statisticEntries(statistic, d);
    let nearest = 0;
    fc.assert(
      fc.property(vector(d), vector(d), (v, w) => {
        const change = new Float64Array(n);
        const q = new Float64Array(d);
        quantize(Float64Array.from(w), q, grid);
        addStatistic(statistic, q, grid.one, change);
        for (const entry of change) {
          expect(Math.abs(entry)).toBeLessThanOrEqual(largestEntry(statistic, grid));
        }
        change.forEach((x, i) => (change[i] = -x));
        quantize(Float64Array.from(v), q, grid);
        addStatistic(statistic, q, grid.one, change);
        const moved = squaredNorm(statistic, d, change);
        const bound = squaredSensitivity(statistic, grid, "replace");
        expect(moved <= bound).toBe(true);
        nearest = Math.max(nearest, Number(moved) / Number(bound));
      }),
      { numRuns: 300, seed: 4 },
    );
    // The bound is no empty one (of the augmented covariance it is not attained).
    expect(nearest).toBeGreaterThan(statistic === "augmented-covariance" ? 0.3 : 0.75);
  });

  test.each(STATISTICS)(
    "of the %s it is the real one to the grid's precision, not above",
    (statistic) => {
      const fine = lattice(1.7, 20);
      for (const adjacency of ["replace", "zero-out"] as const) {
        const step = statistic === "vector" ? fine.grid : fine.grid ** 2;
        const integer = Math.sqrt(Number(squaredSensitivity(statistic, fine, adjacency))) * step;
        const real = sensitivity({
          statistic,
          adjacency,
          norm: "frobenius",
          clip: 1.7,
          tasks: 5,
          dimension: d,
        });
        expect(integer).toBeLessThanOrEqual(real * (1 + 1e-12));
        expect(integer).toBeGreaterThan(real * (1 - 1e-5));
      }
    },
  );

  test.each(STATISTICS)(
    "%s: packed integers unpack to the statistic of the rounded vector",
    (statistic) => {
      const q = Float64Array.of(3, -2, 5);
      const packed = new Float64Array(statisticEntries(statistic, d));
      addStatistic(statistic, q, 4, packed);
      const w = [...q, 4];
      const side = statistic === "covariance" ? 3 : 4;
      const out = new Float64Array(isMatrix(statistic) ? side * side : d);
      unpackStatistic(statistic, packed, d, 0.5, out);
      const expected = {
        vector: () => [...q].map((x) => x / 2),
        diagonal: () => [...q].map((x) => (x * x) / 2),
        covariance: () =>
          Array.from({ length: 9 }, (_, k) => (w[Math.floor(k / 3)]! * w[k % 3]!) / 2),
        "augmented-covariance": () =>
          Array.from({ length: 16 }, (_, k) => (w[k >> 2]! * w[k & 3]!) / 2),
      }[statistic]();
      expect([...out]).toEqual(expected);
    },
  );
});

describe("noise in shares", () => {
  const base: GridOptions = {
    statistic: "covariance",
    tasks: 6,
    dimension: 40,
    clip: 1,
    adjacency: "replace",
  };

  test("the honest shares alone have the variance the budget asks for, and not much more", () => {
    for (const statistic of STATISTICS) {
      const numbers = aggregationGrid({ ...base, statistic });
      const matrix = isMatrix(statistic);
      for (const honest of [1, 3, 7]) {
        const s = shareSteps(0.5, numbers.squaredSensitivity, honest, matrix);
        const wanted = Number(numbers.squaredSensitivity) / 0.25; // (D / mu)^2
        const got = (matrix ? 2 : 1) * honest * s * s;
        expect(got).toBeGreaterThanOrEqual(wanted);
        expect(got).toBeLessThan(wanted * (1 + 1e-4));
      }
    }
  });

  test("shares of h participants add up to h s^2, twice that on a diagonal: 5 standard errors", () => {
    // Variance of a variance estimate from N normals: 2 / N. False alarm below 6e-7 each.
    const numbers = aggregationGrid(base);
    const s = shareSteps(0.5, numbers.squaredSensitivity, 3, true);
    const core = openCore();
    const stream = openStream(core, { mode: "seeded", seed: 5 });
    let on = 0;
    let off = 0;
    const trials = 40;
    for (let trial = 0; trial < trials; trial++) {
      const sum = new Float64Array(numbers.entries);
      for (let share = 0; share < 3; share++) addNoiseShare(core, stream, numbers, s, sum);
      for (let i = 0, k = 0; i < 40; i++) {
        for (let j = i; j < 40; j++, k++) {
          expect(Number.isSafeInteger(sum[k])).toBe(true);
          if (i === j) on += sum[k]! ** 2;
          else off += sum[k]! ** 2;
        }
      }
    }
    const nOn = trials * 40;
    const nOff = (trials * 40 * 39) / 2;
    expect(Math.abs(on / nOn / (6 * s * s) - 1)).toBeLessThan(5 * Math.sqrt(2 / nOn));
    expect(Math.abs(off / nOff / (3 * s * s) - 1)).toBeLessThan(5 * Math.sqrt(2 / nOff));
  });

  test("every honest count has its own price: the plan's at t - c, less with more, more with fewer", () => {
    const numbers = aggregationGrid(base);
    const s = shareSteps(0.5, numbers.squaredSensitivity, 3, true);
    const spent = (honest: number) => epsilonOf([shareEvent(numbers, s, honest)], { delta: 1e-5 });
    // Never better than the Gaussian of that mu, and within a millionth of it.
    for (const honest of [1, 2, 3, 6]) {
      const exact = gaussianEpsilon(0.5 * Math.sqrt(3 / honest), 1e-5);
      expect(spent(honest)).toBeGreaterThanOrEqual(exact * (1 - 1e-5));
      expect(spent(honest)).toBeLessThan(exact * (1 + 1e-5));
    }
    expect(spent(6)).toBeLessThan(spent(3));
    expect(spent(1)).toBeGreaterThan(spent(2));
  });

  test("a share of noise that was drawn is in the sum, and nowhere else in memory", () => {
    for (const statistic of STATISTICS) {
      const grid = aggregationGrid({ ...base, statistic });
      const core = openCore();
      const random = openStream(core, { mode: "seeded", seed: 5 });
      const { arena } = core;
      // Where the share was, if nothing else is there; what is drawn is in a place of its own.
      const mark = arena.mark();
      const at = arena.f64(grid.entries);
      arena.release(mark);
      const sum = new Float64Array(grid.entries);
      addNoiseShare(core, random, grid, shareSteps(0.5, grid.squaredSensitivity, 3, true), sum);
      expect(sum.some((x) => x !== 0)).toBe(true);
      expect(arena.mark()).toBe(mark);
      const again = arena.f64(grid.entries);
      expect(again).toBe(at);
      expect(arena.view(again, grid.entries).every((x) => x === 0)).toBe(true);
    }
  });

  test("an event tells its shares back, to the last step", () => {
    const grid = aggregationGrid(base);
    const steps = fc.integer({ min: 4, max: 2 ** 46 });
    fc.assert(
      fc.property(steps, fc.integer({ min: 1, max: 10_000 }), (s, honest) => {
        expect(eventSteps(grid, shareEvent(grid, s, honest))).toBe(s);
      }),
    );
    expect(shareSteps(1e9, 2n, 1, true)).toBe(4);
  });

  test("a mechanism whose noise comes in shares charges for the honest ones, and draws nothing", () => {
    const numbers = parties({ participants: 10, colluding: 2 });
    const options = { ...base, rows: 6, delta: 1e-5 };
    const mechanism = shareMechanisms({ parties: numbers })(options);
    const event = mechanism.event(0.5);
    expect(event).toMatchObject({ kind: "discrete-gaussian", shares: 5 });
    // Ten shares are in the sum if nobody is missing.
    if (event.kind !== "discrete-gaussian") expect.unreachable();
    expect(mechanism.noiseScale(0.5) / event.sigma).toBeCloseTo(Math.SQRT2, 12);
    expect(mechanism.why).toContain("at least 5 honest shares");
    const core = openCore();
    const at = core.arena.zeros(1600);
    mechanism.perturb(core, openStream(core, { mode: "seeded", seed: 1 }), at, 0.5, at);
    expect(core.arena.view(at, 1600).every((x) => x === 0)).toBe(true);
    const make = (change: object) => () =>
      shareMechanism({ ...options, ...change }, { parties: numbers });
    expect(make({ delta: 0 })).toThrow(
      "mechanism: with secure aggregation expected Gaussian noise",
    );
    expect(make({ name: "two-sided-wishart" })).toThrow("other noise does not add up from shares");
    expect(make({ statistic: "task-covariance" })).toThrow("expected a sum over tasks");
    expect(make({ sampling: { kind: "poisson", rate: 0.5 }, statistic: "vector" })).toThrow(
      'sampling: expected "all"',
    );
  });
});

describe("the public numbers", () => {
  const base: GridOptions = {
    statistic: "covariance",
    tasks: 100,
    dimension: 30,
    clip: 1,
    adjacency: "replace",
  };

  test("18 bits and 64-bit residues; 10 bits fit 32", () => {
    const bitsOf = (precision?: number) => {
      const grid = aggregationGrid({ ...base, precision });
      return modulusBits(grid, 100, shareSteps(0.3, grid.squaredSensitivity, 60, true));
    };
    expect(aggregationGrid(base)).toMatchObject({ precision: 18, entries: 465, side: 30 });
    expect(bitsOf()).toBe(64);
    expect(bitsOf(10)).toBe(32);
  });

  test("nothing can wrap: all tasks at the bound, and noise to 2^-100, stay within the modulus", () => {
    const options = fc.record({
      statistic: fc.constantFrom(...STATISTICS),
      tasks: fc.integer({ min: 1, max: 200_000 }),
      dimension: fc.integer({ min: 1, max: 300 }),
      clip: fc.double({ min: 0.01, max: 100, noNaN: true }),
    });
    const participants = fc.integer({ min: 2, max: 20_000 });
    const budget = fc.double({ min: 3e-3, max: 20, noNaN: true });
    fc.assert(
      fc.property(options, participants, budget, (some, n, mu) => {
        const grid = aggregationGrid({ ...base, ...some });
        const s = shareSteps(mu, grid.squaredSensitivity, 1, grid.side > 0);
        const bits = modulusBits(grid, n, s);
        // Two tails, N entries, 2^-100: a Gaussian tail bound by hand.
        const deviations = Math.sqrt(2 * (101 * Math.LN2 + Math.log(grid.entries)));
        const noise = deviations * Math.sqrt(2 * n) * s;
        const most = some.tasks * largestEntry(some.statistic, grid.lattice) + noise;
        expect(most).toBeLessThan(2 ** (bits - 1));
      }),
      { numRuns: 1000 },
    );
  });

  test("what cannot fit is refused, saying why", () => {
    expect(() => aggregationGrid({ ...base, precision: 24, tasks: 1000 })).toThrow(
      "precision: expected sums of 1000 tasks below 2^52 grid steps, got more at 24 bits",
    );
    expect(() => modulusBits(aggregationGrid(base), 100, 2 ** 47)).toThrow(
      "precision: expected noise of at most 2^46 grid steps a share, got 140737488355328 at 18 bits",
    );
    expect(() =>
      aggregationGrid({ ...base, statistic: "augmented-covariance", clip: 1e9 }),
    ).toThrow(
      "clip: expected K and, in an augmented covariance, 1 to be at least one grid step of 4096",
    );
  });

  test("the parties: default threshold above two thirds, and the double-masking condition", () => {
    expect(parties({ participants: 3, colluding: 0 })).toEqual({
      participants: 3,
      threshold: 3,
      ring: null,
      tolerated: 2,
      colluding: 0,
      honest: 3,
    });
    expect(parties({ participants: 10, colluding: 3 })).toMatchObject({ threshold: 7, honest: 4 });
    expect(parties({ participants: 9, threshold: 5, colluding: 0 }).honest).toBe(5);
    expect(() => parties({ participants: 10, colluding: 4 })).toThrow(
      "threshold: expected 2 threshold > participants + colluding = 14, got 7",
    );
    expect(() => parties({ participants: 10, threshold: 11, colluding: 0 })).toThrow(
      "threshold: expected an integer from 1 to 10",
    );
  });
});

test("vectors that hold records are held to their norm before they are rounded, and no longer than that after", () => {
  const hundredths = { grid: 0.01, radius: 100, one: 100 };
  const into = new Float64Array(4);
  roundToGrid(Float64Array.of(3, -4, 0, 12), into, hundredths);
  // 13 times the norm allowed: shrunk to it, direction kept, every entry within half a step.
  [3, -4, 0, 12].forEach((x, k) =>
    expect(Math.abs(into[k]! - (100 / 13) * x)).toBeLessThanOrEqual(0.5 + 1e-9),
  );
  roundToGrid(Float64Array.of(0.3, -0.4, 0, 0), into, hundredths);
  expect([...into]).toEqual([30, -40, 0, 0]);
});

test("a vector whose norm is beyond all numbers is clipped as any other", () => {
  const grid = lattice(1, 10);
  const [whole, half] = [new Float64Array(4), new Float64Array(4)];
  quantize(new Float64Array(4).fill(Number.MAX_VALUE), whole, grid);
  quantize(new Float64Array(4).fill(1), half, grid);
  expect([...whole]).toEqual([...half]);
  roundToGrid(new Float64Array(4).fill(Number.MAX_VALUE), whole, grid);
  expect([...whole]).toEqual(Array(4).fill(grid.radius / 2));
});
