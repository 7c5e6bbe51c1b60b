/**
 * What tasks take of a kernels' memory.
 * @module
 */
import type { TaskSet } from "../../data/index.js";

/** Sizes of a batch of tasks. */
export interface BatchSize {
  /** Tasks, and features. */
  readonly m: number;
  readonly d: number;
  /** Rows of all of them. */
  readonly rows: number;
  /** Entries of sparse rows; absent where they are dense. */
  readonly entries?: number | undefined;
}

/** The sizes of a set, or of its tasks from `first` up to `end`. */
export function batchSize(
  { m, d, offsets, sparse }: Pick<TaskSet, "m" | "d" | "offsets" | "sparse">,
  first = 0,
  end = m,
): BatchSize {
  const [from, to] = [offsets[first]!, offsets[end]!];
  const entries = sparse && sparse.starts[to]! - sparse.starts[from]!;
  return { m: end - first, d, rows: to - from, entries };
}

/** Bytes: the data, a dozen [m, d] blocks of the solvers, and d x d work, or columns in its place where rows are sparse. */
export function residentBytes({ m, d, rows, entries }: BatchSize): number {
  const features = entries === undefined ? rows * d + 8 * d * d : 1.5 * entries;
  return 8 * (features + 2 * rows + 12 * m * d);
}
