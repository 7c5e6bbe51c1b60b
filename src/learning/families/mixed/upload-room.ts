/**
 * Room for the uploads of one release after the other: as garbage, of a megabyte or more each, they would have the engine collect everything
 * about once a fit, and compile anew what it collects.
 * @module
 */
export class UploadRoom {
  #kept = new Float64Array(0);

  /** n zeros, until they are asked for again. */
  take(n: number): Float64Array {
    if (this.#kept.length < n) return (this.#kept = new Float64Array(n));
    return this.#kept.subarray(0, n).fill(0);
  }
}
