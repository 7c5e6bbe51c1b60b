import { expect, test } from "vitest";
import { describeBuilds, testStream } from "./builds.js";
import { BITS, exponential } from "./rational-exponential.js";

describeBuilds("comparisons with exp(-(k + u/s)^2 / 2c) 2^shift / e", (core) => {
  const { kernels, arena } = core;

  /** The number whose first 53 bits are given and whose others a fresh stream of this seed has, in 2^-512. */
  function uniform(bits: bigint, seed: number): bigint {
    const at = arena.bytes(4 * 15);
    kernels.randomWords(testStream(core, seed), at, 15);
    const [first, ...others] = [...arena.words(at, 15)].map(BigInt);
    const top = (bits << 11n) | (first! >> 21n);
    return others.reduce((number, word) => (number << 32n) | word, top);
  }

  test("agree with rational arithmetic, where the first 53 bits are those of the bound or next to it", () => {
    const cases = [
      // k, e, shift: steps and halves of both laws.
      [1, [[0n, 1, 0], [1n, 5, 3], [2n, 9, 6], [3n, 1, 6], [7n, 1, 10], [40n, 1, 43]]],
      [2, [[0n, 1, 0], [1n, 25, 5], [3n, 7, 6], [4n, 1, 5], [90n, 1, 91]]],
    ] as const;
    const outcomes = [0, 0];
    let seed = 100;
    for (const [c, steps] of cases) {
      for (const [k, e, shift] of steps) {
        for (const s of [1n, 3n, 1048577n, 1n << 46n]) {
          for (const u of [s > 1n ? 1n : 0n, s / 3n, s - 1n]) {
            const x = k * s + u;
            const power = exponential(x * x, 2n * BigInt(c) * s * s);
            const bound = (power << BigInt(shift)) / BigInt(e);
            const cell = bound >> (BITS - 53n);
            for (const bits of [cell - 1n, cell, cell + 1n]) {
              if (bits < 0n || bits >> 53n !== 0n) continue;
              const number = uniform(bits, ++seed) << (BITS - 512n);
              const state = testStream(core, seed);
              const below = kernels.exponentialBelow(state, bits, k, u, s, c, e, shift);
              expect(below === 1).toBe(x === 0n || number < bound);
              if (bits === cell) outcomes[below]!++;
            }
          }
        }
      }
    }
    // In the bound's own cell the bits from the stream decide, either way.
    expect(Math.min(...outcomes)).toBeGreaterThan(20);
  });
});
