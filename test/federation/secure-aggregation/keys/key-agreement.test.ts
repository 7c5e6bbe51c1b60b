/** Secrets are agreed on by the host where it can, and what is agreed on does not depend on the host. */
import nodeCrypto from "node:crypto";
import { x25519 } from "@noble/curves/ed25519.js";
import { bytesToHex, hexToBytes } from "@noble/hashes/utils.js";
import fc from "fast-check";
import { afterEach, describe, expect, test, vi } from "vitest";
import { agreementOf } from "../../../../src/federation/secure-aggregation/keys/key-agreement.js";

const agreedHere = vi.hoisted(() => vi.fn());
vi.mock("@noble/curves/ed25519.js", async (original) => {
  const own = await original<{ x25519: typeof x25519 }>();
  const getSharedSecret: typeof x25519.getSharedSecret = (...args) => {
    agreedHere();
    return own.x25519.getSharedSecret(...args);
  };
  return { ...own, x25519: { ...own.x25519, getSharedSecret } };
});
afterEach(() => {
  vi.unstubAllGlobals();
  agreedHere.mockClear();
});

const agreed = (secret: Uint8Array, peer: Uint8Array) =>
  agreementOf({ secret, public: x25519.getPublicKey(secret) })(peer);
/** The same where `node:crypto` is what is given, or nothing. */
const agreedAt = (host: object | undefined, secret: Uint8Array, peer: Uint8Array) => {
  vi.stubGlobal("process", { ...process, getBuiltinModule: () => host });
  const bytes = agreed(secret, peer);
  vi.unstubAllGlobals();
  return bytes;
};
const PRIME = 2n ** 255n - 19n;
const bytesOf = (coordinate: bigint) =>
  Uint8Array.from({ length: 32 }, (_, i) => Number((coordinate >> BigInt(8 * i)) & 255n));
const secret = new Uint8Array(32).fill(77);
const peer = x25519.getPublicKey(new Uint8Array(32).fill(78));

describe("published values (RFC 7748), by the host and without one", () => {
  const VALUES = [
    // Section 5.2; the top bit of the second coordinate does not count.
    [
      "a546e36bf0527c9d3b16154b82465edd62144c0ac1fc5a18506a2244ba449ac4",
      "e6db6867583030db3594c1a424b15f7c726624ec26b3353b10a903a6d0ab1c4c",
      "c3da55379de9c6908e94ea4df28d084f32eccf03491c71f754b4075577a28552",
    ],
    [
      "4b66e9d4d1b4673c5ad22691957d6af5c11b6421e0ea01d42ca4169e7918ba0d",
      "e5210f12786811d3f4b7959d0538ae2c31dbe7106fc03c3efc4cd549c715a493",
      "95cbde9476e8907d7aade45cb4b873f88b595a68799fa152e6f8f7647aac7957",
    ],
    // Section 6.1, both sides.
    [
      "77076d0a7318a57d3c16c17251b26645df4c2f87ebc0992ab177fba51db92c2a",
      "de9edb7d7b7dc1b4d35b61c2ece435373f8343c85b78674dadfc7e146f882b4f",
      "4a5d9d5ba4ce2de1728e3bf480350f25e07e21c947d19e3376f09b3c1e161742",
    ],
    [
      "5dab087e624a8a4b79e17f8b83800ee66f3bb1292618b6fd1c2f8b27ff88e0eb",
      "8520f0098930a754748b7ddcb43ef75a0dbf3a0d26381af4eba4a98eaa9b4e6a",
      "4a5d9d5ba4ce2de1728e3bf480350f25e07e21c947d19e3376f09b3c1e161742",
    ],
  ] as const;

  test("of one agreement", () => {
    for (const [scalar, coordinate, value] of VALUES) {
      const [own, other] = [hexToBytes(scalar), hexToBytes(coordinate)];
      expect(bytesToHex(agreed(own, other)!)).toBe(value);
      expect(bytesToHex(agreedAt(undefined, own, other)!)).toBe(value);
    }
  });

  test("of a thousand agreements, one after the other", () => {
    let [k, u]: [Uint8Array, Uint8Array] = [bytesOf(9n), bytesOf(9n)];
    // The pair's public key is nothing that an agreement depends on.
    for (let i = 0; i < 1000; i++) [k, u] = [agreementOf({ secret: k, public: u })(u)!, k];
    expect(bytesToHex(k)).toBe("684cf59ba83309552800ef566f2f4d3c1c3887c49360e3875f2eb94d99532c51");
  });
});

