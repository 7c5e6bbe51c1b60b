/**
 * Dual norms of the penalties, for models stored task by task.
 * @module
 */
import type { Core } from "../../core/index.js";
import type { DualRatio } from "./duality-gap.js";

/** Trace norm: the largest singular value of G, over lambda. */
export function spectralRatio(
  { arena, kernels }: Core,
  m: number,
  d: number,
  lambda: number,
): DualRatio {
  const covariance = arena.f64(d * d);
  const values = arena.f64(d);
  const vectors = arena.f64(d * d);
  const work = arena.bytes(Math.max(kernels.syrkWorkspace(m, d), kernels.eighWorkspace(d)));
  return (gradient) => {
    kernels.syrk(gradient, covariance, m, d, work);
    if (kernels.eigh(covariance, values, vectors, d, work) !== 0) return Infinity;
    return Math.sqrt(Math.max(0, arena.view(values, 1)[0]!)) / lambda;
  };
}

/** l2,1 norm over features: the largest l2 norm of a feature's row of G, over lambda. */
export function rowNormRatio(
  { arena, kernels }: Core,
  m: number,
  d: number,
  lambda: number,
): DualRatio {
  const squares = arena.f64(d);
  return (gradient) => {
    kernels.columnSquares(gradient, squares, m, d);
    return Math.sqrt(Math.max(...arena.view(squares, d))) / lambda;
  };
}

/** l1 norm: the largest entry of |G|, over lambda. */
export function largestEntryRatio(
  { arena }: Core,
  m: number,
  d: number,
  lambda: number,
): DualRatio {
  return (gradient) => {
    let largest = 0;
    for (const value of arena.view(gradient, m * d)) largest = Math.max(largest, Math.abs(value));
    return largest / lambda;
  };
}
