/** Signatures are checked by the host where it can, and who is believed does not depend on the host. */
import { createHash } from "node:crypto";
import { ED25519_TORSION_SUBGROUP, ed25519 } from "@noble/curves/ed25519.js";
import { concatBytes, hexToBytes, utf8ToBytes } from "@noble/hashes/utils.js";
import fc from "fast-check";
import { afterEach, describe, expect, test, vi } from "vitest";
import {
  newIdentity,
  sign,
  signed,
} from "../../../../src/federation/secure-aggregation/keys/keys.js";
import { randomBytesFrom } from "../../../../src/federation/secure-aggregation/keys/random-bytes.js";
import { uint32 } from "../../../../src/federation/secure-aggregation/keys/session.js";

const checkedHere = vi.hoisted(() => vi.fn());
vi.mock("@noble/curves/ed25519.js", async (original) => {
  const own = await original<{ ed25519: typeof ed25519 }>();
  const verify: typeof ed25519.verify = (...args) => {
    checkedHere();
    return own.ed25519.verify(...args);
  };
  return { ...own, ed25519: { ...own.ed25519, verify } };
});
afterEach(() => {
  vi.unstubAllGlobals();
  checkedHere.mockClear();
});

const { Point } = ed25519;
const { Fn } = Point;
const random = randomBytesFrom({ mode: "seeded", seed: "host signatures" });
const session = new Uint8Array(32).fill(3);
const content = utf8ToBytes("who is in the sum");
const believed = (signature: Uint8Array, key: Uint8Array, said = content) =>
  signed("included", session, 1, said, signature, key);
const withoutHost = (...args: Parameters<typeof believed>) => {
  vi.stubGlobal("process", { ...process, getBuiltinModule: undefined });
  const is = believed(...args);
  vi.unstubAllGlobals();
  return is;
};

const littleEndian = (bytes: Uint8Array) =>
  BigInt(`0x${Buffer.from(bytes).reverse().toString("hex")}`);

/** S with R for a key of which the secret scalar may be none, so that S B = R + k A - `shift`, if there is one among some tries. */
function forged(key: Uint8Array, scalar: bigint, order: bigint, shift = Point.ZERO) {
  for (let r = 1n; r < 400n; r++) {
    const R = Point.BASE.multiply(r).add(shift).toBytes();
    const text = concatBytes(utf8ToBytes("mp-mtl included "), session, uint32(1), content);
    const hash = createHash("sha512").update(R).update(key).update(text).digest();
    const k = Fn.create(littleEndian(hash));
    if (k % order !== 0n) continue;
    return concatBytes(R, Fn.toBytes(Fn.create(r + k * scalar)));
  }
  throw new Error("expected one of 400 tries to do");
}

const smallOrder = ED25519_TORSION_SUBGROUP.map(hexToBytes);
/** The neutral point, its y with the prime added: whoever reduces it takes it for the same. */
const unreduced = Uint8Array.from({ length: 32 }, (_, i) => (i === 0 ? 0xee : i === 31 ? 0x7f : 0xff)); // prettier-ignore

describe("checks of signatures", () => {
  // Node has had what is asked for since 20.16.
  test("an honest one costs no check in JavaScript", () => {
    const { secret, public: key } = newIdentity(random);
    expect(believed(sign("included", session, 1, content, secret), key)).toBe(true);
    expect(checkedHere).not.toHaveBeenCalled();
  });

  test("where the host cannot, it is checked here", () => {
    const { secret, public: key } = newIdentity(random);
    expect(withoutHost(sign("included", session, 1, content, secret), key)).toBe(true);
    expect(checkedHere).toHaveBeenCalledOnce();
  });

  test("keys of small order, reduced or not, are refused, though hosts take signatures under them", () => {
    for (const key of [...smallOrder, unreduced]) {
      const signature = forged(key, 0n, 8n);
      expect(believed(signature, key)).toBe(false);
      expect(withoutHost(signature, key)).toBe(false);
    }
  });

  test("a key with a part of small order, under which hosts differ, is believed as in JavaScript", () => {
    const scalar = 12_345n;
    for (const part of smallOrder.map((point) => Point.fromBytes(point))) {
      const key = Point.BASE.multiply(scalar).add(part).toBytes();
      for (const shift of [Point.ZERO, part]) {
        const signature = forged(key, scalar, 1n, shift);
        expect(withoutHost(signature, key)).toBe(true);
        expect(believed(signature, key)).toBe(true);
      }
    }
  });

  test("what was changed anywhere is refused, with the host and without it", () => {
    const { secret, public: key } = newIdentity(random);
    const signature = sign("included", session, 1, content, secret);
    const order = Fn.ORDER;
    const malleable = concatBytes(
      signature.subarray(0, 32),
      Uint8Array.from({ length: 32 }, (_, i) =>
        Number(((littleEndian(signature.subarray(32)) + order) >> BigInt(8 * i)) & 255n),
      ),
    );
    expect([believed(malleable, key), withoutHost(malleable, key)]).toEqual([false, false]);
    const flips = fc.tuple(fc.constantFrom(0, 1, 2), fc.nat(), fc.integer({ min: 1, max: 255 }));
    fc.assert(
      fc.property(flips, ([which, at, by]) => {
        const parts = [signature, key, content].map((part) => part.slice());
        const part = parts[which]!;
        part[at % part.length]! ^= by;
        const changed = [parts[0]!, parts[1]!, parts[2]!] as const;
        expect(believed(...changed)).toBe(false);
        expect(withoutHost(...changed)).toBe(false);
      }),
      { numRuns: 40 },
    );
    expect(believed(signature.subarray(1), key)).toBe(false);
    expect(believed(signature, key.subarray(1))).toBe(false);
  });
});
