/**
 * What passes between the thread of a fit and a worker that holds some of its tasks. A worker works its requests off in
 * their order; those that are answered are answered in it.
 * @module
 */
import type { LoadedKernels } from "../../core/index.js";
import type { Classes } from "../fitted/model-state.js";
import type { BatchModels, PublicSizes } from "../round/halves.js";
import type { TreeSizes } from "../round/statistic/task-tree.js";
import type { CrossingArrays } from "./crossing-arrays.js";

/** Place these tasks and make their half. Answered with `Placed`. */
export interface PlaceRequest {
  readonly kind: "place";
  readonly method: string;
  /** As the estimator has them, checked. */
  readonly options: Readonly<Record<string, unknown>>;
  readonly data: CrossingArrays;
  /** Position of the first of them in the run. */
  readonly first: number;
  readonly sizes: PublicSizes;
  readonly outputs: number;
  readonly classes: Classes | null;
  readonly start: Float64Array | null;
  /** The kernels of the thread that asks; undefined for those of the request before. */
  readonly kernels: LoadedKernels | undefined;
  /** Through which this thread may be called; undefined: it may not. */
  readonly words: Int32Array | undefined;
}

/**
 * Take the local step on a broadcast. Not answered, and what goes wrong is told with the next answer, unless the next uploads are
 * asked for with it: a message costs as much as a round of few tasks.
 */
export interface ReceiveRequest extends RoundOfStage {
  readonly kind: "receive";
  readonly last: boolean;
  readonly broadcast: Float64Array;
  /** Null where they need what is not known yet. */
  readonly next: UploadRequest | null;
}

/** Work out parts of what all threads need alike (`CommonWork`). Answered with a Float64Array. */
export interface CommonRequest {
  readonly kind: "common";
  /** Before the uploads of which round; "finish": before what tasks do alone in the end. */
  readonly at: RoundOfStage | "finish";
  /** The sum of the work before, to be taken first; null where there is none. */
  readonly before: Float64Array | null;
  readonly first: number;
  readonly end: number;
}

/** A round and its stage. */
export interface RoundOfStage {
  readonly stage: number;
  readonly round: number;
}

/** Make the uploads of a round. Answered with `Uploaded`. */
export interface UploadRequest extends RoundOfStage {
  readonly kind: "upload";
  /** [tasks], 1 for those that take part; null: all. */
  readonly marks: Uint8Array | null;
  /** The sum of the common work before them; null where there is none. */
  readonly common: Float64Array | null;
  /** What is summed of all tasks of the run, where what goes up are sums (`BatchSums`); null: the uploads themselves. */
  readonly summedOf: TreeSizes | null;
  /** Whether uploads that are not finite count as 0 in those sums; others are looked at where they arrive. */
  readonly finite: boolean;
  /** Where the uploads go, [tasks, uploadLength], or the sums. */
  readonly into: Float64Array;
}

/**
 * A `ReceiveRequest` or an `UploadRequest` of all tasks without common work, as a call through shared memory, with the arrays that the
 * stage had in the last messages: the stage, the round, and a sum of `CALLS`. Uploads are those of the next round where it is to receive,
 * too; they are answered by null.
 */
export type RoundCall = readonly [stage: number, round: number, calls: number];

export const CALLS = { receive: 1, last: 2, upload: 4 } as const;

/** Say what the batch as a whole answers to the last broadcast of a stage (`Participants.total`). Answered with a Float64Array. */
export interface TotalRequest extends RoundOfStage {
  readonly kind: "total";
}

/** Do what tasks do alone after the last broadcast. Answered with `Finished`. */
export interface FinishRequest {
  readonly kind: "finish";
  /** The sum of the last common work before it; null where there is none. */
  readonly common: Float64Array | null;
}

/** Forget tasks, models and keys. Not answered. */
export interface CloseRequest {
  readonly kind: "close";
}

export type TaskRequest =
  | PlaceRequest
  | ReceiveRequest
  | CommonRequest
  | UploadRequest
  | TotalRequest
  | FinishRequest
  | CloseRequest;

/** Arrays that crossed by transfer come back, so that a round allocates none; null in place of all of it where they are shared. */
export interface Uploaded {
  readonly into: Float64Array;
  /** The broadcast of the stage that was received last, done with. */
  readonly received: Float64Array | null;
}

/** What the tasks end with. */
export interface Finished {
  readonly models: BatchModels;
  /** [tasks]. */
  readonly losses: Float64Array<ArrayBuffer>;
}
