/**
 * Integers as bits that are field elements, and back from bits or from shares of them.
 * @module
 */
import type { Element, PrimeField } from "./field.js";

/** The lowest `count` bits of a non-negative integer, least first. */
export function bitsOf(value: bigint, count: number): Element[] {
  return Array.from({ length: count }, (_, i) => (value >> BigInt(i)) & 1n);
}

/** The element that bits, or shares of bits, stand for: sum_i 2^i bit_i. */
export function fromBits(field: PrimeField, bits: readonly Element[]): Element {
  let value = 0n;
  for (let i = bits.length - 1; i >= 0; i--) value = 2n * value + bits[i]!;
  return value % field.modulus;
}

/** Bits that a non-negative integer takes. */
export function bitLength(value: bigint): number {
  return value === 0n ? 0 : value.toString(2).length;
}
