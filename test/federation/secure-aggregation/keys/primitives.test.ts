import { chacha20poly1305 } from "@noble/ciphers/chacha.js";
import { ed25519, x25519 } from "@noble/curves/ed25519.js";
import { hkdf } from "@noble/hashes/hkdf.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from "@noble/hashes/utils.js";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { agreementOf } from "../../../../src/federation/secure-aggregation/keys/key-agreement.js";
import {
  agreedKey,
  keyPair,
  newIdentity,
  open,
  seal,
  sign,
  signed,
} from "../../../../src/federation/secure-aggregation/keys/keys.js";
import { addMask } from "../../../../src/federation/secure-aggregation/attempt/masks.js";
import { randomBytesFrom } from "../../../../src/federation/secure-aggregation/keys/random-bytes.js";
import {
  addIntegers,
  addResidues,
  parseResidues,
  residueBytes,
  residues,
  signedValues,
} from "../../../../src/federation/secure-aggregation/integers/residues.js";
import { sessionId } from "../../../../src/federation/secure-aggregation/keys/session.js";
import {
  deal,
  Interpolation,
  isElement,
  randomElement,
} from "../../../../src/federation/secure-aggregation/keys/shamir.js";

const random = randomBytesFrom({ mode: "seeded", seed: 1 });
const name = { plan: "p", run: "r", round: 1, attempt: 1 };

describe("published vectors of what is wrapped", () => {
  test("a mask is the ChaCha20 keystream from block 0 (RFC 8439, A.1, vectors 1 and 2)", () => {
    const words = residues(32, 32);
    addMask(words, new Uint8Array(32), 32, 1);
    const hex = bytesToHex(residueBytes(words));
    expect(hex.slice(0, 64)).toBe(
      "76b8e0ada0f13d90405d6ae55386bd28bdd219b8a08ded1aa836efcc8b770dc7",
    );
    expect(hex.slice(128, 192)).toBe(
      "9f07e7be5551387a98ba977c732d080dcb0f29a048e3656912c6533e32ee7aed",
    );
  });

  test("X25519 (RFC 7748, 5.2: one iteration)", () => {
    const nine = hexToBytes("09".padEnd(64, "0"));
    expect(bytesToHex(x25519.scalarMult(nine, nine))).toBe(
      "422c8e7a6227d7bca1350b3e2bb7279f7897b87bb6854b783c60e80311ae3079",
    );
  });

  test("Ed25519 (RFC 8032, 7.1, test 1)", () => {
    const secret = hexToBytes("9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60");
    expect(bytesToHex(ed25519.sign(new Uint8Array(), secret))).toBe(
      "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b",
    );
  });

  test("HKDF-SHA-256 (RFC 5869, A.1)", () => {
    const okm = hkdf(
      sha256,
      new Uint8Array(22).fill(0x0b),
      hexToBytes("000102030405060708090a0b0c"),
      hexToBytes("f0f1f2f3f4f5f6f7f8f9"),
      42,
    );
    expect(bytesToHex(okm)).toBe(
      "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865",
    );
  });
});

