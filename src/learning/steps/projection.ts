/**
 * How a task applies the curator's broadcast to its own model.
 * @module
 */
import type { Core, Pointer } from "../../core/index.js";
import { readFactored } from "../sharing/factored.js";

/** Applies a broadcast to rows of V[m,d]: each row's result depends on that row and the broadcast. */
export type Projection = (broadcast: Pointer, from: Pointer, to: Pointer) => void;

/** w <- M w with a symmetric M[d,d]; `to` must not overlap `from`. Algorithm 2. */
export function matrixProjection({ kernels, arena }: Core, m: number, d: number): Projection {
  const work = arena.bytes(kernels.gemmWorkspace(m, d, d));
  return (broadcast, from, to) => kernels.gemm(from, broadcast, to, m, d, d, work);
}

/**
 * `matrixProjection` of broadcasts that were kept in single precision: M - I as the kernels' panels, the product with it in single
 * precision too.
 */
export function singleProjection({ kernels, arena }: Core, m: number, d: number): Projection {
  const work = arena.bytes(kernels.singleProductWorkspace(m, d));
  return (panels, from, to) => kernels.singleProduct(from, panels, to, m, d, work);
}

/** w <- M w with a broadcast in factors where its rank is low (`sharing/factored.ts`). */
export function spectralProjection(core: Core, m: number, d: number): Projection {
  const { kernels, arena } = core;
  const dense = matrixProjection(core, m, d);
  const half = Math.ceil(d / 2);
  const transposed = arena.f64(d * half);
  const coordinates = arena.f64(m * half);
  const work = arena.bytes(
    Math.max(kernels.gemmWorkspace(m, d, half), kernels.gemmWorkspace(m, half, d)),
  );
  return (broadcast, from, to) => {
    const low = readFactored(core, broadcast, d);
    if (!low) {
      dense(broadcast, from, to);
      return;
    }
    const { factors, rank } = low;
    if (rank === 0) {
      arena.view(to, m * d).fill(0);
      return;
    }
    kernels.transpose(broadcast, transposed, d, rank);
    kernels.gemm(from, broadcast, coordinates, m, d, rank, work);
    kernels.scaleColumns(coordinates, factors, coordinates, m, rank);
    kernels.gemm(coordinates, transposed, to, m, rank, d, work);
  };
}

/** w <- diag(s) w with s[d]. Algorithm 3. */
export function diagonalProjection({ kernels }: Core, m: number, d: number): Projection {
  return (broadcast, from, to) => kernels.scaleColumns(from, broadcast, to, m, d);
}

/** w_i <- soft(w_i, steps[i] lambda), no broadcast: the l1 penalty, local to every task. */
export function softThresholding(
  { kernels }: Core,
  m: number,
  d: number,
  steps: Float64Array,
  lambda: number,
): Projection {
  return (_broadcast, from, to) => {
    for (let i = 0; i < m; i++) {
      const row = 8 * i * d;
      kernels.softThreshold(from + row, to + row, d, steps[i]! * lambda);
    }
  };
}
