/**
 * Going through the rounds again on folds of one's own rows.
 *
 * Every message is public once it is released, so a task may repeat its local steps on a part of its
 * rows under the same messages and see how the models do on the rest: which round's model to keep,
 * and whether it is better off alone. Only its own model depends on the answer, so there is nothing
 * to charge. The messages carry, under noise, what the held-out rows contributed to the task's own
 * model: one task of many, within the sensitivity that the noise hides.
 *
 * Tasks without a fold are tasks like any other, so many of them go through the rounds together.
 * @module
 */
import type { Pointer } from "../../core/index.js";
import type { TaskSet } from "../../data/index.js";
import type { ResidentTasks } from "../tasks/resident-tasks.js";
import type { Participants } from "../round/participants.js";
import type { Followers, KeptMessages } from "./kept-messages.js";
import type { LocalModels } from "../tasks/ridge.js";
import { foldBatches, HeldOutRows, type BatchSize, type FoldBatch } from "../tasks/task-folds.js";

/** Bytes of a batch: what stays in a second-level cache beside the models. */
const BATCH_BYTES = 2 ** 20;

/** Tasks that go through the rounds, and where their models are. */
export type Replayers = (Participants | Followers) & {
  readonly weights: Pointer;
  readonly intercepts: Pointer;
};

/** A batch's start for the rounds, and its models without them. */
export interface Replayable {
  readonly participants: Replayers;
  readonly alone: LocalModels;
}

/** What is replayed. */
export interface Replay {
  /** Rounds whose models are looked at, ascending. */
  readonly checkpoints: readonly number[];
  /** Bytes that a round reads of an entry that so many rows are left of; default those of their features. */
  readonly entryBytes?: BatchSize["entryBytes"];
  /** Makes the batch's tasks in the core, and reads nothing but the rows left. */
  prepare(batch: FoldBatch): Replayable;
}

/** Losses of every row under the models of a fold without it, [N]; 0 for a task's only row. */
export interface HeldOut {
  readonly alone: Float64Array;
  /** One for every checkpoint. */
  readonly shared: readonly Float64Array[];
}

/** Runs a replay to its end at once. */
export function atOnce<Result>(replay: Generator<void, Result>): Result {
  let step = replay.next();
  while (!step.done) step = replay.next();
  return step.value;
}

/**
 * Replays all rounds on every fold, stopping after one or some rounds of a batch, so that a page may repaint
 * meanwhile.
 */
export function* replayOnFolds(
  tasks: ResidentTasks,
  data: TaskSet,
  kept: KeptMessages,
  { checkpoints, entryBytes, prepare }: Replay,
): Generator<void, HeldOut> {
  const { arena } = tasks.core;
  const alone = new Float64Array(tasks.rows);
  const shared = checkpoints.map(() => new Float64Array(tasks.rows));
  // A long message is read by enough tasks at once to be worth its way from memory.
  const bytes = Math.max(BATCH_BYTES, 32 * kept.length);
  for (const batch of foldBatches(data, { bytes, entryBytes })) {
    const mark = arena.mark();
    const held = new HeldOutRows(tasks, batch);
    const start = prepare(batch);
    const { weights, intercepts } = start.alone;
    const own = tasks.intercept ? arena.copyOf(intercepts) : 0;
    held.judge(arena.copyOf(weights), own, alone);
    const after = (round: number) => {
      const k = checkpoints.indexOf(round);
      if (k < 0) return;
      const { participants } = start;
      held.judge(participants.weights, participants.intercepts, shared[k]!);
    };
    const { participants } = start;
    if ("follow" in participants) {
      for (const done of kept.follow(participants, batch.owners, checkpoints)) {
        after(done);
        yield;
      }
    } else yield* kept.replay(participants, batch.owners, after);
    arena.release(mark);
  }
  return { alone, shared };
}
