/**
 * One task of Newton's method: minimise F = c sum_j loss(x_j w + b, y_j) + (1/2) (w - a)^T P (w - a).
 */

/** A record, because it is much to pass on. Matrices are f64[d, d]. */
@unmanaged
export class NewtonTask {
  c: f64;
  /** Where P = q^2 I and `factor` is 0: q. */
  root: f64;
  tolerance: f64;
  loss: i32;
  n: i32;
  d: i32;
  maxIterations: i32;
  /** Rows f64[n, d] and targets f64[n]. */
  x: usize;
  y: usize;
  /** Weights f64[n] of the rows' losses, or 0 where all are 1. */
  s: usize;
  /** P; and L, where P = L L^T is not a multiple of the identity. */
  precision: usize;
  factor: usize;
  /** a f64[d], or 0 for the origin. */
  center: usize;
  /** f64[d], the start and the result; and f64[1] likewise, or 0 for none. */
  w: usize;
  b: usize;
}

/** A saturated margin has no curvature left; this floor keeps the system solvable there. */
export const LEAST_CURVATURE: f64 = 1e-13;
export const MOST_HALVINGS: i32 = 60;
const ARMIJO: f64 = 1e-4;
const ROUNDING: f64 = 1e-14;

/** Sufficient decrease, with allowance for the rounding of F. */
@inline export function accepted(value: f64, trial: f64, t: f64, decrement: f64): bool {
  return trial <= value - ARMIJO * t * decrement + ROUNDING * (1.0 + Math.abs(value));
}