describe("keys", () => {
  const session = sessionId(name);
  const a = keyPair(random);
  const b = keyPair(random);
  const order: [Uint8Array, Uint8Array] = [a.public, b.public];

  test("both sides derive HKDF(X25519, session, purpose and keys)", () => {
    const key = agreedKey(session, "mask", agreementOf(a), b.public, order)!;
    expect(agreedKey(session, "mask", agreementOf(b), a.public, order)).toEqual(key);
    const info = concatBytes(utf8ToBytes("mp-mtl mask "), a.public, b.public);
    const secret = x25519.getSharedSecret(b.secret, a.public);
    expect(key).toEqual(hkdf(sha256, secret, session, info, 32));
  });

  test("another purpose, direction or session is another key", () => {
    const keys = [
      agreedKey(session, "mask", agreementOf(a), b.public, order),
      agreedKey(session, "sealed shares", agreementOf(a), b.public, order),
      agreedKey(session, "mask", agreementOf(a), b.public, [b.public, a.public]),
      agreedKey(sessionId({ ...name, attempt: 2 }), "mask", agreementOf(a), b.public, order),
    ];
    expect(new Set(keys.map(String)).size).toBe(4);
  });

  test("a public key of small order agrees on nothing", () => {
    for (const u of [0, 1]) {
      const key = new Uint8Array(32);
      key[0] = u;
      expect(agreedKey(session, "mask", agreementOf(a), key, order)).toBeUndefined();
    }
  });

  test("sessions differ in every field, and fields cannot run together", () => {
    const names = [
      name,
      { ...name, plan: "pr", run: "" },
      { ...name, plan: "", run: "pr" },
      { ...name, round: 2 },
      { ...name, attempt: 2 },
      { ...name, round: 11 },
      { ...name, attempt: 11 },
    ];
    expect(new Set(names.map((one) => bytesToHex(sessionId(one)))).size).toBe(names.length);
    expect(() => sessionId({ ...name, round: 0 })).toThrow("round: expected an integer >= 1");
  });

  test("a signature is for one purpose, session, signer and content", () => {
    const id = newIdentity(random);
    const content = Uint8Array.of(1, 2);
    const signature = sign("keys", session, 3, content, id.secret);
    expect(signed("keys", session, 3, content, signature, id.public)).toBe(true);
    expect(signed("included", session, 3, content, signature, id.public)).toBe(false);
    expect(signed("keys", sessionId({ ...name, round: 9 }), 3, content, signature, id.public)).toBe(
      false,
    );
    expect(signed("keys", session, 4, content, signature, id.public)).toBe(false);
    expect(signed("keys", session, 3, Uint8Array.of(1), signature, id.public)).toBe(false);
    // The neutral element as identity: every message would be "signed" by some encodings.
    const neutral = new Uint8Array(32);
    neutral[0] = 1;
    const forged = new Uint8Array(64);
    forged[0] = 1;
    expect(signed("keys", session, 3, content, forged, neutral)).toBe(false);
  });

  test("sealed bytes open under their key and binding only", () => {
    const key = random(32);
    const bound = Uint8Array.of(1);
    const sealed = seal(key, Uint8Array.of(5, 6), bound);
    expect(open(key, sealed, bound)).toEqual(Uint8Array.of(5, 6));
    expect(open(key, sealed, Uint8Array.of(2))).toBeUndefined();
    expect(open(random(32), sealed, bound)).toBeUndefined();
    expect(open(key, sealed.slice(1), bound)).toBeUndefined();
    expect(chacha20poly1305(key, new Uint8Array(12), bound).decrypt(sealed)).toHaveLength(2);
  });
});

