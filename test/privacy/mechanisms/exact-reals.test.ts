/** Exact real numbers: their bits, also of those whose rest the kernel had to draw, and that nothing of them is left. */
import { expect, test } from "vitest";
import { openCore, type Core } from "../../../src/core/index.js";
import {
  ExactReals,
  exactRealsWorkspace,
  FIRST_BITS,
} from "../../../src/privacy/mechanisms/exact/exact-reals.js";
import { createMechanism } from "../../../src/privacy/mechanisms/create.js";
import { openStream } from "../../../src/random/index.js";

const COUNT = 5000;
const WORDS = 16;

/** Numbers of which the kernel drew the rests of two, as it does once in 2^38 comparisons. */
function opened() {
  const core = openCore();
  const { kernels, arena } = core;
  const random = openStream(core, { mode: "seeded", seed: "exact reals" });
  const [at, work] = [arena.f64(COUNT), arena.bytes(exactRealsWorkspace(core))];
  const rests = new Map([
    [3, Array.from({ length: 15 }, (_, k) => (0x89abcdef ^ (k * 0x01234567)) >>> 0)],
    [4998, Array.from({ length: 15 }, (_, k) => (0xfedc0000 + 0x1111 * k) >>> 0)],
  ]);
  const exactReals: typeof kernels.exactReals = (state, out, n, law, records) => {
    const known = kernels.exactReals(state, out, n, law, records);
    const words = arena.words(records, (known + rests.size) * WORDS);
    [...rests].forEach(([i, bits], k) => words.set([i, ...bits], (known + k) * WORDS));
    return known + rests.size;
  };
  const watched = { ...core, kernels: { ...kernels, exactReals } } as Core;
  const reals = new ExactReals(watched, random, "normal", at, COUNT, work);
  return { core, reals, at, work, rests };
}

const bitsOf = (words: readonly number[]) =>
  words.reduce((value, word) => (value << 32n) | BigInt(word), 0n);

test("a number's bits are those that were drawn for it, asked for in any order", () => {
  const { reals, rests } = opened();
  const first = (i: number) => BigInt(Math.abs(reals.values[i]!) * 2 ** FIRST_BITS);
  for (const [i, words] of rests) {
    const rest = bitsOf(words);
    expect(reals.size(i, FIRST_BITS + 480)).toBe((first(i) << 480n) | rest);
    expect(reals.size(i, FIRST_BITS + 100)).toBe((first(i) << 100n) | (rest >> 380n));
    // Beyond the rest more are drawn, and stay.
    const more = reals.size(i, FIRST_BITS + 600);
    expect(more >> 120n).toBe((first(i) << 480n) | rest);
    expect(reals.size(i, FIRST_BITS + 600)).toBe(more);
  }
  const next = reals.next;
  for (const i of [0, 3, 700, 2048, 4097, 4998]) {
    const two = bitsOf([next[2 * i]!, next[2 * i + 1]!]);
    expect(reals.size(i, FIRST_BITS + 64)).toBe((first(i) << 64n) | two);
    const more = reals.size(i, FIRST_BITS + 200);
    expect(more >> 136n).toBe(reals.size(i, FIRST_BITS + 64));
    expect(reals.size(i, FIRST_BITS + 200)).toBe(more);
  }
  expect(reals.next).toBe(next);
  expect(new Set(next).size).toBeGreaterThan(2 * COUNT - 20);
});

test("nothing of the numbers is left once they are wiped", () => {
  const { core, reals, at, work } = opened();
  const next = reals.next;
  reals.size(3, FIRST_BITS + 600);
  reals.wipe();
  expect(next.every((word) => word === 0)).toBe(true);
  expect(core.arena.view(at, COUNT).every((value) => value === 0)).toBe(true);
  const words = core.arena.words(work, exactRealsWorkspace(core) / 4);
  expect(words.every((word) => word === 0)).toBe(true);
  expect(reals.size(3, FIRST_BITS + 64)).toBe(0n);
  expect(reals.size(9, FIRST_BITS + 64)).toBe(0n);
});

test.each([
  ["two-sided-wishart", "covariance"],
  ["spherical-laplace", "vector"],
] as const)("%s leaves nothing of rests that the kernel drew", (name, statistic) => {
  const core = openCore();
  const { kernels, arena } = core;
  const given = { name, statistic, tasks: 5, dimension: 4, clip: 1, delta: 0, discrete: true };
  const mechanism = createMechanism(given);
  let asked = 0;
  const exactReals: typeof kernels.exactReals = (state, out, n, law, records) => {
    kernels.exactReals(state, out, n, law, records);
    arena.words(records, WORDS).set([1, ...Array.from({ length: 15 }, () => 0x77777777)]);
    asked++;
    return 1;
  };
  const watched = { ...core, kernels: { ...kernels, exactReals } } as Core;
  const random = openStream(core, { mode: "seeded", seed: name });
  const at = arena.zeros(16);
  const bytes = Math.floor(mechanism.workspace(watched) / 4) * 4;
  const work = arena.bytes(bytes);
  mechanism.perturb(watched, random, at, 1, work);
  expect(asked).toBeGreaterThan(0);
  expect(arena.words(work, bytes / 4).every((word) => word === 0)).toBe(true);
});
