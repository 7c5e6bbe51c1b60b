/**
 * Room for short arrays that are done with together: as garbage they would be collected by threads that the work then lacks.
 * @module
 */

/** Float64s of the first stretch. */
const FIRST = 2 ** 12;

/** Hands out arrays, and takes all of them back at once. */
export class Room {
  #stretch = new Float64Array(FIRST);
  #used = 0;
  /** What was handed out since the last clearing and before, in order: what is asked for in the same order is the same again. */
  readonly #handed: Float64Array[] = [];
  #count = 0;

  /** n zeros, until `clear` is called. */
  take(n: number): Float64Array {
    if (this.#used + n > this.#stretch.length) {
      // What was handed out keeps the stretch that it lies in.
      this.#stretch = new Float64Array(2 * (this.#stretch.length + n));
      this.#used = 0;
    }
    const from = this.#used;
    this.#used += n;
    const last = this.#handed[this.#count];
    const isSame =
      last?.length === n && last.buffer === this.#stretch.buffer && last.byteOffset === 8 * from;
    const taken = isSame ? last : this.#stretch.subarray(from, this.#used);
    this.#handed[this.#count++] = taken;
    return taken.fill(0);
  }

  /** Nobody reads what was taken any more. */
  clear(): void {
    this.#used = 0;
    this.#count = 0;
  }
}
