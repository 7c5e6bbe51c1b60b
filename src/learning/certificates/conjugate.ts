/**
 * What a penalty's dual says of a gradient: the part of a duality gap that knows the penalty.
 * @module
 */
import type { Core, Pointer } from "../../core/index.js";

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

/** Singular values of V[m,d], descending, [d]: for spectral conjugates; NaN if not found. */
export function singularValues(
  { arena, kernels }: Core,
  m: number,
  d: number,
): (v: Pointer) => Float64Array {
  const covariance = arena.f64(d * d);
  const values = arena.f64(d);
  const vectors = arena.f64(d * d);
  const work = arena.bytes(Math.max(kernels.syrkWorkspace(m, d), kernels.eighWorkspace(d)));
  return (v) => {
    kernels.syrk(v, covariance, m, d, work);
    const failed = kernels.eigh(covariance, values, vectors, d, work) !== 0;
    return arena.view(values, d).map((value) => (failed ? NaN : Math.sqrt(Math.max(0, value))));
  };
}
