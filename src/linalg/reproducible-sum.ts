/**
 * Sums of vectors with the same bits in whatever order, and in however many parts, their terms are added.
 *
 * Every term is split at two grids whose steps are powers of two, so coarse that sums of as many of their points are exact in
 * double precision. What is lost of a term lies below the finer one: at most count^2 2^-100 of the bound.
 *
 * @see Demmel and Nguyen (2015), "Parallel reproducible summation".
 * @module
 */

/** Bits of a sum that the points of a grid leave free, so that a sum of them is exact. */
const ROOM = 2 ** 51;

/** Terms up to 2^51 steps keep these as their lowest bits when they are added to 1.5 2^52 of them. */
const LIFT = 1.5 * 2 ** 52;

/** What is known of the terms before they are. */
export interface Terms {
  /** Of the absolute values of their entries; computed ones may be above it by rounding, but not by half of it. */
  readonly bound: number;
  /** How many there are at most, in all parts. */
  readonly count: number;
}

/** A part of such a sum: those of its parts are added entry by entry. */
export class ReproducibleSum {
  /** The sum's entries on the coarse grid, then what is left of them on the fine one, [2 length]. */
  readonly parts: Float64Array<ArrayBuffer>;
  readonly #length: number;
  readonly #coarse: number;
  readonly #fine: number;

  constructor(length: number, { bound, count }: Terms) {
    this.parts = new Float64Array(2 * length);
    this.#length = length;
    const step = powerFrom(2 * count * bound) / ROOM;
    this.#coarse = LIFT * step;
    this.#fine = LIFT * ((powerFrom(count) / ROOM) * step);
  }

  /** Adds factor times a vector. */
  add(factor: number, vector: Float64Array): void {
    const [length, coarse, fine, parts] = [this.#length, this.#coarse, this.#fine, this.parts];
    for (let k = 0; k < length; k++) {
      const term = factor * vector[k]!;
      const high = term + coarse - coarse;
      parts[k]! += high;
      parts[length + k]! += term - high + fine - fine;
    }
  }

  /** Adds a vector that is 0 but in these entries. */
  addScattered(vector: Float64Array, entries: Uint32Array): void {
    const [length, coarse, fine, parts] = [this.#length, this.#coarse, this.#fine, this.parts];
    for (let k = 0; k < entries.length; k++) {
      // Not as a pair, which would be an object for every entry.
      const term = vector[k]!;
      const entry = entries[k]!;
      const high = term + coarse - coarse;
      parts[entry]! += high;
      parts[length + entry]! += term - high + fine - fine;
    }
  }
}

/** The sum itself, [length], of its parts added up, [2 length]. */
export function valueOfSum(parts: Float64Array): Float64Array {
  const length = parts.length / 2;
  const out = parts.slice(0, length);
  for (let k = 0; k < length; k++) out[k]! += parts[length + k]!;
  return out;
}

/** The least power of two from `value` on; 0 for 0, and Infinity where no number is one. */
function powerFrom(value: number): number {
  if (!(value > 0 && value < Infinity)) return value;
  let power = 1;
  while (power < value) power *= 2;
  while (power < Infinity && power / 2 >= value) power /= 2;
  return power;
}
