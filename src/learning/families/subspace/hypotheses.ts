/**
 * What a task's model may be distributed like, given the releases: near the subspace, by the covariance that it was read
 * off, or as if the task were alone. Functions of the releases, made once for all tasks.
 * @module
 */
import { eigh } from "../../../linalg/index.js";
import { congruence } from "../../../linalg/kernel-products.js";
import {
  factor,
  identity,
  multiply,
  symmetric,
  trace,
  transpose,
} from "../../../linalg/small-matrices.js";
import { OUTSIDE } from "./settings.js";
import type { Subspace } from "./spectrum.js";

/** weight A, A = root root^T, root [d, rank]. */
interface CovariancePart {
  readonly weight: number;
  readonly root: Float64Array;
  readonly rank: number;
}

/** w ~ N(0, s C). */
export interface Hypothesis {
  /** Whether it says more than that the task is alone. */
  readonly shared: boolean;
  /** C [d, d], its symmetric root, and the parts that it is the sum of. */
  readonly covariance: Float64Array;
  readonly root: Float64Array;
  readonly parts: readonly CovariancePart[];
}

/** w ~ N(0, s I). */
export function alone(d: number): Hypothesis {
  return hypothesis([{ weight: 1, root: identity(d), rank: d }], d, false);
}

/**
 * Within the subspace what C says, brought to trace k, plus rho C for a grid of rho; C itself; and I.
 * @param covariance C [d, d], of trace d: what the first release says of all directions.
 */
export function sharedHypotheses(
  { k, d, basis }: Subspace,
  covariance: Float64Array,
): Hypothesis[] {
  const { values, vectors } = eigh(covariance, d);
  const roots = values.map((value) => Math.sqrt(Math.max(value, 0)));
  const all = { root: vectors.map((value, at) => value * roots[at % d]!), rank: d };
  const inside = { weight: 1, root: withinRoot({ k, d, basis }, covariance), rank: k };
  const near = k > 0 ? OUTSIDE.map((weight) => [inside, { ...all, weight }]) : [];
  return [...near, [{ ...all, weight: 1 }]]
    .map((parts) => hypothesis(parts, d, true))
    .concat(alone(d));
}

/** R, [d, k], with R R^T = U U^T C U U^T of trace k. */
function withinRoot({ k, d, basis }: Subspace, covariance: Float64Array): Float64Array {
  if (k === 0) return new Float64Array(0);
  const within = congruence(basis, covariance, k, d);
  const scale = Math.sqrt(k / trace(within, k));
  return multiply(transpose(basis, k, d), factor(within, k), d, k, k).map((v) => scale * v);
}

function hypothesis(parts: readonly CovariancePart[], d: number, shared: boolean): Hypothesis {
  const covariance = new Float64Array(d * d);
  for (const { weight, root, rank } of parts) {
    multiply(root, transpose(root, d, rank), d, rank, d).forEach((value, at) => {
      covariance[at]! += weight * value;
    });
  }
  symmetric(covariance, d);
  const { values, vectors } = eigh(covariance, d);
  const roots = values.map((value) => Math.sqrt(Math.max(value, 0)));
  const scaled = vectors.map((value, at) => value * roots[at % d]!);
  const root = symmetric(multiply(scaled, transpose(vectors, d, d), d, d, d), d);
  return { shared, covariance, root, parts };
}
