/**
 * What a canary is: two task sets that differ in one task, or in one record of it, and how they are asked for.
 * @module
 */
import type { TaskSet } from "../../data/index.js";
import type { Adjacency } from "../../privacy/index.js";
import type { LossName } from "../tasks/losses.js";

/** The two worlds and the features by which they differ. */
export interface CanaryWorlds {
  readonly present: TaskSet;
  readonly neighbour: TaskSet;
  /** Position of the canary among the tasks. */
  readonly index: number;
  /** Features j and k: the canary's model lies along j, or in their plane in the world of `replace`. */
  readonly axes: readonly [number, number];
  /** Whether the canary uploads zeros in the neighbouring world, whatever its rows. */
  readonly silent: boolean;
}

/** How the canary is made. */
export interface CanaryOptions {
  /** Name of the task that becomes the canary; default the first. */
  readonly canary?: string | undefined;
  readonly adjacency: Adjacency;
  readonly loss: LossName;
  /** K, which the canary's model must reach. */
  readonly clip: number;
  /** B, the norm of its rows. */
  readonly featureBound: number;
  /** What the claim hides: all rows of the canary, or its first alone; default a task. */
  readonly unit?: "task" | "record";
  /** Whether the method refuses rows longer than B; default true for unit "task". */
  readonly bounded?: boolean;
  /** With unit "record": rows of the canary person in the task; default 1, and at most all. */
  readonly rowsPerPerson?: number;
  /** With unit "record": whether a row's clipped gradient is what it adds; then whether the constant is a feature. */
  readonly gradients?: { readonly intercept: boolean };
  /** With unit "record": whether tasks share models that a row moves little; then whether the constant is a feature. */
  readonly models?: { readonly intercept: boolean };
}
