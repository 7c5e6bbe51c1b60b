/**
 * X25519 public keys of small order: every secret agrees with them on zero, so that an eavesdropper knows the agreed key.
 *
 * A clamped secret is a multiple of eight between 2^254 and 2^255. The curve has 8 l points and its twist 4 l', with
 * primes l, l' > 2^252, and no such multiple is one of 8 l or 8 l'. So the agreement is zero exactly for points whose order
 * divides 8 (on the twist, 4): these five coordinates.
 * @see RFC 7748, sections 5, 6.1 and 7.
 * @module
 */

/** 2^255 - 19. */
const PRIME = 0x7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffedn;
const TOP_BIT = 0x80;

/** Coordinates of points of order 1 and 2, 4, 4 (of the twist), 8, 8. */
const COORDINATES: readonly bigint[] = [
  0n,
  1n,
  0x7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffecn,
  0x00b8495f16056286fdb1329ceb8d09da6ac49ff1fae35616aeb8413b7c7aebe0n,
  0x57119fd0dd4e22d8868e1c58c45c44045bef839c55b1d0b1248c50a3bc959c5fn,
];

/** Whether a public key, 32 bytes, little-endian, is of small order; the top bit does not count, nor do multiples of the prime. */
export function isSmallOrder(key: Uint8Array): boolean {
  const last = key.length - 1;
  let coordinate = BigInt(key[last]! & ~TOP_BIT);
  for (let at = last - 1; at >= 0; at--) coordinate = (coordinate << 8n) | BigInt(key[at]!);
  return COORDINATES.includes(coordinate % PRIME);
}
