/**
 * What a penalty's dual says of a gradient: the part of a duality gap that knows the penalty.
 * @module
 */
import type { Core, Pointer } from "../../../core/index.js";
import { statistic, type StatisticName } from "../../round/statistic/statistic.js";

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

/** A conjugate that reads one statistic of the gradient, which threads may have summed. */
export interface SummedConjugate {
  readonly conjugate: Conjugate;
  /** The same of that statistic, which it may overwrite. */
  readonly conjugateOfSum: (sum: Pointer) => ConjugateTerms;
}

/** The conjugate by a statistic of the gradient. */
export function summedConjugate(
  { core, m, d }: { readonly core: Core; readonly m: number; readonly d: number },
  name: StatisticName,
  conjugateOfSum: (sum: Pointer) => ConjugateTerms,
): SummedConjugate {
  const { length, workspace, compute } = statistic(name);
  const sum = core.arena.f64(length(m, d));
  const work = core.arena.bytes(workspace(core, m, d));
  return {
    conjugate: (gradient) => {
      compute(core, gradient, sum, m, d, work);
      return conjugateOfSum(sum);
    },
    conjugateOfSum,
  };
}

/** The singular values of V[m, d], descending, from V^T V, [d, d], which is overwritten; NaN if not found. */
export function singularValues(
  { arena, kernels }: Core,
  d: number,
): (sum: Pointer) => Float64Array {
  const values = arena.f64(d);
  const work = arena.bytes(kernels.eighWorkspace(d));
  return (sum) => {
    const failed = kernels.eigh(sum, values, 0, d, work) !== 0;
    return rootsOf(arena.view(values, d), failed);
  };
}

const rootsOf = (values: Float64Array, failed: boolean) =>
  values.map((value) => (failed ? NaN : Math.sqrt(Math.max(0, value))));

/** Singular values and right singular vectors of blocks V[m,d], found from V^T V. */
export class Spectrum {
  /** Column j belongs to value j of the last call, [d, d]. */
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
    const { kernels, arena } = this.#core;
    const [m, d] = [this.#m, this.#d];
    kernels.syrk(v, this.#covariance, m, d, this.#work);
    const failed = kernels.eigh(this.#covariance, this.#values, this.vectors, d, this.#work) !== 0;
    return rootsOf(arena.view(this.#values, d), failed);
  }
}
