/**
 * An orthonormal basis of directions in feature space that grows and is cut back.
 * @module
 */
import type { Core, Pointer } from "../../../core/index.js";

/** A unit vector of which orthogonalisation leaves less than this depends on the rows that are there. */
const DEPENDENT = 1e-6;

/** B[k, d], orthonormal rows, in a core's memory. */
export class Basis {
  /** Row-major, `capacity` rows of which the first `k` are in use. */
  readonly rows: Pointer;
  k = 0;
  readonly #core: Core;
  readonly #d: number;
  readonly #capacity: number;
  readonly #incoming: Pointer;
  /** The directions that the models used after the last `settle`, [#currentRows, d]. */
  readonly #current: Pointer;
  #currentRows = 0;

  constructor(core: Core, d: number, capacity: number) {
    this.#core = core;
    this.#d = d;
    this.#capacity = capacity;
    this.rows = core.arena.f64(capacity * d);
    this.#incoming = core.arena.f64(capacity * d);
    this.#current = core.arena.f64(capacity * d);
  }

  /**
   * Adds what is new in the first `count` columns of vectors[d, width].
   * @returns false if the basis became full before all were added.
   */
  add(vectors: Pointer, width: number, count: number): boolean {
    const { arena } = this.#core;
    const d = this.#d;
    const columns = arena.view(vectors, d * width);
    for (let j = 0; j < count; j++) {
      if (this.k === this.#capacity) return false;
      const row = arena.view(this.#at(this.rows, this.k), d);
      for (let i = 0; i < d; i++) row[i] = columns[i * width + j]!;
      this.#accept();
    }
    return true;
  }

  /**
   * Cuts the basis back to the span of the directions the models now use, combinations[r, k] B, and
   * of those they used at the call before.
   * @returns false where they do not fit.
   */
  settle(combinations: Pointer, r: number): boolean {
    const { kernels, arena } = this.#core;
    const d = this.#d;
    const mark = arena.mark();
    const work = arena.bytes(kernels.gemmWorkspace(r, this.k, d));
    kernels.gemm(combinations, this.rows, this.#incoming, r, this.k, d, work);
    arena.release(mark);
    this.k = 0;
    const before = this.#currentRows;
    if (!this.#take(this.#incoming, r) || !this.#take(this.#current, before)) return false;
    this.#copy(this.#incoming, this.#current, r * d);
    this.#currentRows = r;
    return true;
  }

  #take(from: Pointer, count: number): boolean {
    for (let j = 0; j < count; j++) {
      if (this.k === this.#capacity) return false;
      this.#copy(this.#at(from, j), this.#at(this.rows, this.k), this.#d);
      this.#accept();
    }
    return true;
  }

  /** Orthonormalises row k against those before it (Gram-Schmidt, twice) and keeps it if anything is left. */
  #accept(): void {
    const { kernels } = this.#core;
    const d = this.#d;
    const row = this.#at(this.rows, this.k);
    const length = Math.sqrt(kernels.dot(row, row, d));
    if (!(length > 0)) return;
    kernels.axpy(1 / length - 1, row, row, d);
    for (let pass = 0; pass < 2; pass++) {
      for (let j = 0; j < this.k; j++) {
        const other = this.#at(this.rows, j);
        kernels.axpy(-kernels.dot(row, other, d), other, row, d);
      }
      const left = Math.sqrt(kernels.dot(row, row, d));
      if (left < DEPENDENT) return;
      kernels.axpy(1 / left - 1, row, row, d);
    }
    this.k++;
  }

  #at(block: Pointer, row: number): Pointer {
    return block + 8 * row * this.#d;
  }

  #copy(from: Pointer, to: Pointer, n: number): void {
    const { arena } = this.#core;
    arena.view(to, n).set(arena.view(from, n));
  }
}
