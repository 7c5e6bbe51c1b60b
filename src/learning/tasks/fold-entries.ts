/**
 * Tasks without a fold of their rows, as the kernels are told of them.
 * @module
 */
import type { Core, Pointer } from "../../core/index.js";
import { KernelRecord } from "./kernel-record.js";

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

const WORDS = ["owners", "folds", "scales", "count", "parts"] as const;

/**
 * The entries as the kernels read them: the record `FoldEntries` of assembly/tasks/task-data.ts.
 * @param scales weights of the entries' losses, [count]; not needed to predict.
 */
export function placeEntries(
  core: Core,
  { parts, owners: of, folds: without }: FoldEntries,
  scales: Pointer = 0,
): Pointer {
  const { arena } = core;
  const count = of.length;
  const owners = arena.bytes(8 * count);
  const folds = owners + 4 * count;
  arena.words(owners, count).set(of);
  arena.words(folds, count).set(without);
  const record = new KernelRecord(core, 0, WORDS);
  record.write([], { owners, folds, scales, count, parts });
  return record.at;
}
