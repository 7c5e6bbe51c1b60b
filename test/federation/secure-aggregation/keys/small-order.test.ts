/** Keys of small order are those with which another implementation of X25519 agrees on zero. */
import { x25519 } from "@noble/curves/ed25519.js";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isSmallOrder } from "../../../../src/federation/secure-aggregation/keys/small-order.js";

const PRIME = 2n ** 255n - 19n;

function bytesOf(coordinate: bigint): Uint8Array {
  return Uint8Array.from({ length: 32 }, (_, i) => Number((coordinate >> BigInt(8 * i)) & 255n));
}

/** Whether a secret agrees with a key on zero, which the other implementation refuses. */
function agreesOnZero(secret: Uint8Array, key: Uint8Array): boolean {
  try {
    x25519.getSharedSecret(secret, key);
    return false;
  } catch {
    return true;
  }
}

const secrets = [1, 7, 255].map((byte) => new Uint8Array(32).fill(byte));
const expectSame = (key: Uint8Array) => {
  for (const secret of secrets) expect(isSmallOrder(key)).toBe(agreesOnZero(secret, key));
};

describe("keys of small order", () => {
  const eighth = [
    325606250916557431795983626356110631294008115727848805560023387167927233504n,
    39382357235489614581723060781553021112529911719440698176882885853963445705823n,
  ];
  test("all of them, with the prime added where it fits and with the top bit set", () => {
    const small = [0n, 1n, PRIME - 1n, PRIME, PRIME + 1n, ...eighth];
    for (const coordinate of small.flatMap((u) => [u, u + 2n ** 255n])) {
      expect(isSmallOrder(bytesOf(coordinate))).toBe(true);
      expectSame(bytesOf(coordinate));
    }
  });

  test("nothing beside them", () => {
    const near = Array.from({ length: 18 }, (_, i) => BigInt(i));
    for (const base of [0n, PRIME, ...eighth]) {
      for (const step of near) expectSame(bytesOf(base + step));
    }
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (key) => expectSame(key)),
      { numRuns: 50, seed: 8 },
    );
  });
});
