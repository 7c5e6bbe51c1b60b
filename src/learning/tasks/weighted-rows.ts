/**
 * The rows of one task, changed in their places so that sums of their squares are those of rows with weights: centred by them, and
 * times their roots.
 * @module
 */
import type { Core, Pointer } from "../../core/index.js";

/** Dense rows [n, d] in a core. */
export interface RowBlock {
  readonly at: Pointer;
  readonly n: number;
  readonly d: number;
}

/**
 * Rows less their mean.
 * @param weights of the rows, [n]; absent: all 1. Their sum is above 0.
 * @param mean    work, [d].
 */
export function centreRows(
  { arena, kernels }: Core,
  { at, n, d }: RowBlock,
  weights: Float64Array | undefined,
  mean: Pointer,
): void {
  const mass = weights ? weights.reduce((sum, weight) => sum + weight, 0) : n;
  arena.view(mean, d).fill(0);
  for (let j = 0; j < n; j++) kernels.axpy((weights?.[j] ?? 1) / mass, at + 8 * j * d, mean, d);
  for (let j = 0; j < n; j++) kernels.axpy(-1, mean, at + 8 * j * d, d);
}

/** Rows times the roots of their weights, [n]. */
export function rootRows({ kernels }: Core, { at, n, d }: RowBlock, weights: Float64Array): void {
  for (let j = 0; j < n; j++) {
    const row = at + 8 * j * d;
    kernels.axpy(Math.sqrt(weights[j]!) - 1, row, row, d);
  }
}