describe("agreements", () => {
  // Node has had what is asked for since 20.16.
  test("an honest one costs nothing in JavaScript", () => {
    expect(agreed(secret, peer)).toHaveLength(32);
    expect(agreedHere).not.toHaveBeenCalled();
  });

  test("give the same bytes, or nothing, for coordinates of every kind", () => {
    const near = fc.tuple(fc.constantFrom(0n, PRIME, 2n ** 255n, 2n ** 255n + PRIME), fc.integer({ min: 0, max: 18 })); // prettier-ignore
    const odd = near.map(([base, step]) => bytesOf(base + BigInt(step)));
    const any = fc.uint8Array({ minLength: 32, maxLength: 32 });
    fc.assert(
      fc.property(any, fc.oneof(any, odd), (own, other) => {
        expect(agreed(own, other)).toEqual(agreedAt(undefined, own, other));
      }),
      { numRuns: 150, seed: 6 },
    );
  });

  test("on a key of small order are none, however it is written", () => {
    const eighth = [
      325606250916557431795983626356110631294008115727848805560023387167927233504n,
      39382357235489614581723060781553021112529911719440698176882885853963445705823n,
    ];
    const small = [0n, 1n, PRIME - 1n, PRIME, PRIME + 1n, ...eighth];
    for (const coordinate of small.flatMap((u) => [u, u + 2n ** 255n])) {
      expect(agreed(secret, bytesOf(coordinate))).toBeUndefined();
      expect(agreedAt(undefined, secret, bytesOf(coordinate))).toBeUndefined();
    }
  });

  test("with less or more than 32 bytes are none", () => {
    for (const key of [peer.subarray(1), new Uint8Array(33).fill(1), new Uint8Array()]) {
      expect(agreed(secret, key)).toBeUndefined();
    }
  });
});

describe("a host", () => {
  const here = x25519.getSharedSecret(secret, peer);
  const fails = () => {
    throw new Error("unsupported");
  };
  const keyAgreement = (change: object) => ({ ...nodeCrypto, ...change });

  test("that has no X25519, or none of what is asked, leaves it to JavaScript", () => {
    const hosts = [
      {},
      keyAgreement({ createPrivateKey: fails }),
      keyAgreement({ createPublicKey: fails }),
      keyAgreement({ diffieHellman: fails }),
      keyAgreement({ diffieHellman: undefined }),
    ];
    for (const host of hosts) expect(agreedAt(host, secret, peer)).toEqual(here);
    expect(agreedHere.mock.calls.length).toBeGreaterThanOrEqual(hosts.length);
  });

  test("that agrees on zero is not believed", () => {
    const host = keyAgreement({ diffieHellman: () => new Uint8Array(32) });
    expect(agreedAt(host, secret, peer)).toEqual(here);
    expect(agreedAt(host, secret, bytesOf(1n))).toBeUndefined();
  });

  test("is asked about coordinates only that are reduced, which hosts do not differ about", () => {
    const diffieHellman = vi.fn(nodeCrypto.diffieHellman);
    const host = keyAgreement({ diffieHellman });
    for (const odd of [PRIME + 2n, 2n ** 255n + 9n]) agreedAt(host, secret, bytesOf(odd));
    expect(diffieHellman).not.toHaveBeenCalled();
    agreedAt(host, secret, bytesOf(PRIME - 2n));
    expect(diffieHellman).toHaveBeenCalledOnce();
  });
});
