/**
 * Shared memory in which the rows of one fit after the other go to a worker. Buffers that were made for every fit and handed over had
 * the engine collect everything on either thread, about once a fit.
 * @module
 */

/** Fewest bytes, and most. */
const LEAST = 2 ** 16;
const MOST = 2 ** 26;

/** One buffer, of the power of two that the largest of the fits needed. */
export class KeptMemory {
  #buffer: SharedArrayBuffer | undefined;

  /**
   * The memory of a fit, of as many bytes or more; what the last one wrote is still there. Nobody may use it for that any longer.
   * @returns undefined where the host has no shared memory, or the bytes are too many to be kept.
   */
  take(bytes: number): SharedArrayBuffer | undefined {
    if (typeof SharedArrayBuffer !== "function" || bytes > MOST) return undefined;
    let size = this.#buffer?.byteLength ?? LEAST;
    // No engine counts shared memory as garbage that is worth a collection. By doubling what is left behind is no more than what is kept.
    while (size < bytes) size *= 2;
    if (size !== this.#buffer?.byteLength) this.#buffer = new SharedArrayBuffer(size);
    return this.#buffer;
  }

  /** Leaves the memory to whoever still uses it. */
  drop(): void {
    this.#buffer = undefined;
  }
}