describe("residues", () => {
  const integer = fc.maxSafeInteger();

  test.each([32, 64] as const)("add as integers do modulo 2^%i", (bits) => {
    const modulus = 1n << BigInt(bits);
    const list = fc.array(fc.tuple(integer, integer, integer), { minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(list, (rows) => {
        const words = residues(rows.length, bits);
        const other = residues(rows.length, bits);
        addIntegers(
          words,
          Float64Array.from(rows, ([x]) => x),
          bits,
        );
        addIntegers(
          words,
          Float64Array.from(rows, ([, y]) => y),
          bits,
        );
        addIntegers(
          other,
          Float64Array.from(rows, ([, , z]) => z),
          bits,
        );
        addResidues(words, other, bits, 1);
        addResidues(words, other, bits, 1);
        addResidues(words, other, bits, -1);
        const view =
          bits === 64 ? new BigUint64Array(words.buffer) : Array.from(words, (w) => BigInt(w));
        rows.forEach(([x, y, z], i) => {
          const sum = (((BigInt(x) + BigInt(y) + BigInt(z)) % modulus) + modulus) % modulus;
          expect(view[i]).toBe(sum);
        });
        const signedSums = signedValues(words, bits);
        rows.forEach(([x, y, z], i) => {
          const sum = BigInt.asIntN(bits, BigInt(x) + BigInt(y) + BigInt(z));
          expect(signedSums[i]).toBe(Number(sum));
        });
      }),
    );
  });

  test("what is not an exact integer is refused, by its place", () => {
    const words = residues(2, 64);
    for (const bad of [0.5, NaN, Infinity, 2 ** 53]) {
      expect(() => addIntegers(words, Float64Array.of(1, bad), 64)).toThrow(
        "values: expected integers below 2^53, entry 1 is not",
      );
    }
  });

  test("come back from any offset of the wire, or not at all", () => {
    const words = residues(3, 64);
    addIntegers(words, Float64Array.of(-1, 5, 2 ** 40), 64);
    const framed = concatBytes(Uint8Array.of(9), residueBytes(words));
    expect(parseResidues(framed.subarray(1), 3, 64)).toEqual(words);
    expect(parseResidues(framed, 3, 64)).toBeUndefined();
  });
});

describe("Shamir's shares", () => {
  test("any t of them give the secret, whoever holds them", () => {
    const cases = fc
      .integer({ min: 1, max: 12 })
      .chain((n) =>
        fc.tuple(
          fc.uniqueArray(fc.integer({ min: 1, max: 2 ** 20 }), { minLength: n, maxLength: n }),
          fc.integer({ min: 1, max: n }),
          fc.nat(),
        ),
      );
    fc.assert(
      fc.property(cases, ([holders, t, shift]) => {
        const secret = randomElement(random);
        const shares = deal(secret, t, holders, random);
        const turned = holders.map((_, i) => (i + shift) % holders.length).slice(0, t);
        const interpolation = new Interpolation(turned.map((i) => holders[i]!));
        expect(interpolation.secret(turned.map((i) => shares[i]!))).toEqual(secret);
      }),
    );
  });

  test("by hand: 42 + 7 x modulo p, t = 2", () => {
    const element = (value: number) => {
      const bytes = new Uint8Array(32);
      bytes[0] = value;
      return bytes;
    };
    const shares = deal(element(42), 2, [1, 2, 200], () => element(7));
    const third = new Uint8Array(32);
    third.set([(42 + 1400) & 255, (42 + 1400) >> 8]);
    expect(shares).toEqual([element(49), element(56), third]);
    expect(new Interpolation([200, 1]).secret([shares[2]!, shares[0]!])).toEqual(element(42));
  });

  test("t - 1 shares are those of any other secret, too", () => {
    // For shares y1 of a secret a, t = 2: every other secret b explains y1 by another slope.
    const a = randomElement(random);
    const [y1] = deal(a, 2, [1, 2], random);
    const b = randomElement(random);
    const explained = new Interpolation([1]).secret([y1!]);
    expect(explained).toEqual(y1);
    // The line through (0, b) and (1, y1) exists: its value at 2, then back to b.
    const at2 = new Interpolation([1, 2]);
    const p = 2n ** 255n - 19n;
    const number = (bytes: Uint8Array) =>
      BigInt("0x" + bytesToHex(Uint8Array.from(bytes).reverse()));
    const y2 = (((2n * number(y1!) - number(b)) % p) + p) % p;
    const y2Bytes = hexToBytes(y2.toString(16).padStart(64, "0")).reverse();
    expect(at2.secret([y1!, y2Bytes])).toEqual(b);
  });

  test("a share looks uniform: chi-square of its low byte, false alarm 1e-6", () => {
    const counts = new Float64Array(256);
    const trials = 25_600;
    const secret = new Uint8Array(32);
    for (let i = 0; i < trials; i++) counts[deal(secret, 2, [3, 4], random)[0]![0]!]!++;
    const chi = counts.reduce((sum, count) => sum + (count - 100) ** 2 / 100, 0);
    // Quantile of chi-square with 255 degrees of freedom at 1 - 1e-6 is 376.
    expect(chi).toBeLessThan(376);
  });

  test("refusals", () => {
    const secret = randomElement(random);
    expect(() => deal(secret, 4, [1, 2, 3], random)).toThrow(
      "threshold: expected 1 to 3, the number of holders, got 4",
    );
    expect(() => deal(secret, 2, [1, 1], random)).toThrow("holders: expected distinct numbers");
    expect(() => deal(secret, 1, [0], random)).toThrow("a share at 0 would be the secret");
    expect(() => deal(new Uint8Array(32).fill(255), 1, [1], random)).toThrow(
      "secret: expected a field element",
    );
    expect(() => new Interpolation([1, 2]).secret([secret])).toThrow("shares: expected 2, got 1");
    expect(isElement(new Uint8Array(31))).toBe(false);
  });
});
