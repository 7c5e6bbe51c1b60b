/**
 * Vectors of field elements as bytes: each element little-endian, in whole 32-bit words.
 * @module
 */
import type { Element, PrimeField } from "./field.js";

/** The bytes of a vector. */
export function encodeVector(field: PrimeField, vector: readonly Element[]): Uint8Array {
  const bytes = new Uint8Array(vector.length * field.bytes);
  const view = new DataView(bytes.buffer);
  let at = 0;
  for (const element of vector) {
    if (field.bytes === 4) view.setUint32(at, Number(element), true);
    for (let i = 0; i + 8 <= field.bytes; i += 8) {
      // Keeps the lowest 64 bits of what it is given.
      view.setBigUint64(at + i, element >> BigInt(8 * i), true);
    }
    at += field.bytes;
  }
  return bytes;
}

/** The integer in the `field.bytes` bytes from `at`; it need not be below the modulus. */
export function readInteger(field: PrimeField, view: DataView, at: number): bigint {
  if (field.bytes === 4) return BigInt(view.getUint32(at, true));
  let value = 0n;
  for (let i = field.bytes - 8; i >= 0; i -= 8) {
    value = (value << 64n) | view.getBigUint64(at + i, true);
  }
  return value;
}

/**
 * A vector from its bytes.
 * @returns undefined if the length is not that of n elements, or one is not below the modulus.
 */
export function decodeVector(
  field: PrimeField,
  bytes: Uint8Array,
  n: number,
): Element[] | undefined {
  if (bytes.length !== n * field.bytes) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const vector: Element[] = [];
  for (let i = 0; i < n; i++) {
    const value = readInteger(field, view, i * field.bytes);
    if (value >= field.modulus) return undefined;
    vector.push(value);
  }
  return vector;
}
