/**
 * Tasks without a fold of their rows, as the kernels are told of them.
 * @module
 */
import type { Core, Pointer } from "../../core/index.js";

/** Entry k is task `owners[k]` without fold `folds[k]`; row j of a task is in fold j mod `parts`. */
export interface FoldEntries {
  readonly parts: number;
  readonly owners: Uint32Array;
  readonly folds: Uint32Array;
}

/** How many of n rows a fold holds out. */
export function heldOutCount(n: number, fold: number, parts: number): number {
  return Math.ceil((n - fold) / parts);
}

/** Rows that are left of each entry's task. @param offsets of all tasks, [m + 1]. */
export function rowsLeft(
  offsets: ArrayLike<number>,
  { parts, owners, folds }: FoldEntries,
): Uint32Array {
  const left = new Uint32Array(owners.length);
  for (let k = 0; k < left.length; k++) {
    const n = offsets[owners[k]! + 1]! - offsets[owners[k]!]!;
    left[k] = n - heldOutCount(n, folds[k]!, parts);
  }
  return left;
}

/** The entries where the kernels look for them: owners and folds, u32[count] each. */
export function placeEntries(
  { arena }: Core,
  { owners, folds }: FoldEntries,
): { readonly owners: Pointer; readonly folds: Pointer } {
  const at = arena.bytes(8 * owners.length);
  arena.words(at, owners.length).set(owners);
  arena.words(at + 4 * owners.length, owners.length).set(folds);
  return { owners: at, folds: at + 4 * owners.length };
}
