/**
 * What tasks take of a kernels' memory.
 * @module
 */
import type { TaskSet } from "../../data/index.js";
import { entryBytes, type RowPrecision } from "./row-precision.js";

/** Sizes of a batch of tasks. */
export interface BatchSize {
  /** Tasks, and features. */
  readonly m: number;
  readonly d: number;
  /** Rows of all of them. */
  readonly rows: number;
  /** Entries of sparse rows; absent where they are dense. */
  readonly entries?: number | undefined;
  /** Rows of the largest task. */
  readonly mostRows: number;
}

/** The sizes of a set, or of its tasks from `first` up to `end`. */
export function batchSize(
  { m, d, offsets, sparse }: Pick<TaskSet, "m" | "d" | "offsets" | "sparse">,
  first = 0,
  end = m,
): BatchSize {
  const [from, to] = [offsets[first]!, offsets[end]!];
  const entries = sparse && sparse.starts[to]! - sparse.starts[from]!;
  let mostRows = 0;
  for (let i = first; i < end; i++) mostRows = Math.max(mostRows, offsets[i + 1]! - offsets[i]!);
  return { m: end - first, d, rows: to - from, entries, mostRows };
}

/**
 * Bytes: the data, a dozen [m, d] blocks of the solvers, and d x d work, or columns in its place where rows are sparse. Beside
 * rows in Float32 there is one task's in Float64, for what reads whole tasks.
 */
export function residentBytes(
  { m, d, rows, entries, mostRows }: BatchSize,
  precision: RowPrecision = "float64",
): number {
  const wide = precision === "float32" ? 8 * mostRows * d : 0;
  const features =
    entries === undefined ? entryBytes(precision) * rows * d + wide + 64 * d * d : 12 * entries;
  return features + 8 * (2 * rows + 12 * m * d);
}
