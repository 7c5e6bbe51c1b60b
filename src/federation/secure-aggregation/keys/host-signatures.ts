/**
 * Ed25519 checks by the host's own cryptography where it has one: a participant checks t signatures in every attempt, and in JavaScript these
 * are most of what a round of a thousand costs.
 *
 * Hosts differ in what they take beyond RFC 8032, and who is in a sum must not depend on the host, so only an acceptance counts here, and
 * only under a key that the strict check takes: canonical, not of small order. A host accepts if the encoding of S B - k A is R, byte by
 * byte, with S < l. Then R is the canonical encoding of a point and S B = R + k A, so 8 S B = 8 R + 8 k A, which is what the strict check
 * asks. Of everything else, the strict check decides.
 * @see RFC 8032, section 5.1.7.
 * @module
 */
import { ED25519_TORSION_SUBGROUP } from "@noble/curves/ed25519.js";
import { bytesToHex, hexToBytes } from "@noble/hashes/utils.js";
import { hostCrypto, jwkOf } from "./host-crypto.js";

const SIGN_BIT = 0x80;
const withoutSign = (key: Uint8Array) => {
  const copy = key.slice();
  copy[31]! &= ~SIGN_BIT;
  return copy;
};
/** The y of all points whose order divides 8. */
const SMALL = new Set(
  ED25519_TORSION_SUBGROUP.map((point) => bytesToHex(withoutSign(hexToBytes(point)))),
);

/**
 * Whether the host accepts a signature that the strict check would accept, too.
 * @returns false also where the host has no Ed25519, or the key is one that hosts differ about: nothing is said then.
 */
export function acceptedByHost(
  signature: Uint8Array,
  text: Uint8Array,
  publicKey: Uint8Array,
): boolean {
  const { createPublicKey, verify } = hostCrypto() ?? {};
  if (!createPublicKey || !verify || !isOrdinary(publicKey)) return false;
  try {
    const key = createPublicKey({ key: jwkOf("Ed25519", publicKey), format: "jwk" });
    return verify(null, text, key, signature);
  } catch {
    return false;
  }
}

/** Whether a key is of 32 bytes, its y below 2^255 - 19, and not of small order. */
function isOrdinary(key: Uint8Array): boolean {
  if (key.length !== 32) return false;
  const y = withoutSign(key);
  const isBelow = y[0]! < 0xed || y[31] !== 0x7f || y.subarray(1, 31).some((byte) => byte !== 0xff);
  return isBelow && !SMALL.has(bytesToHex(y));
}
