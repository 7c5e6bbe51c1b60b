/**
 * A symmetric matrix as a tridiagonal one in another basis: for systems with the same matrix and many shifts, which
 * then cost as much as a product of vectors.
 * @module
 */
import { largestMagnitude } from "../core/largest.js";
import { withCore } from "../core/core.js";
import { log } from "../core/elementary.js";

/** A = Q T Q^T, Q a product of Householder reflectors. */
export class TridiagonalForm {
  readonly #n: number;
  /** Row j from column j + 1 on is the vector of reflector j. */
  readonly #vectors: Float64Array;
  readonly #factors: Float64Array;
  readonly #diagonal: Float64Array;
  readonly #off: Float64Array;

  /**
   * @param a [n, n], row-major, symmetric to the bit, finite. Cost: 4 n^3 / 3 flops.
   * @throws HostError if there is not enough memory.
   */
  constructor(a: Float64Array, n: number) {
    this.#n = n;
    const ld = (n + 3) & ~3;
    const largest = largestMagnitude(a);
    const unit = largest > 0 ? largest : 1;
    const found = withCore(({ kernels, arena }) => {
      const workspace = kernels.tridiagonaliseWorkspace(n);
      arena.require(8 * (ld * ld + 3 * ld) + workspace, "tridiagonalise");
      const [at, d, e, tau] = [arena.zeros(ld * ld), arena.f64(n), arena.f64(n), arena.f64(n)];
      const padded = arena.view(at, ld * ld);
      for (let i = 0; i < n; i++) {
        for (let j = 0; j < n; j++) padded[i * ld + j] = a[i * n + j]! / unit;
      }
      kernels.tridiagonalise(at, n, ld, d, e, tau, arena.bytes(workspace));
      const rows = arena.view(at, ld * ld);
      const vectors = new Float64Array(n * n);
      for (let i = 0; i < n; i++) vectors.set(rows.subarray(i * ld, i * ld + n), i * n);
      const own = (where: number) => arena.view(where, n).slice();
      return { vectors, d: own(d), e: own(e), tau: own(tau) };
    });
    this.#vectors = found.vectors;
    this.#factors = found.tau;
    this.#diagonal = found.d.map((value) => value * unit);
    this.#off = found.e.map((value) => value * unit);
  }

  /** Q^T x, [n]. */
  turned(x: Float64Array): Float64Array {
    const out = x.slice();
    for (let j = 0; j < this.#n - 1; j++) this.#reflect(j, out);
    return out;
  }

  /** Q z, [n]. */
  turnedBack(z: Float64Array): Float64Array {
    const out = z.slice();
    for (let j = this.#n - 2; j >= 0; j--) this.#reflect(j, out);
    return out;
  }

  #reflect(j: number, x: Float64Array): void {
    const n = this.#n;
    const v = this.#vectors.subarray(j * n, (j + 1) * n);
    let along = 0;
    for (let k = j + 1; k < n; k++) along += v[k]! * x[k]!;
    along *= this.#factors[j]!;
    for (let k = j + 1; k < n; k++) x[k]! -= along * v[k]!;
  }

  /**
   * z with (T + shift I) z = b, and log det(T + shift I), by T + shift I = L D L^T.
   * @returns undefined if the matrix is not positive definite.
   */
  solve(
    shift: number,
    b: Float64Array,
  ): { readonly z: Float64Array; readonly logDeterminant: number } | undefined {
    const n = this.#n;
    const z = new Float64Array(n);
    const left = new Float64Array(n);
    let logDeterminant = 0;
    let [pivot, coupling, value] = [1, 0, 0];
    for (let k = 0; k < n; k++) {
      const l = coupling / pivot;
      pivot = this.#diagonal[k]! + shift - l * coupling;
      if (!(pivot > 0)) return undefined;
      logDeterminant += log(pivot);
      value = b[k]! - l * value;
      z[k] = value / pivot;
      left[k] = l;
      coupling = this.#off[k]!;
    }
    for (let k = n - 2; k >= 0; k--) z[k]! -= left[k + 1]! * z[k + 1]!;
    return { z, logDeterminant };
  }
}
