/** Mechanisms in exact arithmetic: what they are calibrated to, what they add, what they leave behind. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { openCore } from "../../../src/core/index.js";
import { pureEpsilonOf } from "../../../src/privacy/accounting/groups.js";
import {
  createMechanism,
  type CreateMechanismOptions,
} from "../../../src/privacy/mechanisms/create.js";
import { computedStatistic } from "../../../src/privacy/mechanisms/exact/computed-statistic.js";
import seedrandom from "seedrandom";
import { preciseDifference } from "../../../src/privacy/mechanisms/exact/precise-dot.js";
import {
  ExactReals,
  exactRealsWorkspace,
} from "../../../src/privacy/mechanisms/exact/exact-reals.js";
import { roundedScale } from "../../../src/privacy/mechanisms/exact/range.js";
import { roundInterval, roundSum } from "../../../src/privacy/mechanisms/exact/round-interval.js";
import { signedProducts } from "../../../src/privacy/mechanisms/exact/rounded-wishart.js";
import {
  enclosedEntry,
  squareRoot,
} from "../../../src/privacy/mechanisms/exact/rounded-spherical-laplace.js";
import { sensitivity } from "../../../src/privacy/sensitivity.js";
import { openStream } from "../../../src/random/index.js";

const sizes = { tasks: 6, clip: 1.5, adjacency: "zero-out" } as const;
const poisson = { kind: "poisson", rate: 0.2 } as const;

/** Every exact mechanism. */
const EXACT = [
  ["gaussian", { name: "gaussian", statistic: "covariance", delta: 1e-5 }],
  ["gaussian-diagonal", { name: "gaussian-diagonal", statistic: "diagonal", delta: 1e-5 }],
  ["gaussian-mean", { name: "gaussian-mean", statistic: "vector", delta: 1e-5 }],
  [
    "sampled gaussian-mean",
    { name: "gaussian-mean", statistic: "vector", delta: 1e-5, sampling: poisson },
  ],
  ["laplace-diagonal", { name: "laplace-diagonal", statistic: "diagonal", delta: 0 }],
  ["spherical-laplace", { name: "spherical-laplace", statistic: "vector", delta: 0 }],
  ["two-sided-wishart", { name: "two-sided-wishart", statistic: "covariance", delta: 0 }],
] as const satisfies readonly (readonly [string, Partial<CreateMechanismOptions>])[];

const made = (options: (typeof EXACT)[number][1], change: Partial<CreateMechanismOptions> = {}) =>
  createMechanism({ ...sizes, dimension: 4, discrete: true, ...options, ...change });

/** Noise of repeated releases of zero. */
function draws(
  mechanism: ReturnType<typeof made>,
  length: number,
  budget: number,
  repeats: number,
) {
  const core = openCore();
  const random = openStream(core, { mode: "seeded", seed: mechanism.name });
  const at = core.arena.zeros(length);
  const work = core.arena.bytes(mechanism.workspace(core));
  return Array.from({ length: repeats }, () => {
    core.arena.view(at, length).fill(0);
    mechanism.perturb(core, random, at, budget, work);
    return core.arena.view(at, length).slice();
  });
}

