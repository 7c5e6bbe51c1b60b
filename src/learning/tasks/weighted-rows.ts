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

/** Values that differ by no more than this part of them differ by rounding. */
const ROUNDING = 2 ** -50;

/**
 * Rows less their mean. Columns that are constant but for rounding come out as zeros, not as what rounding left of their mean.
 * @param weights of the rows, [n]; absent: all 1. Their sum is above 0.
 * @param mean    work, [d].
 */
export function centreRows(
  { arena, kernels }: Core,
  { at, n, d }: RowBlock,
  weights: Float64Array | undefined,
  mean: Pointer,
): void {
  const constant = constantColumns(arena.view(at, n * d), d);
  const mass = weights ? weights.reduce((sum, weight) => sum + weight, 0) : n;
  arena.view(mean, d).fill(0);
  for (let j = 0; j < n; j++) kernels.axpy((weights?.[j] ?? 1) / mass, at + 8 * j * d, mean, d);
  for (let j = 0; j < n; j++) kernels.axpy(-1, mean, at + 8 * j * d, d);
  const rows = arena.view(at, n * d);
  for (const column of constant) for (let k = column; k < n * d; k += d) rows[k] = 0;
}

function constantColumns(rows: Float64Array, d: number): number[] {
  const columns = Array.from({ length: d }, (_, column) => column);
  return columns.filter((column) => {
    const first = rows[column]!;
    const apart = ROUNDING * Math.abs(first);
    let k = column;
    while (k < rows.length && Math.abs(rows[k]! - first) <= apart) k += d;
    return k >= rows.length;
  });
}

/** Rows times the roots of their weights, [n]. */
export function rootRows({ kernels }: Core, { at, n, d }: RowBlock, weights: Float64Array): void {
  for (let j = 0; j < n; j++) {
    const row = at + 8 * j * d;
    kernels.axpy(Math.sqrt(weights[j]!) - 1, row, row, d);
  }
}
