/**
 * One task of a set, as views of the set's arrays.
 * @module
 */
import { denseRows, type SparseRows } from "../sparse/sparse-rows.js";

/** One task of a set. The arrays are views of the set's: read them, do not write them. */
export interface Task {
  /** Name of the task, unique in its set. */
  readonly name: string;
  /** Float64Array, shape [n, d], row-major; of sparse rows a copy, made when it is read. */
  readonly x: Float64Array;
  /** Float64Array, shape [n]. */
  readonly y: Float64Array;
  /** Number of rows. */
  readonly n: number;
}

/** What is looked at of a set; `x` only where its rows are dense. */
interface Viewed {
  readonly x: Float64Array;
  readonly sparse: SparseRows | undefined;
  readonly y: Float64Array;
  readonly offsets: Uint32Array;
  readonly names: readonly string[];
  readonly d: number;
}

/** The task at position i of a set. */
export function taskOf(set: Viewed, i: number): Task {
  const { offsets, sparse, d } = set;
  const [from, to] = [offsets[i]!, offsets[i + 1]!];
  const [name, y, n] = [set.names[i]!, set.y.subarray(from, to), to - from];
  if (!sparse) return { name, x: set.x.subarray(from * d, to * d), y, n };
  return {
    name,
    y,
    n,
    get x() {
      return denseRows(sparse, from, to, d);
    },
  };
}
