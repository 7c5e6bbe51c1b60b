/**
 * Going through the rounds again on folds of one's own rows.
 *
 * Every message is public once it is released, so a task may repeat its local steps on a part of its
 * rows under the same messages and see how the models do on the rest: which round's model to keep,
 * and whether it is better off alone. Only its own model depends on the answer, so there is nothing
 * to charge. The messages carry, under noise, what the held-out rows contributed to the task's own
 * model: one task of many, within the sensitivity that the noise hides.
 * @module
 */
import * as math from "../../core/elementary.js";
import type { Core, Pointer } from "../../core/index.js";
import type { TaskSet } from "../../data/index.js";
import type { ResidentTasks } from "../resident-tasks.js";
import type { Participants } from "../round/participants.js";
import type { LocalModels } from "./ridge.js";

/** Parts of every task's rows; row j is held out in fold j mod FOLDS, a task's only row never. */
const FOLDS = 5;

/** Tasks whose messages are kept, in single precision: half a message of float64s for every round. */
export class KeptMessages implements Participants {
  readonly m: number;
  readonly d: number;
  readonly #core: Core;
  readonly #inner: Participants;
  readonly #length: number;
  readonly #after: (round: number) => void;
  readonly #messages: Float32Array[] = [];
  /** Which of the tasks took part in each round, where not all did. */
  readonly #marks: (Uint8Array | undefined)[] = [];

  /**
   * @param length float64s of a message.
   * @param after called when the tasks have taken a round's step.
   */
  constructor(core: Core, inner: Participants, length: number, after: (round: number) => void) {
    this.m = inner.m;
    this.d = inner.d;
    this.#core = core;
    this.#inner = inner;
    this.#length = length;
    this.#after = after;
  }

  share(round: number, marks?: Uint8Array): Pointer {
    this.#marks[round - 1] = marks?.slice();
    return this.#inner.share(round, marks);
  }

  receive(message: Pointer, round: number, last: boolean): void {
    this.#messages[round - 1] = Float32Array.from(this.#core.arena.view(message, this.#length));
    this.#inner.receive(message, round, last);
    this.#after(round);
  }

  /**
   * Shows all messages to other participants in the same core, who take part in the same rounds; stops
   * after each round for whoever drives it.
   * @param finish what follows the last round.
   */
  *replay(
    participants: Participants,
    after: (round: number) => void,
    finish?: () => Generator<void, void>,
  ): Generator<void, void> {
    const { arena } = this.#core;
    const at = arena.f64(this.#length);
    const rounds = this.#messages.length;
    for (let round = 1; round <= rounds; round++) {
      participants.share(round, this.#marks[round - 1]);
      arena.view(at, this.#length).set(this.#messages[round - 1]!);
      participants.receive(at, round, round === rounds);
      if (round === rounds && finish) yield* finish();
      after(round);
      yield;
    }
  }
}

/** A task set's start for the rounds, and its models without them. */
export interface Replayable {
  readonly participants: Participants & { readonly weights: Pointer; readonly intercepts: Pointer };
  readonly alone: LocalModels;
  /** What the tasks do after the last message. */
  readonly finish?: (() => Generator<void, void>) | undefined;
  /** Wipes keys from memory. */
  readonly close?: () => void;
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
 * Replays all rounds on every fold, stopping after each round, so that a page may repaint meanwhile.
 *
 * @param checkpoints rounds whose models are looked at, ascending.
 * @param prepare makes the fold's tasks in the core, and reads nothing but their rows.
 */
export function* replayOnFolds(
  tasks: ResidentTasks,
  data: TaskSet,
  kept: KeptMessages,
  checkpoints: readonly number[],
  prepare: (rows: TaskSet) => Replayable,
): Generator<void, HeldOut> {
  const { arena } = tasks.core;
  const alone = new Float64Array(tasks.rows);
  const shared = checkpoints.map(() => new Float64Array(tasks.rows));
  const most = data.taskSizes.reduce((a, b) => Math.max(a, b), 0);
  for (let fold = 0; fold < Math.min(FOLDS, most); fold++) {
    const isHeldOut = (row: number, n: number) => n > 1 && row % FOLDS === fold;
    if (!data.taskSizes.some((n) => n > 1 && n > fold)) continue;
    const { train } = data.splitBy((row, _task, n) => !isHeldOut(row, n));
    const mark = arena.mark();
    const start = prepare(train);
    const score = (w: Float64Array, b: Float64Array | undefined, into: Float64Array) =>
      rowLosses(tasks, w, b, isHeldOut, into);
    score(start.alone.weights, tasks.intercept ? start.alone.intercepts : undefined, alone);
    const after = (round: number) => {
      const k = checkpoints.indexOf(round);
      if (k < 0) return;
      const { weights, intercepts } = start.participants;
      score(
        arena.view(weights, tasks.m * tasks.d),
        intercepts === 0 ? undefined : arena.view(intercepts, tasks.m),
        shared[k]!,
      );
    };
    try {
      yield* kept.replay(start.participants, after, start.finish);
    } finally {
      start.close?.();
    }
    arena.release(mark);
  }
  return { alone, shared };
}

/** Squared errors, or log-losses of labels in {-1, +1}, of the rows of a fold. */
function rowLosses(
  { core, x, y, offsets, m, d, rows, loss }: ResidentTasks,
  weights: Float64Array,
  intercepts: Float64Array | undefined,
  isHeldOut: (row: number, n: number) => boolean,
  into: Float64Array,
): void {
  const { arena } = core;
  const given = arena.view(x, rows * d);
  const targets = arena.view(y, rows);
  const starts = arena.words(offsets, m + 1);
  for (let i = 0; i < m; i++) {
    const [from, to] = [starts[i]!, starts[i + 1]!];
    for (let j = from; j < to; j++) {
      if (!isHeldOut(j - from, to - from)) continue;
      let margin = intercepts?.[i] ?? 0;
      for (let k = 0; k < d; k++) margin += given[j * d + k]! * weights[i * d + k]!;
      if (loss === "squared") {
        into[j] = (margin - targets[j]!) ** 2;
      } else {
        const z = -targets[j]! * margin;
        into[j] = z > 0 ? z + math.log1p(math.exp(-z)) : math.log1p(math.exp(z));
      }
    }
  }
}
