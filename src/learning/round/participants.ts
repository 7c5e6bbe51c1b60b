/**
 * The tasks' half of Algorithm 1: own data and models, which never leave except as `upload` says.
 * @module
 */
import type { Pointer } from "../../core/index.js";
import type { CommonWork } from "./common-work.js";

/**
 * One task on its own machine or all m tasks of a local fit: the same object, a batch of any
 * size. It lives in its own core and keeps the models there.
 */
export interface Participants {
  /** Tasks in this batch. */
  readonly m: number;
  /** Float64s each task uploads per round. */
  readonly uploadLength: number;
  /**
   * What the next `upload`, of this round and these marks, would take long for, giving the event loop its turns; `upload`
   * does what was not prepared. Absent where that is quick.
   * @throws whatever `signal` was aborted with.
   */
  prepare?(round: number, marks?: Uint8Array, signal?: AbortSignal): Promise<void>;
  /**
   * What `upload` of this round needs that every batch would work out alike; threads divide it before they upload, and
   * `upload` does what was not taken. Absent or undefined: nothing.
   */
  common?(round: number): CommonWork | undefined;
  /**
   * Writes what each task uploads to the curator in this round, [m, uploadLength], clipped where privacy asks. Called
   * once a round.
   * @param marks [m], 1 for the tasks that take part; absent: all. Rows of the others are not uploaded.
   */
  upload(round: number, marks?: Uint8Array): Pointer;
  /**
   * The stage's statistic of the tasks' uploads of this round, where the batch has formed it as `Statistic.compute` does, to the
   * bit; the curator is then handed that, and `upload` is not called. Absent: it is not.
   */
  readonly sum?: ((round: number) => Pointer) | undefined;
  /**
   * What the batch as a whole answers to the last broadcast: sums that those of other batches are added to, entry by entry and in
   * any order, to the same bits (`ReproducibleSum`). Absent: tasks answer for themselves only.
   */
  readonly total?: ((round: number) => Float64Array<ArrayBuffer>) | undefined;
  /**
   * The local step: new models from the broadcast, past models and own data. The broadcast stays where
   * it is, unchanged, until the next one of the same stage arrives.
   * @param last whether no round follows, so that work only a next round needs is spared.
   */
  receive(broadcast: Pointer, round: number, last: boolean): void;
}