describe.each(EXACT)("exact %s", (_, options) => {
  const matrix = options.statistic === "covariance";
  const norm =
    options.name === "laplace-diagonal" || options.name === "two-sided-wishart"
      ? "nuclear"
      : "frobenius";

  test("says so, and its floating-point twin that it is proven for real numbers only", () => {
    expect(made(options).exact).toBe(true);
    expect(made(options).why).not.toContain("real numbers only");
    const float = made(options, { discrete: false });
    expect(float.exact).toBe(false);
    expect(float.why).toContain("proven for real numbers only");
  });

  test("is calibrated to the sensitivity of what is computed, not of exact arithmetic", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 2 ** 24 }),
        fc.integer({ min: 1, max: 300 }),
        fc.double({ min: 0.1, max: 30, noNaN: true }),
        (tasks, dimension, clip) => {
          const shape = { tasks, dimension, clip };
          const event = made(options, shape).event(0.5);
          if (!("sensitivity" in event)) expect.unreachable();
          const exact = sensitivity({ ...sizes, ...shape, statistic: options.statistic, norm });
          // Every entry is a sum of m products that are in sum at most m K^2 (or m K): wrong by (m + 2) 2^-53 of it.
          const largest = options.statistic === "vector" ? tasks * clip : tasks * clip * clip;
          const entrywise = (tasks + 2) * 2 ** -53 * largest;
          const n = dimension;
          const spread =
            norm === "frobenius" ? (matrix ? n : Math.sqrt(n)) : matrix ? n * Math.sqrt(n) : n;
          const computed = computedStatistic(
            { ...sizes, ...shape, statistic: options.statistic },
            norm,
          );
          // Clipping in floating point lets norms be larger by (d + 4) 2^-52, squares by twice that.
          expect(computed.sensitivity).toBeGreaterThanOrEqual(
            (exact + 2 * entrywise * spread) * (1 + (2 * n + 8) * 2 ** -52),
          );
          // The discrete Gaussian's event has the grid apart.
          const grid = event.kind === "discrete-gaussian" ? event.grid * spread : 0;
          expect(event.sensitivity + grid).toBeGreaterThan(
            exact * (1 + (2 * n + 9) * 2 ** -52) + 2 * entrywise * spread,
          );
        },
      ),
      { seed: 7 },
    );
  });

  test("spends its budget, at most a 2^-9th less, and its noise grows as little", () => {
    const exact = made(options);
    const float = made(options, { discrete: false });
    for (const budget of [1e-3, 0.1, 1, 7.3, 200]) {
      const event = exact.event(budget);
      const pure = pureEpsilonOf(event);
      if (pure !== undefined) {
        expect(pure).toBeLessThanOrEqual(budget * (1 + 2 ** -52));
        expect(pure).toBeGreaterThan(budget * (1 - 2 ** -9));
      } else if ("sigma" in event) {
        const grid = event.kind === "discrete-gaussian" ? event.grid * (matrix ? 4 : 2) : 0;
        const mu = (event.sensitivity + grid) / event.sigma;
        expect(mu).toBeLessThanOrEqual(budget * (1 + 2 ** -52));
        expect(mu).toBeGreaterThan(budget * (1 - 2 ** -9));
      } else expect.unreachable();
      const larger = exact.noiseScale(budget) / float.noiseScale(budget);
      expect(larger).toBeGreaterThanOrEqual(1);
      expect(larger).toBeLessThan(1 + 2 ** -9);
    }
  });

  // 3000 draws of each: the ratio of second moments has a deviation below 0.08 (kurtosis at most 6): 5 of them, 6e-7.
  test("has the second moments of its floating-point twin", () => {
    const length = matrix ? 16 : 4;
    const second = (discrete: boolean) =>
      draws(made(options, { discrete }), length, 0.7, 3000).reduce(
        (sum, x) => sum.map((s, i) => s + x[i]! ** 2),
        new Array<number>(length).fill(0),
      );
    const float = second(false);
    second(true).forEach((s, i) => expect(Math.abs(s / float[i]! - 1)).toBeLessThan(0.4));
  });

  test("releases lie on the grid and leave nothing in the work area", () => {
    const mechanism = made(options);
    const core = openCore();
    const random = openStream(core, { mode: "seeded", seed: 3 });
    const length = matrix ? 16 : 4;
    const at = core.arena.f64(length);
    const bytes = mechanism.workspace(core);
    const work = core.arena.bytes(bytes);
    for (const budget of [0.2, 1e-9]) {
      // The small budget has so many cells that roundings need further bits.
      try {
        mechanism.event(budget);
      } catch {
        continue; // beyond the sampler's range
      }
      const values = Float64Array.from({ length }, (_, i) => Math.sin((i % 4) + (i >> 2)));
      core.arena.view(at, length).set(values);
      mechanism.perturb(core, random, at, budget, work);
      const released = core.arena.view(at, length);
      const step = mechanism.noiseScale(budget) * 2 ** -60;
      const smallest = Math.min(...[...released].filter((x) => x !== 0).map(Math.abs));
      expect(smallest).toBeGreaterThan(step);
      expect(released).not.toEqual(values);
      const left = new Uint8Array(core.kernels.memory.buffer, work, bytes);
      expect(left.every((byte) => byte === 0)).toBe(true);
    }
  });

  test("refuses a budget beyond the sampler's range", () => {
    expect(() => made(options).event(1e40)).toThrow(
      "expected a budget within the exact sampler's range",
    );
  });
});

