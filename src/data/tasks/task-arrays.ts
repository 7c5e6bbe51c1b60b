/**
 * Tasks as a caller has them, and the one concatenated layout that they are brought to.
 * @module
 */
import type { DataEncoding } from "../provenance/data-encoding.js";
import type { Label } from "../columns/label.js";
import type { Limits } from "../columns/limits.js";
import type { Range } from "../columns/scale.js";
import type { SparseMatrix, SparseRows } from "../sparse/sparse-rows.js";

/** One task as the caller has it. */
export interface TaskInput {
  /** Unique among the tasks. */
  name: string;
  /**
   * The samples: an array of n rows, each with d numbers; or one row-major `Float64Array` or `Float32Array` of n d
   * numbers, where n is the length of `y`; or, for all tasks alike, a sparse matrix of shape [n, d].
   */
  x: readonly ArrayLike<number>[] | Float64Array | Float32Array | SparseMatrix;
  /** n targets. Numbers; or labels as strings or booleans (one kind for all tasks). */
  y: ArrayLike<number> | readonly string[] | readonly boolean[];
  /** Whose row each is, n texts or integers that mean the same person in every task; of all tasks or of none. */
  persons?: ArrayLike<string | number>;
  /**
   * How much each row counts beside the others of its task, n finite numbers >= 0, not all 0; of all tasks or of none.
   * Only their proportions matter: the task as a whole weighs as its n rows.
   */
  weights?: ArrayLike<number>;
}

/** The concatenated layout. */
export interface TaskArrays {
  /** Float64Array, shape [N, d], row-major; absent where rows are sparse. */
  x?: Float64Array | undefined;
  /** Sparse rows, in the place of x. */
  sparse?: SparseRows | undefined;
  /** Float64Array, shape [N]: targets, or positions in `targetLevels`. */
  y: Float64Array;
  /** Uint32Array, shape [m + 1]: task i has the rows from offsets[i] up to offsets[i + 1]. */
  offsets: Uint32Array;
  /** m names. */
  names: readonly string[];
  /** d names. */
  featureNames: readonly string[];
  /** What y is called. */
  targetName: string;
  /** Labels, ascending or as declared, where the targets were not numbers: y then holds positions. */
  targetLevels?: readonly Label[] | undefined;
  /** Uint32Array, shape [N]: a number for each row's person, where that is known. */
  persons?: Uint32Array | undefined;
  /** Float64Array, shape [N]: how much each row counts beside the others of its task, where that is not the same. */
  sampleWeights?: Float64Array | undefined;
  /** Float64Array, shape [m]: how many rows those of each task stand for, where they have the moments of others (`TaskMoments`). */
  standFor?: Float64Array | undefined;
  /** What is known of features and target; by default nothing. */
  encoding?: DataEncoding | undefined;
}

/** What the caller says of all tasks. */
export interface BuildOptions {
  readonly featureNames?: readonly string[];
  readonly targetName?: string;
  /** Public labels of a target of strings or booleans, in order; by default those that occur. */
  readonly labels?: readonly Label[];
  /** Public range of a target of numbers: models are learned on its scale; values outside are kept, up to a whole width beyond its ends. */
  readonly targetRange?: Range;
  /** What the target cannot be less or more than by its meaning, null for none; beside a range. */
  readonly targetLimits?: Limits;
  /** Names of dense features that are the same in all rows of a task by their meaning, as the size of a hospital is. */
  readonly perTask?: readonly string[];
}
