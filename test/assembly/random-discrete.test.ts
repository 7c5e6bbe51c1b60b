import { describe, expect, test } from "vitest";
import { builds, coreOf, describeBuilds, testStream } from "./builds.js";
import { forgeWords, STEP_BITS } from "./forged-words.js";
import { BITS, exponential } from "./rational-exponential.js";
import { kolmogorov, moments, normalCdf, pearson } from "./statistics.js";

describe("discrete Gaussian", () => {
  test("gives the same draws in both builds", () => {
    const [simd, scalar] = builds.map((build) => {
      const core = coreOf(build);
      const at = core.arena.f64(2000);
      core.kernels.discreteGaussian(testStream(core, 1), at, 2000, 1e6 + 3, 2);
      return core.arena.view(at, 2000).slice();
    });
    expect(simd).toEqual(scalar);
  });
});

describeBuilds("discrete Gaussian", (core, build) => {
  const { kernels, arena } = core;
  const sample = (n: number, s: number, c: number, seed: number) => {
    const mark = arena.mark();
    const state = testStream(core, seed);
    const at = arena.f64(n);
    kernels.discreteGaussian(state, at, n, s, c);
    const draws = arena.view(at, n).slice();
    arena.release(mark);
    return draws;
  };
  const n = build === "simd" ? 400_000 : 60_000;

  // The law summed term by term; bins expecting fewer than 20 are joined at both ends.
  test.each([
    [1, 1],
    [1, 2],
    [2, 1],
    [3, 2],
    [4, 1],
    [7, 2],
    [23, 1],
    [23, 2],
  ])("s = %i, c = %i: chi-square against the exact law, false alarm 1e-6", (s, c) => {
    const weight = (x: number) => Math.exp((-x * x) / (2 * c * s * s));
    const reach = Math.ceil(12 * s * Math.sqrt(c));
    let total = 0;
    for (let x = -reach; x <= reach; x++) total += weight(x);
    const counts = new Map<number, number>();
    const draws = sample(n, s, c, 10 * s + c);
    expect(draws.every(Number.isInteger)).toBe(true);
    for (const x of draws) counts.set(x, (counts.get(x) ?? 0) + 1);
    const edge = Array.from({ length: reach }, (_, x) => x)
      .filter((x) => (n * weight(x)) / total >= 20)
      .at(-1)!;
    const bin = (x: number) => Math.min(edge, Math.max(-edge, x)) + edge;
    const observed = new Array<number>(2 * edge + 1).fill(0);
    const expected = new Array<number>(2 * edge + 1).fill(0);
    for (const [x, count] of counts) observed[bin(x)]! += count;
    for (let x = -reach; x <= reach; x++) expected[bin(x)]! += (n * weight(x)) / total;
    expect(pearson(observed, expected)).toBeGreaterThan(1e-6);
  });

  test.each([2 ** 20, 1_000_003, 2 ** 46])(
    "s = %d: normal up to the grid, Kolmogorov (4e-5), variance, both ends of a word used",
    (s) => {
      for (const c of [1, 2]) {
        const draws = sample(100_000, s, c, 5);
        const sigma = s * Math.sqrt(c);
        expect(kolmogorov(draws, (x) => normalCdf(x / sigma))).toBeLessThan(2.33);
        const { variance } = moments(draws.map((x) => x / sigma));
        expect(Math.abs(variance - 1)).toBeLessThan(5 * Math.sqrt(2 / 1e5));
        // Low bits are uniform: no float ever rounded them away.
        const odd = draws.filter((x) => Math.abs(x) % 2 === 1).length;
        expect(Math.abs(odd - 5e4)).toBeLessThan(5 * Math.sqrt(25e3));
      }
    },
  );

  test("a matrix comes back on the grid, symmetric, with the stated variances", () => {
    const d = 200;
    const step = 2 ** -10;
    const s = 3000;
    const entry = (i: number, j: number) => Math.sin(Math.min(i, j) * d + Math.max(i, j));
    const before = Float64Array.from({ length: d * d }, (_, k) =>
      entry(Math.floor(k / d), k % d),
    );
    const at = arena.copyOf(before);
    kernels.addDiscreteSymmetricNormal(testStream(core, 8), at, d, s, step);
    const after = arena.view(at, d * d);
    const noise = { diagonal: [] as number[], off: [] as number[] };
    let wrong = 0;
    for (let i = 0; i < d; i++) {
      for (let j = 0; j <= i; j++) {
        const cells = after[i * d + j]! / step;
        if (!Number.isInteger(cells) || after[i * d + j] !== after[j * d + i]) wrong++;
        // No entry of this matrix lies half-way between two cells.
        const x = cells - Math.round(before[i * d + j]! / step);
        if (!Number.isInteger(x)) wrong++;
        (i === j ? noise.diagonal : noise.off).push(x);
      }
    }
    expect(wrong).toBe(0);
    const fits = (x: number[], sigma: number) =>
      expect(kolmogorov(Float64Array.from(x), (v) => normalCdf(v / sigma))).toBeLessThan(2.33);
    fits(noise.diagonal, s * Math.SQRT2);
    fits(noise.off, s);
  });

  test("rounding is to the nearest cell, ties to even; huge and NaN entries are held", () => {
    const runs = 2000;
    const noisy = (x: number, step: number) => {
      const at = arena.copyOf(new Float64Array(runs).fill(x));
      kernels.addDiscreteNormal(testStream(core, 9), at, runs, 1, step);
      return arena.view(at, runs);
    };
    for (const [x, step, cell] of [
      [0.74, 0.5, 1],
      [0.25, 0.5, 0],
      [0.75, 0.5, 2],
      [-5.1, 4, -1],
      [NaN, 1, 0],
    ] as const) {
      const centre = noisy(x, step).reduce((a, b) => a + b / runs, 0) / step;
      expect(Math.abs(centre - cell)).toBeLessThan(5 / Math.sqrt(runs)); // 6e-7
    }
    // Noise of a few cells is far below the spacing of doubles there.
    expect(noisy(Infinity, 1).every((x) => x === 2 ** 62)).toBe(true);
    expect(noisy(-1e300, 1).every((x) => x === -(2 ** 62))).toBe(true);
  });

  // s = 2, u = 1 of step 0: p = exp(-1/8). U has the same first 53 bits as p: double precision cannot settle it.
  test.each([
    ["below", 0, 1],
    ["above", 0xffffffff, 0],
  ])("a comparison that 53 bits leave open is settled by the further bits: all %s", (_, rest, x) => {
    const cellOfBound = exponential(1n, 8n) >> (BITS - 53n);
    const state = forgeWords(core, [
      (1n << 8n) | STEP_BITS[0], cellOfBound << 11n,
      ...new Array<number>(15).fill(rest),
      STEP_BITS[0], 0n, // 0, surely kept
    ]);
    const at = arena.f64(1);
    kernels.discreteGaussian(state, at, 1, 2, 1);
    expect(arena.view(at, 1)[0]).toBe(x);
  });

  test("every proposal is judged as by rational arithmetic, next to its bound and at a distance", () => {
    const at = arena.f64(1);
    let outcomes = 0;
    for (const s of [1n, 2n, 3n, 64n, 1000n, 1048577n, 2n ** 46n]) {
      for (const k of [0n, 1n, 2n] as const) {
        for (const u of new Set([0n, 1n, s / 64n, s / 3n, (s * 63n) / 64n, s - 1n])) {
          if (u >= s || (k === 0n && u === 0n)) continue; // 0 is kept always
          const x = s * k + u;
          // E(k) is 1, 5/8, 9/64.
          const bound =
            (exponential(x * x, 2n * s * s) * [1n, 8n, 64n][Number(k)]!) / [1n, 5n, 9n][Number(k)]!;
          const cell = bound >> (BITS - 53n);
          for (const offset of [-(2n ** 46n), -(2n ** 20n), -1n, 1n, 2n ** 20n, 2n ** 46n]) {
            const bits = cell + offset;
            if (bits < 0n || bits >> 53n !== 0n) continue;
            const state = forgeWords(core, [
              (u << 8n) | STEP_BITS[Number(k)]!, bits << 11n,
              // Bits that are drawn only next to the bound; then a proposal of 0.
              ...(offset === 1n || offset === -1n ? new Array<number>(15).fill(7) : []),
              ...new Array<bigint>(20).fill(0n),
            ]);
            kernels.discreteGaussian(state, at, 1, Number(s), 1);
            expect(arena.view(at, 1)[0]).toBe(offset < 0n ? Number(x) : 0);
            outcomes++;
          }
        }
      }
    }
    expect(outcomes).toBeGreaterThan(400);
  });
});
