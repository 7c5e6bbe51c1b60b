/**
 * Vectors of residues modulo 2^32 or 2^64: the arithmetic in which masks cancel.
 *
 * Entry i is word i, or words 2i (low) and 2i + 1 (high): on the wire, little-endian integers. Like the
 * kernels, the typed arrays here assume a little-endian host.
 * @module
 */

/** Bits of the modulus. */
export type ModulusBits = 32 | 64;

const WORD = 2 ** 32;

/** A zero vector of n residues. */
export function residues(n: number, bits: ModulusBits): Uint32Array<ArrayBuffer> {
  return new Uint32Array(n * (bits / 32));
}

/**
 * into <- into + sign * from, entry by entry.
 * @param sign 1 or -1.
 */
export function addResidues(
  into: Uint32Array,
  from: Uint32Array,
  bits: ModulusBits,
  sign: 1 | -1,
): void {
  const n = into.length;
  if (bits === 32) {
    // Stores reduce modulo 2^32; the sum of a word and a signed word is exact.
    for (let i = 0; i < n; i++) into[i] = into[i]! + sign * from[i]!;
    return;
  }
  for (let i = 0; i < n; i += 2) {
    const low = into[i]! + sign * from[i]!;
    into[i] = low;
    into[i + 1] = into[i + 1]! + sign * from[i + 1]! + Math.floor(low / WORD);
  }
}

/**
 * into <- into + values.
 * @param values integers of absolute value below 2^53.
 */
export function addIntegers(into: Uint32Array, values: Float64Array, bits: ModulusBits): void {
  const step = bits / 32;
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!;
    if (!Number.isSafeInteger(value)) {
      throw new RangeError(`values: expected integers below 2^53, entry ${i} is not`);
    }
    const high = Math.floor(value / WORD);
    const low = into[i * step]! + (value - high * WORD);
    into[i * step] = low;
    if (step === 2) into[i * 2 + 1] = into[i * 2 + 1]! + high + (low >= WORD ? 1 : 0);
  }
}

/** The residues as signed integers, each rounded to the nearest double. */
export function signedValues(from: Uint32Array, bits: ModulusBits): Float64Array {
  if (bits === 32) return Float64Array.from(from, (word) => word | 0);
  const values = new Float64Array(from.length / 2);
  for (let i = 0; i < values.length; i++) {
    // high * 2^32 is exact, so the one addition rounds once.
    values[i] = (from[2 * i + 1]! | 0) * WORD + from[2 * i]!;
  }
  return values;
}

/** The wire form: little-endian words. */
export function residueBytes(words: Uint32Array): Uint8Array {
  return new Uint8Array(words.buffer, words.byteOffset, words.byteLength);
}

/**
 * From the wire.
 * @returns undefined if the bytes are not n residues.
 */
export function parseResidues(
  bytes: Uint8Array,
  n: number,
  bits: ModulusBits,
): Uint32Array<ArrayBuffer> | undefined {
  if (bytes.byteLength !== n * (bits / 8)) return undefined;
  // A copy: the bytes may lie at any offset.
  return new Uint32Array(Uint8Array.from(bytes).buffer);
}
