/**
 * What PINE promises: a vector within the norm is taken, and its shares add up to it; all else is refused.
 */
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { FIELD_64 } from "../../../../src/federation/verified-sums/field/field.js";
import type { Pine } from "../../../../src/federation/verified-sums/proof/pine.js";
import { shard, type Shares } from "../../../../src/federation/verified-sums/proof/shard.js";
import { check, lyingPine, smallPine, together } from "./instances.js";

const bytes = (n: number) => fc.uint8Array({ minLength: n, maxLength: n });
const seeds = fc.record({ nonce: bytes(16), random: bytes(7 * 16) });
const RUNS = { numRuns: 15 };

/** Integers of norm at most 1000: scaled down where they are longer. */
const within = fc
  .array(fc.integer({ min: -1000, max: 1000 }), { minLength: 1, maxLength: 9 })
  .map((values) => {
    const norm = Math.hypot(...values);
    return values.map((x) => BigInt(Math.trunc(norm > 1000 ? (x * 1000) / norm : x)));
  });

function shares(pine: Pine, vector: readonly bigint[], nonce: Uint8Array, random: Uint8Array) {
  const made = shard(pine, vector, nonce, random);
  if (!made) throw new Error("too few wraparound checks succeeded");
  return made;
}

describe("the norm check", () => {
  test("takes vectors within the bound, whose shares add up to them", () => {
    fc.assert(
      fc.property(within, seeds, (vector, { nonce, random }) => {
        const pine = smallPine(vector.length);
        const made = shares(pine, vector, nonce, random);
        const checked = check(pine, made, { nonces: [nonce, nonce] });
        expect(typeof checked).toBe("object");
        expect(together(pine, checked as [bigint[], bigint[]])).toEqual(vector);
      }),
      RUNS,
    );
  });

  test("takes one at the bound, and refuses one longer by the least there is", () => {
    const [nonce, random] = [new Uint8Array(16), new Uint8Array(7 * 16).fill(1)];
    const pine = smallPine(2);
    const verdict = (vector: bigint[]) =>
      check(pine, shares(pine, vector, nonce, random), { nonces: [nonce, nonce] });
    for (const at of [
      [1000n, 0n],
      [-600n, 800n],
      [0n, -1000n],
    ]) {
      expect(together(pine, verdict(at) as [bigint[], bigint[]])).toEqual(at);
    }
    // ||x||^2 = R^2 + 1.
    expect(verdict([1000n, 1n])).toBe("proof");
    expect(verdict([-1001n, 0n])).toBe("proof");
  });

  test("refuses whoever claims another bound than the plan's", () => {
    const [nonce, random] = [new Uint8Array(16), new Uint8Array(7 * 16).fill(2)];
    const pine = smallPine(2);
    const liar = lyingPine(pine, { squaredRadius: 1001n ** 2n });
    const made = shares(liar, [1001n, 0n], nonce, random);
    expect(check(pine, made, { nonces: [nonce, nonce] })).toBe("proof");
  });

  test("finds vectors whose squared norm wraps around the modulus", () => {
    // x^2 + y^2 = q: the modulus is 1 modulo 4, so a sum of two squares (Cornacchia).
    const vector = twoSquares(FIELD_64.modulus, FIELD_64.roots(2)[1]!);
    expect(vector[0]! ** 2n + vector[1]! ** 2n).toBe(FIELD_64.modulus);
    const pine = smallPine(2);
    const nonce = new Uint8Array(16);
    let passed = 0;
    for (let i = 0; i < 200; i++) {
      if (shard(pine, vector, nonce, new Uint8Array(7 * 16).fill(i))) passed++;
    }
    // Each passes with probability at most 2^-12: two of 200 once in 800 seeds, and the seeds are fixed.
    expect(passed).toBeLessThan(2);
    // A liar who says that products are within the bound when they are not.
    const liar = lyingPine(pine, { productBound: 2n ** 62n });
    const random = new Uint8Array(7 * 16).fill(3);
    const made = shares(liar, vector, nonce, random);
    expect(check(pine, made, { nonces: [nonce, nonce] })).toBe("proof");
    // A liar who counts fewer successes.
    const few = lyingPine(pine, { successes: 1 });
    const fewer = [4, 5, 6, 7].map((i) => shard(few, vector, nonce, random.fill(i)));
    const lies = fewer.filter((one) => one !== undefined);
    expect(lies.length).toBeGreaterThan(0);
    for (const lie of lies) expect(check(pine, lie, { nonces: [nonce, nonce] })).toBe("proof");
  });

  test("refuses shares of which one byte was altered", () => {
    const pine = smallPine(3);
    const alter = (from: Uint8Array, at: number, by: number) => {
      const altered = from.slice();
      altered[at % from.length]! ^= by;
      return altered;
    };
    fc.assert(
      fc.property(
        seeds,
        fc.constantFrom("leader", "helper", "public", "public to the helper"),
        fc.nat(),
        fc.integer({ min: 1, max: 255 }),
        ({ nonce, random }, which, at, by) => {
          const made = shares(pine, [3n, -4n, 900n], nonce, random);
          const [leader, helper] = made.inputShares;
          const publicShare = alter(made.publicShare, at, by);
          const changed: Shares = {
            publicShare: which === "public" ? publicShare : made.publicShare,
            inputShares: [
              which === "leader" ? alter(leader, at, by) : leader,
              which === "helper" ? alter(helper, at, by) : helper,
            ],
          };
          const told =
            which === "public to the helper"
              ? { publicShares: [made.publicShare, publicShare] as const }
              : {};
          const verdict = check(pine, changed, { nonces: [nonce, nonce], ...told });
          // Parts of the public share that an aggregator computes itself are not looked at.
          const unread = which === "public to the helper" && (at % 64) % 32 >= 16;
          if (unread) expect(verdict).toEqual(expect.any(Array));
          else expect(["proof", "seed", "malformed"]).toContain(verdict);
        },
      ),
      { numRuns: 40 },
    );
  });

  test("refuses another nonce, and aggregators of different keys or nonces", () => {
    const pine = smallPine(2);
    const nonce = new Uint8Array(16).fill(1);
    const other = new Uint8Array(16).fill(2);
    const made = shares(pine, [1n, 2n], nonce, new Uint8Array(7 * 16).fill(4));
    expect(check(pine, made, { nonces: [nonce, nonce] })).toEqual(expect.any(Array));
    for (const nonces of [
      [other, other],
      [nonce, other],
      [other, nonce],
    ] as const) {
      expect(["proof", "seed"]).toContain(check(pine, made, { nonces }));
    }
  });

  test("refuses shares of a wrong length and elements beyond the modulus", () => {
    const pine = smallPine(2);
    const nonce = new Uint8Array(16);
    const made = shares(pine, [1n, 2n], nonce, new Uint8Array(7 * 16).fill(5));
    const [leader, helper] = made.inputShares;
    const beyond = leader.slice();
    beyond.fill(255, 8, 16);
    const shorter = (from: Uint8Array) => from.subarray(0, from.length - 1);
    const bad: Shares[] = [
      { ...made, inputShares: [beyond, helper] },
      { ...made, inputShares: [shorter(leader), helper] },
      { ...made, inputShares: [leader, shorter(helper)] },
      { ...made, publicShare: shorter(made.publicShare) },
    ];
    for (const one of bad) expect(check(pine, one, { nonces: [nonce, nonce] })).toBe("malformed");
  });

  test("has parameters that its field has no room for refused", () => {
    expect(() => smallPine(2, 2n ** 32n)).toThrow(/radius: .* Field64 has room/);
    expect(() => smallPine(2, 0n)).toThrow(/radius/);
    expect(() => smallPine(0)).toThrow(/dimension/);
  });
});

/** [x, y] with x^2 + y^2 = q, from a root of -1 (Cornacchia's algorithm). */
function twoSquares(q: bigint, root: bigint): [bigint, bigint] {
  let [a, b] = [q, root];
  while (b * b > q) [a, b] = [b, a % b];
  const rest = q - b * b;
  let y = BigInt(Math.floor(Math.sqrt(Number(rest))));
  while (y * y > rest) y--;
  while ((y + 1n) * (y + 1n) <= rest) y++;
  return [b, y];
}
