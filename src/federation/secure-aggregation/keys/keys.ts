/**
 * Keys: identities (Ed25519), key agreement (X25519), derivation (HKDF-SHA-256), sealed shares
 * (ChaCha20-Poly1305). All from the audited @noble packages, but that a host which can may accept a signature or agree on a secret
 * sooner; what is decided here is only what is signed and derived from what.
 *
 * Every agreed secret is hashed with the session, its purpose and both public keys with the numbers of those who hold them, so keys of
 * different sessions, purposes, directions and holders are independent, and none is used twice: nor with one who announces another's
 * public key as its own, whose masks would stand twice under integers.
 * @see RFC 7748, 8032, 5869, 8439.
 * @module
 */
import { bytes, callable } from "../../../core/checks.js";
import { chacha20poly1305 } from "@noble/ciphers/chacha.js";
import { ed25519, x25519 } from "@noble/curves/ed25519.js";
import { hkdf } from "@noble/hashes/hkdf.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { concatBytes, utf8ToBytes } from "@noble/hashes/utils.js";
import { equalBytes } from "../../protocol/messages/equal-bytes.js";
import { acceptedByHost } from "./host-signatures.js";
import type { Agreement, KeyPair } from "./key-agreement.js";
import type { RandomBytes } from "./random-bytes.js";
import { uint32 } from "./session.js";
import { randomElement } from "./shamir.js";

/** Bytes of public keys, seeds and derived keys. */
export const KEY_BYTES = 32;
export const SIGNATURE_BYTES = 64;
const TAG_BYTES = 16;

export type { KeyPair } from "./key-agreement.js";

/** A fresh X25519 pair. */
export function keyPair(random: RandomBytes): KeyPair {
  const secret = randomElement(callable("random", random));
  return { secret, public: x25519.getPublicKey(secret) };
}

/** The X25519 pair of a secret of 32 bytes. @throws TypeError or RangeError for another. */
export function pairOf(secret: Uint8Array): KeyPair {
  checkSecret(secret);
  return { secret, public: x25519.getPublicKey(secret) };
}

function checkSecret(secret: Uint8Array): void {
  const { length } = bytes("secret", secret);
  if (length !== KEY_BYTES) {
    throw new RangeError(`secret: expected ${KEY_BYTES} bytes, got ${length}`);
  }
}

/** Whether a (reconstructed) secret belongs to a public key. */
export function isPairOf(secret: Uint8Array, publicKey: Uint8Array): boolean {
  return equalBytes(x25519.getPublicKey(secret), publicKey);
}

/** A public key as that of the participant of this number: what an order of keys is made of. */
export function heldBy(index: number, key: Uint8Array): Uint8Array {
  return concatBytes(uint32(index), key);
}

/** What an agreed key is for. */
export type Purpose = "mask" | "sealed shares" | "verify key";

/**
 * The key two participants agree on: HKDF of their X25519 secret.
 *
 * @param own   agreements of this side's pair (`agreementOf`).
 * @param peer  the other's public key.
 * @param order public keys, of participants with their numbers (`heldBy`), in an order both sides know: by number for masks, sender first
 *   for sealing.
 * @returns undefined if the peer's key is of small order (RFC 7748, section 6.1).
 */
export function agreedKey(
  session: Uint8Array,
  purpose: Purpose,
  own: Agreement,
  peer: Uint8Array,
  order: readonly [Uint8Array, Uint8Array],
): Uint8Array | undefined {
  return agreedKeys(session, purpose, own, peer, [order])?.[0];
}

/** {@link agreedKey} for several orders: the agreement, which is what takes time, is made once. */
export function agreedKeys(
  session: Uint8Array,
  purpose: Purpose,
  own: Agreement,
  peer: Uint8Array,
  orders: readonly (readonly [Uint8Array, Uint8Array])[],
): Uint8Array[] | undefined {
  const secret = own(peer);
  if (!secret) return undefined;
  const keys = orders.map((order) => derive(secret, session, purpose, ...order));
  secret.fill(0);
  return keys;
}

/** The key of a participant's self mask, from its seed. */
export function selfMaskKey(session: Uint8Array, seed: Uint8Array, index: number): Uint8Array {
  return derive(seed, session, "self mask", uint32(index));
}

function derive(
  secret: Uint8Array,
  session: Uint8Array,
  purpose: string,
  ...parts: readonly Uint8Array[]
): Uint8Array {
  const info = concatBytes(utf8ToBytes(`mp-mtl ${purpose} `), ...parts);
  return hkdf(sha256, secret, session, info, KEY_BYTES);
}

/** Binds a participant to its self-mask seed before anyone can ask for shares of it. */
export function commitment(session: Uint8Array, seed: Uint8Array, index: number): Uint8Array {
  return sha256(concatBytes(utf8ToBytes("mp-mtl seed "), session, uint32(index), seed));
}

const NONCE = new Uint8Array(12);

/** Authenticated encryption under a key that is used once. */
export function seal(key: Uint8Array, text: Uint8Array, bound: Uint8Array): Uint8Array {
  return chacha20poly1305(key, NONCE, bound).encrypt(text);
}

/** The text; undefined if it was not sealed under this key and binding. */
export function open(
  key: Uint8Array,
  sealed: Uint8Array,
  bound: Uint8Array,
): Uint8Array | undefined {
  try {
    return chacha20poly1305(key, NONCE, bound).decrypt(sealed);
  } catch {
    return undefined;
  }
}

/** Bytes that sealing adds. */
export const SEAL_BYTES = TAG_BYTES;

/** What an identity signs: a purpose, the session, who signs, the content. */
function statement(
  purpose: "keys" | "included",
  session: Uint8Array,
  index: number,
  content: Uint8Array,
): Uint8Array {
  return concatBytes(utf8ToBytes(`mp-mtl ${purpose} `), session, uint32(index), content);
}

/** Signs with a participant's identity. */
export function sign(
  purpose: "keys" | "included",
  session: Uint8Array,
  index: number,
  content: Uint8Array,
  identity: Uint8Array,
): Uint8Array {
  return ed25519.sign(statement(purpose, session, index, content), identity);
}

/** Whether participant `index` signed; never throws. */
export function signed(
  purpose: "keys" | "included",
  session: Uint8Array,
  index: number,
  content: Uint8Array,
  signature: Uint8Array,
  identity: Uint8Array,
): boolean {
  const text = statement(purpose, session, index, content);
  try {
    // Strict RFC 8032: no malleable encodings, no keys of small order.
    return (
      acceptedByHost(signature, text, identity) ||
      ed25519.verify(signature, text, identity, { zip215: false })
    );
  } catch {
    return false;
  }
}

/**
 * A new identity of a participant for runs on secure sums: an Ed25519 key pair, 32 bytes each. The secret stays with the participant; the public key goes into
 * the plan, as 64 hexadecimal digits.
 * @param random a cryptographic source; whoever can guess it can sign in the participant's name.
 */
export function newIdentity(random: RandomBytes): KeyPair {
  const secret = callable("random", random)(KEY_BYTES);
  return { secret, public: identityKey(secret) };
}

/** The public key (Ed25519, 32 bytes) of an identity's secret. @throws TypeError or RangeError unless it is of 32 bytes. */
export function identityKey(secret: Uint8Array): Uint8Array {
  checkSecret(secret);
  return ed25519.getPublicKey(secret);
}

/** Whether a value is a public key as plans have it: 64 hexadecimal digits. */
export const isKeyText = (value: unknown): value is string =>
  typeof value === "string" && /^[0-9a-f]{64}$/.test(value);
