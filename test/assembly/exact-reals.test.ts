import { describe, expect, test } from "vitest";
import { builds, coreOf, describeBuilds, testStream } from "./builds.js";
import { forgeWords, STEP_BITS } from "./forged-words.js";
import { BITS, exponential } from "./rational-exponential.js";
import { kolmogorov, moments, normalCdf, pearson } from "./statistics.js";

describe("exact reals", () => {
  test("give the same draws in both builds", () => {
    const [simd, scalar] = builds.map((build) => {
      const core = coreOf(build);
      const at = core.arena.f64(4000);
      const records = core.arena.bytes(core.kernels.exactRealsRecords());
      const state = testStream(core, 1);
      core.kernels.exactReals(state, at, 2000, 1, records);
      core.kernels.exactReals(state, at + 16_000, 2000, 0, records);
      return core.arena.view(at, 4000).slice();
    });
    expect(simd).toEqual(scalar);
  });
});

describeBuilds("exact reals", (core) => {
  const { kernels, arena } = core;
  const records = arena.bytes(kernels.exactRealsRecords());
  const n = 100_000;
  const sample = (normal: 0 | 1, seed: number) => {
    const at = arena.f64(n);
    expect(kernels.exactReals(testStream(core, seed), at, n, normal, records)).toBe(0);
    return arena.view(at, n).slice();
  };

  test("normal: Kolmogorov (4e-5), variance, all 46 bits in use (5 standard errors)", () => {
    const draws = sample(1, 3);
    expect(kolmogorov(draws, normalCdf)).toBeLessThan(2.33);
    expect(Math.abs(moments(draws).variance - 1)).toBeLessThan(5 * Math.sqrt(2 / n));
    expect(draws.every((x) => Number.isInteger(x * 2 ** 46))).toBe(true);
    const odd = draws.filter((x) => (Math.abs(x) * 2 ** 46) % 2 === 1).length;
    expect(Math.abs(odd - n / 2)).toBeLessThan((5 * Math.sqrt(n)) / 2);
  });

  test("exponential: Kolmogorov (4e-5), mean, no memory of the whole part (chi-square, 1e-6)", () => {
    const draws = sample(0, 4);
    expect(kolmogorov(draws, (x) => -Math.expm1(-Math.max(0, x)))).toBeLessThan(2.33);
    expect(Math.abs(moments(draws).mean - 1)).toBeLessThan(5 / Math.sqrt(n));
    const counts = new Array<number>(9).fill(0);
    for (const x of draws) counts[Math.min(8, Math.floor(x))]!++;
    const expected = counts.map((_, k) => n * Math.exp(-k) * (k === 8 ? 1 : -Math.expm1(-1)));
    expect(pearson(counts, expected)).toBeGreaterThan(1e-6);
  });

  // x = 1/2 + T / 2^46, T of these first 32 bits: U has the same first 53 bits as exp(-x^2 / 2), what follows decides.
  const u = 2n ** 45n;
  const first = 0x12345678;
  const x = (u << 32n) | BigInt(first);
  const cellOfBound = exponential(x * x, 2n << 156n) >> (BITS - 53n);

  test.each([
    ["below", 0, true],
    ["above", 0xffffffff, false],
  ])(
    "where the first bits of U are the bound's, all further bits %s it, the rest of x takes part",
    (_, ofUniform, kept) => {
      const proposal = (u << 8n) | STEP_BITS[0]!;
      // A proposal that is surely kept if the first is not: 0.25 with U = 0.
      const second = [((2n ** 44n) << 8n) | STEP_BITS[0]!, 0n];
      const tail = [first, ...new Array<number>(14).fill(0)];
      const state = forgeWords(core, [
        proposal, cellOfBound << 11n,
        ...tail,
        ...new Array<number>(15).fill(ofUniform),
        ...second,
      ]);
      const at = arena.f64(1);
      const known = kernels.exactReals(state, at, 1, 1, records);
      expect(arena.view(at, 1)[0]).toBe(kept ? 0.5 : 0.25);
      // The rest that took part belongs to the number from then on.
      expect(known).toBe(kept ? 1 : 0);
      if (kept) expect([...arena.words(records, 16)]).toEqual([0, ...tail]);
    },
  );
});
