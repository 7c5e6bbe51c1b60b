/**
 * How a task applies the curator's message to its own model.
 * @module
 */
import type { Core, Pointer } from "../../core/index.js";

/** Applies a message to rows of V[m,d]: each row's result depends on that row and the message. */
export type Projection = (message: Pointer, from: Pointer, to: Pointer) => void;

/** w <- M w with a symmetric M[d,d]; `to` must not overlap `from`. Algorithm 2. */
export function matrixProjection({ kernels, arena }: Core, m: number, d: number): Projection {
  const work = arena.bytes(kernels.gemmWorkspace(m, d, d));
  return (message, from, to) => kernels.gemm(from, message, to, m, d, d, work);
}

/** w <- diag(s) w with s[d]. Algorithm 3. */
export function diagonalProjection({ kernels }: Core, m: number, d: number): Projection {
  return (message, from, to) => kernels.scaleColumns(from, message, to, m, d);
}

/** w_i <- soft(w_i, steps[i] lambda), no message: the l1 penalty, local to every task. */
export function softThresholding(
  { kernels }: Core,
  m: number,
  d: number,
  steps: Float64Array,
  lambda: number,
): Projection {
  return (_message, from, to) => {
    for (let i = 0; i < m; i++) {
      const row = 8 * i * d;
      kernels.softThreshold(from + row, to + row, d, steps[i]! * lambda);
    }
  };
}
