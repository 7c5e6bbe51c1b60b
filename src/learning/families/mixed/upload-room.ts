/**
 * Memory for uploads that the releases of a fit use in turn. Allocated for each release, a megabyte or more, they would make the engine
 * collect all garbage about once a fit, compiled code with it, which then has to be compiled again.
 * @module
 */
export class UploadRoom {
  #kept = new Float64Array(0);

  /** n zeros; the caller's until the next call. */
  take(n: number): Float64Array {
    if (this.#kept.length < n) return (this.#kept = new Float64Array(n));
    return this.#kept.subarray(0, n).fill(0);
  }
}
