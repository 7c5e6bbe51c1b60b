/**
 * Extendable output functions: byte streams, seeds and field elements from a seed.
 *
 * XofTurboShake128 of draft-irtf-cfrg-vdaf-11 (section 6.2.1). Keccak is that of @noble/hashes.
 * @module
 */
import { turboshake128 } from "@noble/hashes/sha3-addons.js";
import { readInteger } from "./encoding.js";
import type { Element, PrimeField } from "./field.js";

/** The next n bytes of a stream. */
export type ByteStream = (n: number) => Uint8Array;

/** A family of streams, one for each seed, purpose and bound content. */
export interface Xof {
  /** Bytes of a seed. */
  readonly seedBytes: number;
  /**
   * @param seed   of `seedBytes`.
   * @param tag    the purpose: domain separation, at most 255 bytes.
   * @param binder what else the stream depends on.
   */
  stream(seed: Uint8Array, tag: Uint8Array, binder: Uint8Array): ByteStream;
}

/** TurboSHAKE128 of tag, seed and binder. */
export const XOF_TURBO_SHAKE_128: Xof = {
  seedBytes: 16,
  stream(seed, tag, binder) {
    const sponge = turboshake128.create({ D: 1 });
    sponge.update(Uint8Array.of(tag.length)).update(tag).update(seed).update(binder);
    return (n) => sponge.xof(n);
  },
};

/** A seed derived from another. */
export function deriveSeed(
  xof: Xof,
  seed: Uint8Array,
  tag: Uint8Array,
  binder: Uint8Array,
): Uint8Array {
  return xof.stream(seed, tag, binder)(xof.seedBytes);
}

/** n uniform elements: integers of the stream that are not below the modulus are passed over. */
export function expandSeed(
  xof: Xof,
  field: PrimeField,
  seed: Uint8Array,
  tag: Uint8Array,
  binder: Uint8Array,
  n: number,
): Element[] {
  const next = xof.stream(seed, tag, binder);
  const vector: Element[] = [];
  while (vector.length < n) {
    const missing = n - vector.length;
    const bytes = next(missing * field.bytes);
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    for (let i = 0; i < missing; i++) {
      const value = readInteger(field, view, i * field.bytes);
      if (value < field.modulus) vector.push(value);
    }
    bytes.fill(0);
  }
  return vector;
}
