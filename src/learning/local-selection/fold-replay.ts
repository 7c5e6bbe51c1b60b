/**
 * Cross-validation within a task: the rounds are replayed on folds of its own rows.
 *
 * Every broadcast is public once it is released, so a task may repeat its local steps on a part of its
 * rows under the same broadcasts and see how the models do on the rest: which checkpoint to keep, and
 * whether it is better off without the others. Only its own model depends on the answer, so there is nothing
 * to charge. The held-out rows did contribute to the broadcasts, through the upload of this one task of many,
 * within the sensitivity that the noise hides.
 *
 * A task without a fold of its rows is a task like any other, so many of them are replayed together.
 * @module
 */
import type { Core } from "../../core/index.js";
import type { TaskSet } from "../../data/index.js";
import type { Participants } from "../round/participants.js";
import type { BroadcastLog, Replayer } from "./broadcast-log.js";
import type { Candidate } from "./candidates.js";
import type { FoldEntries } from "../tasks/fold-entries.js";
import { foldPasses } from "./fold-passes.js";
import { inBatches, replayBytes, type BatchSize, type FoldBatch } from "./folds.js";

/** The tasks of a batch of folds at the start of the rounds; `Models` is how their family has models. */
export interface FoldTasks<Models> {
  readonly participants: Participants | Replayer;
  /** The models that they would have without the others, one for each kind of single-task model. */
  singleTask(): Generator<void, readonly Models[]>;
  /** Their models by candidate k, after its round; leaves the tasks as they are. */
  candidate(k: number): Generator<void, Models>;
  /** into[row] <- loss of every row held out under its entry's model. */
  score(models: Models, into: Float64Array): void;
  /** Restricts the replay to these entries, from the start, until others are named; models and scores are then theirs. */
  readonly only?:
    ((entries: Uint32Array, some: FoldEntries) => Pick<FoldTasks<Models>, "score">) | undefined;
  /** Wipes keys from memory. */
  close?(): void;
}

/** What is replayed. */
export interface Replay<Models> {
  readonly core: Core;
  readonly data: TaskSet;
  readonly log: BroadcastLog;
  readonly candidates: readonly Candidate[];
  /** Kinds of single-task models that are tried; default 1. */
  readonly tried?: number;
  /**
   * The fallback test by ratios, at this many standard errors, where the losses serve nothing else: folds of tasks that fall back whatever
   * their remaining losses are then skipped. Default: all folds are replayed.
   */
  readonly fallback?:
    | {
        readonly errors: number;
        /** Losses of all rows under the models of the last round, which have seen them, [N]. */
        fitted(): Float64Array;
      }
    | undefined;
  /** Bytes that a round reads for a task without a fold, by the rows that it has left; default those of their features. */
  readonly entryBytes?: BatchSize["entryBytes"];
  /** Makes the batch's tasks in the core, and reads nothing but the rows left. */
  open(batch: FoldBatch): FoldTasks<Models>;
}

/** Loss of every row under models fitted without it, [N]; 0 for a task's only row, and in `shared` for skipped folds. */
export interface HeldOutLosses {
  /** Held-out losses of every kind of single-task model. */
  readonly singleTask: readonly Float64Array[];
  /** Held-out losses of every candidate. */
  readonly shared: readonly Float64Array[];
}

/** A generator that gives its value at once, where one is expected. */
// eslint-disable-next-line require-yield
export function* ready<Value>(value: Value): Generator<void, Value> {
  return value;
}

/** Replays all rounds on every fold; stops after one or some rounds of a batch, so that a page may repaint. */
export function* replayOnFolds<Models>({
  core,
  data,
  log,
  candidates,
  tried = 1,
  fallback,
  entryBytes,
  open,
}: Replay<Models>): Generator<void, HeldOutLosses> {
  const losses = () => new Float64Array(data.size);
  const singleTask = Array.from({ length: tried }, losses);
  const shared = candidates.map(losses);
  let fitted: Float64Array | undefined;
  const stops = candidates.map(({ round }) => round);
  for (const batch of inBatches(core, data, { bytes: replayBytes(log.length), entryBytes })) {
    const tasks = open(batch);
    try {
      const own = yield* tasks.singleTask();
      own.forEach((models, k) => tasks.score(models, singleTask[k]!));
      const replay = function* (owners: Uint32Array, by: Pick<FoldTasks<Models>, "score">) {
        for (const done of log.replay(tasks.participants, owners, stops)) {
          for (const [k, { round }] of candidates.entries()) {
            if (round === done) by.score(yield* tasks.candidate(k), shared[k]!);
          }
          yield;
        }
      };
      if (!tasks.only || !fallback) yield* replay(batch.owners, tasks);
      else {
        fitted ??= fallback.fitted();
        const losses = { singleTask: singleTask[0]!, shared: shared[0]!, fitted };
        const { errors } = fallback;
        for (const entries of foldPasses(batch, { offsets: data.offsets, ...losses, errors })) {
          const some = batch.some(entries);
          yield* replay(some.owners, tasks.only(entries, some));
        }
      }
    } finally {
      tasks.close?.();
    }
  }
  return { singleTask, shared };
}
