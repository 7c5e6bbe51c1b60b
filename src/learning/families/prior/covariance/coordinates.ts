/**
 * Coordinates in which the prior released last is the identity.
 *
 * With C^-1 = L L^T (Cholesky) a model w ~ N(0, C) is z = L^T w ~ N(0, I). A task that shares the
 * direction of z instead of w spends its unit length on what the others do not know yet: what
 * earlier rounds explained is scaled down, what they missed is scaled up. L is a function of the
 * broadcast alone, so curator and tasks have the same one, and the sensitivity of a sum of unit
 * vectors does not depend on it.
 * @module
 */
import type { Core, Pointer } from "../../../../core/index.js";

/** Smallest prior variance in the original coordinates, the mean being 1: keeps C invertible. */
const FLOOR = 1e-4;

/** Coordinates that change with every prior; the original ones before the first. */
export class PriorCoordinates {
  readonly #core: Core;
  readonly #d: number;
  readonly #factor: Pointer;
  readonly #square: Pointer;
  readonly #work: Pointer;
  #entered = false;

  /** @param rows most vectors that `express` is given at a time. */
  constructor(core: Core, d: number, rows: number) {
    const { arena, kernels } = core;
    this.#core = core;
    this.#d = d;
    this.#factor = arena.f64(d * d);
    this.#square = arena.f64(d * d);
    this.#work = arena.bytes(
      Math.max(
        kernels.gemmWorkspace(rows, d, d),
        kernels.gemmWorkspace(d, d, d),
        kernels.spectralProductWorkspace(d, d),
      ),
    );
  }

  /** Whether a prior has been entered. */
  get entered(): boolean {
    return this.#entered;
  }

  /** Takes the coordinates of the prior with precision C^-1 [d,d]. */
  enter(precision: Pointer): void {
    const { arena } = this.#core;
    const { length } = arena.view(this.#factor, this.#d ** 2);
    arena.view(this.#factor, length).set(arena.view(precision, length));
    this.#factorise(this.#factor);
    this.#entered = true;
  }

  /** z = L^T w for every row w of `from`, into `to`, which must not overlap it. */
  express(from: Pointer, to: Pointer, rows: number): void {
    const { kernels } = this.#core;
    kernels.gemm(from, this.#factor, to, rows, this.#d, this.#d, this.#work);
  }

  /**
   * The precision, in the original coordinates, of the prior with covariance U diag(variances) U^T
   * in these: C = X diag(variances) X^T with X = L^-T U, scaled to trace d, inverted into `precision`.
   *
   * @param vectors U [d,d]; destroyed.
   * @param variances [d], > 0.
   */
  precisionOf(vectors: Pointer, variances: Pointer, precision: Pointer): void {
    const { arena, kernels } = this.#core;
    const d = this.#d;
    // L^T X = U is solved as L L^T X = L U.
    kernels.gemm(this.#factor, vectors, precision, d, d, d, this.#work);
    kernels.choleskySolve(this.#factor, precision, d, d);
    kernels.spectralProduct(precision, variances, this.#square, d, d, this.#work);
    const covariance = arena.view(this.#square, d * d);
    let trace = 0;
    for (let j = 0; j < d; j++) trace += covariance[j * (d + 1)]!;
    for (let k = 0; k < d * d; k++) covariance[k]! *= d / trace;
    for (let j = 0; j < d; j++) covariance[j * (d + 1)]! += FLOOR;
    this.#factorise(this.#square);
    const inverse = arena.view(precision, d * d).fill(0);
    for (let j = 0; j < d; j++) inverse[j * (d + 1)] = 1;
    kernels.choleskySolve(this.#square, precision, d, d);
    for (let j = 0; j < d; j++) {
      for (let k = 0; k < j; k++) {
        inverse[k * d + j] = inverse[j * d + k] = (inverse[j * d + k]! + inverse[k * d + j]!) / 2;
      }
    }
  }

  #factorise(matrix: Pointer): void {
    if (this.#core.kernels.cholesky(matrix, this.#d) !== 0) {
      throw new RangeError("the shared prior is singular in double precision");
    }
  }
}
