/**
 * Elementwise and row kernels: `assembly/proximal`.
 * @module
 */
import type { Pointer } from "./pointer.js";

/** Elementwise and row operations: assembly/proximal. Outputs may be their inputs. */
export interface ProximalKernels {
  /** Row i of out[m,d] = row i of v / max(1, ||row|| / bound). Returns how many rows were cut. */
  clipRows(v: Pointer, out: Pointer, m: number, d: number, bound: number): number;
  /** out[i] = sign(v[i]) max(0, |v[i]| - threshold). */
  softThreshold(v: Pointer, out: Pointer, n: number, threshold: number): void;
  /** Row i scaled by max(0, 1 - threshold / ||row i||). */
  shrinkRows(v: Pointer, out: Pointer, m: number, d: number, threshold: number): void;
  /** out[i] = max(0, 1 - threshold / sqrt(squares[i])), 0 where squares[i] <= 0. */
  shrinkFactors(squares: Pointer, out: Pointer, n: number, threshold: number): void;
  /** out[i,j] = v[i,j] * factors[j]: group sparse projection of models stored task by task. */
  scaleColumns(v: Pointer, factors: Pointer, out: Pointer, m: number, d: number): void;
  /** out = a + beta (a - b). */
  extrapolate(a: Pointer, b: Pointer, out: Pointer, n: number, beta: number): void;
  /** y += alpha x. */
  axpy(alpha: number, x: Pointer, y: Pointer, n: number): void;
  /** out row i = z row i - steps[i] * g row i: a gradient step with one step size per task. */
  gradientStep(z: Pointer, g: Pointer, steps: Pointer, out: Pointer, m: number, d: number): void;
  /** sum_i (z[i] - w[i]) (w[i] - p[i]), the restart test of accelerated descent. */
  momentumAngle(z: Pointer, w: Pointer, p: Pointer, n: number): number;
  /** out f64[m] += the same of every row, f64[m, d]. */
  momentumAngles(z: Pointer, w: Pointer, p: Pointer, out: Pointer, m: number, d: number): void;
  /** sum_i a[i] b[i], pairwise within a fixed block, the same order on every host. */
  dot(a: Pointer, b: Pointer, n: number): number;
}