describe("rounded real noise", () => {
  const core = openCore();

  /** The rounded matrix of a seed, and the numbers it came from, to as many bits as wanted. */
  function wishart(seed: number, n: number, budget: number) {
    const mechanism = made(EXACT[6][1], { dimension: n });
    const at = core.arena.zeros(n * n);
    const work = core.arena.bytes(mechanism.workspace(core));
    mechanism.perturb(core, openStream(core, { mode: "seeded", seed }), at, budget, work);
    const count = 2 * n * (n + 1);
    const reals = new ExactReals(
      core,
      openStream(core, { mode: "seeded", seed }),
      "normal",
      core.arena.f64(count),
      count,
      core.arena.bytes(exactRealsWorkspace(core)),
    );
    return {
      matrix: core.arena.view(at, n * n).slice(),
      reals,
      scale: mechanism.noiseScale(budget),
    };
  }

  // At 1e-6 a cell is a 2^-35th of the scale, below what floating point settles: pairs of float64 and integers decide.
  test.each([
    [1, 0.1],
    [3, 0.1],
    [12, 1e-4],
    [12, 1e-6],
    [40, 1e-5],
  ])(
    "every entry of a matrix is the rounding of the exact one (n = %i, budget %d)",
    (n, budget) => {
      const { matrix, reals, scale } = wishart(n, n, budget);
      const { grid, bits } = roundedScale(
        2 * budget,
        computedStatistic({ ...sizes, dimension: n, statistic: "covariance" }, "nuclear"),
        { reach: 1, most: 40 },
      );
      expect(grid).toBe(scale * 2 ** -bits);
      for (let i = 0; i < n; i++) {
        for (let j = i; j < n; j++) {
          const cell = roundSum(bits, (precision) => signedProducts(reals, n, i, j, precision));
          expect(matrix[i * n + j]! / grid).toBeCloseTo(cell, 1);
          expect(matrix[j * n + i]).toBe(matrix[i * n + j]);
        }
      }
    },
  );

  test.each([
    [1, 0.1],
    [5, 1e-7],
    [300, 1e-7],
  ])(
    "every entry of a vector is the rounding of the exact one (d = %i, budget %d)",
    (d, budget) => {
      const mechanism = made(EXACT[5][1], { dimension: d });
      const seeded = () => openStream(core, { mode: "seeded", seed: d });
      const at = core.arena.zeros(d);
      const work = core.arena.bytes(mechanism.workspace(core));
      mechanism.perturb(core, seeded(), at, budget, work);
      const released = core.arena.view(at, d).slice();
      const random = seeded();
      const reals = (law: "normal" | "exponential") =>
        new ExactReals(
          ...([core, random, law] as const),
          ...([core.arena.f64(d), d, core.arena.bytes(exactRealsWorkspace(core))] as const),
        );
      const [normals, radii] = [reals("normal"), reals("exponential")];
      const { grid, bits } = roundedScale(
        budget,
        computedStatistic({ ...sizes, dimension: d, statistic: "vector" }, "frobenius"),
        { reach: 1, most: 40 },
      );
      expect(grid).toBe(mechanism.noiseScale(budget) * 2 ** -bits);
      for (let j = 0; j < d; j++) {
        const cell = roundInterval((precision) =>
          enclosedEntry(normals, radii, d, j, bits, precision),
        );
        expect(released[j]! / grid).toBeCloseTo(cell, 1);
      }
    },
  );

  test("further bits continue the number and stay what they are", () => {
    const at = core.arena.f64(10);
    const work = core.arena.bytes(exactRealsWorkspace(core));
    const random = openStream(core, { mode: "seeded", seed: 8 });
    const reals = new ExactReals(core, random, "normal", at, 10, work);
    for (let i = 0; i < 10; i++) {
      const first = reals.size(i, 46);
      const [long, longer] = [reals.size(i, 110), reals.size(i, 300)];
      expect(Number(first)).toBe(Math.abs(reals.values[i]!) * 2 ** 46);
      expect(long >> 64n).toBe(first);
      expect(longer >> 190n).toBe(long);
      expect(reals.size(i, 200)).toBe(longer >> 100n);
      expect(longer & ((1n << 60n) - 1n)).not.toBe(0n);
    }
  });

  test.each(["normal", "exponential"] as const)(
    "the next 64 bits of every %s number are those that its size goes on with",
    (law) => {
      const count = 20_000;
      const at = core.arena.f64(count);
      const work = core.arena.bytes(exactRealsWorkspace(core));
      const random = openStream(core, { mode: "seeded", seed: 9 });
      const reals = new ExactReals(core, random, law, at, count, work);
      const next = reals.next.slice();
      expect(next).toHaveLength(2 * count);
      let ones = 0;
      for (let i = 0; i < count; i++) {
        const [high, low] = [next[2 * i]!, next[2 * i + 1]!];
        const bits = (BigInt(high) << 32n) | BigInt(low);
        if ((reals.size(i, 110) & ((1n << 64n) - 1n)) !== bits) expect.unreachable(`number ${i}`);
        // Nor do bits of one number run into another's.
        if (reals.size(i, 110) >> 64n !== reals.size(i, 46)) expect.unreachable(`number ${i}`);
        ones += (high >>> 31) + (low & 1);
      }
      // Fair bits: 4.5 standard deviations, a false alarm in 1e5.
      expect(Math.abs(ones - count)).toBeLessThan(4.5 * Math.sqrt(count / 2));
    },
  );

  test("inner products in pairs are the exact ones, to a 2^-90th", () => {
    const random = seedrandom("pairs");
    const [columns, half] = [3, 4];
    const count = 2 * half * columns;
    // Numbers of 46 bits after the point, negative zero among them, and 64 more.
    const values = Float64Array.from(
      { length: count },
      (_, p) => (Math.floor(random() * 2 ** 48) / 2 ** 46) * (p % 3 === 0 ? -1 : 1),
    );
    values[3] = -0;
    const next = Uint32Array.from({ length: 2 * count }, () => random() * 2 ** 32);
    const exact = (p: number) => {
      const size = BigInt(Math.abs(values[p]!) * 2 ** 46) << 64n;
      const whole = size | (BigInt(next[2 * p]!) << 32n) | BigInt(next[2 * p + 1]!);
      return values[p]! < 0 || Object.is(values[p], -0) ? -whole : whole;
    };
    const reals = { values, next } as unknown as ExactReals;
    for (const [i, j] of [
      [0, 1],
      [1, 2],
      [2, 0],
      [1, 1],
    ] as const) {
      let sum = 0n;
      for (let k = 0; k < 2 * half; k++) {
        const product = exact(k * columns + i) * exact(k * columns + j);
        sum += k < half ? product : -product;
      }
      const { high, low } = preciseDifference(reals, { columns, half }, i, j);
      // Both in units of 2^-220: a double times 2^60 is whole below its last bits.
      const scaled = (x: number) => BigInt(Math.round(x * 2 ** 40)) << 180n;
      const rest = (x: number) => BigInt(Math.round((x * 2 ** 40 - Math.round(x * 2 ** 40)) * 2 ** 60)) << 120n; // prettier-ignore
      const found = scaled(high) + rest(high) + scaled(low) + rest(low);
      const off = found > sum ? found - sum : sum - found;
      expect(off < 1n << 130n).toBe(true);
    }
  });

  test("an interval is narrowed until one cell is left", () => {
    // 5/2 - 2^-200: below the tie by less than the first attempts see.
    const asked: number[] = [];
    const cell = roundInterval((precision) => {
      asked.push(precision);
      const low =
        (5n << BigInt(precision - 1)) - (precision > 200 ? 1n << BigInt(precision - 200) : 1n);
      return { low, high: low + 1n, fraction: precision };
    });
    expect(cell).toBe(2);
    expect(asked.length).toBeGreaterThan(1);
    expect(roundInterval(() => ({ low: -7n, high: -7n, fraction: 1 }))).toBe(-3); // -3.5, half up
  });

  test("integer square roots", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 1n << 300n }), (x) => {
        const root = squareRoot(x);
        expect(root * root <= x && (root + 1n) ** 2n > x).toBe(true);
      }),
      { seed: 1 },
    );
  });
});
