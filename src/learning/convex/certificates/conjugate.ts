/**
 * What a penalty's dual says of a gradient: the part of a duality gap that knows the penalty.
 * @module
 */
import type { Core, Pointer } from "../../../core/index.js";

/** The conjugate of a penalty at -s G for s >= 0: s^2 `price` up to s = `limit`, infinite beyond. */
export interface ConjugateTerms {
  /** lambda / D(G) for lambda times a norm with dual norm D; Infinity for a finite conjugate. */
  readonly limit: number;
  /** The conjugate at -G where it is quadratic; 0 for a norm. */
  readonly price: number;
}

/** The conjugate of one penalty along G[m,d] in the core's memory. */
export type Conjugate = (gradient: Pointer) => ConjugateTerms;

/** The conjugate of min over P + Q = W of both penalties: the sum of the two conjugates. */
export function conjugateOfParts(first: Conjugate, second: Conjugate): Conjugate {
  return (gradient) => {
    const [a, b] = [first(gradient), second(gradient)];
    return { limit: Math.min(a.limit, b.limit), price: a.price + b.price };
  };
}

/** lambda times a norm, by its dual norm. */
export function normConjugate(lambda: number, dualNorm: (gradient: Pointer) => number): Conjugate {
  return (gradient) => ({ limit: lambda / dualNorm(gradient), price: 0 });
}

/** Singular values and right singular vectors of blocks V[m,d], found from V^T V. */
export class Spectrum {
  /** Column j belongs to value j of the last call of `of`, [d, d]. */
  readonly vectors: Pointer;
  readonly #core: Core;
  readonly #m: number;
  readonly #d: number;
  readonly #covariance: Pointer;
  readonly #values: Pointer;
  readonly #work: Pointer;

  constructor(core: Core, m: number, d: number) {
    const { arena, kernels } = core;
    this.#core = core;
    this.#m = m;
    this.#d = d;
    this.#covariance = arena.f64(d * d);
    this.#values = arena.f64(d);
    this.vectors = arena.f64(d * d);
    this.#work = arena.bytes(Math.max(kernels.syrkWorkspace(m, d), kernels.eighWorkspace(d)));
  }

  /** Singular values, descending, [d]; NaN if not found. */
  of(v: Pointer): Float64Array {
    return this.#decompose(v, this.vectors);
  }

  /** Singular values alone, without their vectors. */
  valuesOf(v: Pointer): Float64Array {
    return this.#decompose(v, 0);
  }

  #decompose(v: Pointer, vectors: Pointer): Float64Array {
    const { kernels, arena } = this.#core;
    const [m, d] = [this.#m, this.#d];
    kernels.syrk(v, this.#covariance, m, d, this.#work);
    const failed = kernels.eigh(this.#covariance, this.#values, vectors, d, this.#work) !== 0;
    return arena
      .view(this.#values, d)
      .map((value) => (failed ? NaN : Math.sqrt(Math.max(0, value))));
  }
}
