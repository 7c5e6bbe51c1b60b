/**
 * Models of every task among which one is kept by its own rows.
 * @module
 */
import type { LossName } from "../tasks/losses.js";

/** A batch of tasks after the rounds: what they may keep, and what their own rows say of it. */
export interface Selectable {
  readonly loss: LossName;
  /** Row offsets of the tasks, [m + 1]. */
  readonly offsets: Uint32Array;
  /** Makes the scores, where that takes long. */
  prepare?(signal?: AbortSignal): Promise<void>;
  /** Costs of every candidate that is voted on, [m, candidates]; asked for where there is a vote. */
  costs?(): Float64Array;
  /**
   * Keeps what suits every task's own rows.
   * @param winner the candidate that all tasks chose, where they vote; each then keeps near it.
   * @returns the losses of all rows under models that have not seen them, [N].
   */
  keep(winner: number | undefined, signal?: AbortSignal): Float64Array | Promise<Float64Array>;
  /** The same under the single-task models, [N]; asked for after `keep`, where tasks may fall back. */
  readonly singleTaskLosses?: Float64Array;
  /** Takes the single-task models of the tasks marked in `which`, [m]; asked for where tasks may fall back. */
  fallBack?(which: Uint8Array, signal?: AbortSignal): void | Promise<void>;
}
