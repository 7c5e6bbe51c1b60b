/**
 * Utility scores of a private run: how well its broadcasts serve a task on rows it held out.
 *
 * A task's score is a function of the broadcasts and of its own rows. The broadcasts are part of the
 * run's release; replayed to the tasks with a fold of their rows held back, they cost nothing more.
 * @module
 */
import {
  binaryLabels,
  classLabels,
  relativeWeights,
  type TaskSet,
  type TrainTest,
} from "../../data/index.js";
import { DataError } from "../../core/index.js";
import type { Ledger } from "../../privacy/index.js";
import { foldOfRows, NEVER_HELD_OUT } from "../../data/split/split.js";
import { lossAndSlopes } from "../models/output-losses.js";
import type { Estimator } from "../round/estimator.js";
import { SingleTask } from "../estimators/single-task.js";
import type { FittedModel } from "../fitted/fitted-model.js";
import type { LossName } from "../tasks/losses.js";
import { heldRows } from "../../data/checks/held-rows.js";
import { repeats } from "../release/public-sizes.js";
import type { PublicSizes } from "../round/halves.js";
import type { ReleaseJournal } from "../round/release-journal.js";
import { scorable } from "../fitted/scores/scorable.js";

/** A run's sizes, ledger and releases, kept in memory. */
export class RunRecord implements ReleaseJournal {
  readonly #open: (options: Parameters<ReleaseJournal["openLedger"]>[0]) => Ledger;
  readonly #released = new Map<number, Float64Array>();
  #ledger: Ledger | undefined;

  constructor(
    sizes: PublicSizes,
    open: (options: Parameters<ReleaseJournal["openLedger"]>[0]) => Ledger,
  ) {
    repeats(this, sizes);
    this.#open = open;
  }

  /** The run's own ledger, once; to a replay, the same with everything charged. */
  openLedger(options: Parameters<ReleaseJournal["openLedger"]>[0]): Ledger {
    return (this.#ledger ??= this.#open(options));
  }

  read(release: number): Float64Array | undefined {
    return this.#released.get(release);
  }

  write(release: number, statistic: Float64Array): void {
    this.#released.set(release, statistic.slice());
  }
}

/** Ridge weights of the models a task compares a run with, for losses divided by n_i. */
const ALONE = [1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1];

/**
 * Folds that every task deals from its own rows alone. With labels, the rows of a class that would all be
 * held out at once stay in training, task by task: so every fold is trained with all classes, and no
 * task's labels decide what is asked of another.
 */
function dealFolds(tasks: TaskSet, folds: number, seed: string, labels: boolean): TrainTest[] {
  const most = tasks.taskSizes.reduce((a, b) => Math.max(a, b), 0);
  if (most < 2) throw new RangeError("folds: expected a task of two rows or more to hold one out");
  const count = Math.min(folds, most);
  const foldOf = [...tasks].map(({ name, y, n }) => {
    const fold = foldOfRows(name, n, count, seed);
    if (!labels) return fold;
    for (const label of new Set(y)) {
      const rows = [...y.keys()].filter((row) => y[row] === label);
      const places = new Set(rows.map((row) => fold[row]));
      if (places.size === 1) for (const row of rows) fold[row] = NEVER_HELD_OUT;
    }
    return fold;
  });
  return Array.from({ length: count }, (_, held) => held).flatMap((held) =>
    // A fold that holds nothing out adds nothing to anyone's loss.
    foldOf.some((fold) => fold.includes(held))
      ? [tasks.splitBy((row, task) => foldOf[task]![row] !== held)]
      : [],
  );
}

/** Compares runs with learning alone, fold by fold. */
export class HeldOut {
  readonly #tasks: TaskSet;
  readonly #folds: readonly TrainTest[];
  readonly #index: Map<string, number>;
  readonly #alone: Float64Array;

  private constructor(tasks: TaskSet, folds: readonly TrainTest[]) {
    this.#tasks = tasks;
    this.#folds = folds;
    this.#index = new Map(tasks.names.map((name, i) => [name, i]));
    this.#alone = new Float64Array(tasks.m).fill(Infinity);
  }

  /**
   * Deals the folds and learns each task's reference: the best of a few ridge models of its own. Rows are held as private fits hold them:
   * one that is refused would end the selection after releases.
   */
  static async open(
    given: TaskSet,
    options: { folds: number; seed: string; loss: LossName; intercept: boolean },
  ): Promise<HeldOut> {
    const { folds, seed, loss, intercept } = options;
    const tasks = heldRows(given);
    const held = new HeldOut(tasks, dealFolds(tasks, folds, seed, loss !== "squared"));
    for (const lambda of ALONE) {
      const losses = await held.#losses(new SingleTask({ loss, intercept, lambda }));
      losses.forEach((value, i) => (held.#alone[i] = Math.min(held.#alone[i]!, value)));
    }
    return held;
  }

  /** All row sets that a run and its judgement fit. */
  get fitted(): readonly TaskSet[] {
    return [this.#tasks, ...this.#folds.map(({ train }) => train)];
  }

  /** Held-out losses of every task, summed over all its folds; 0 for a task of one row. */
  async #losses(estimator: Estimator, journal?: ReleaseJournal, signal?: AbortSignal) {
    const sums = new Float64Array(this.#tasks.m);
    for (const { train, test } of this.#folds) {
      const model = await estimator.fit(train, { journal, signal });
      addLosses(model, test, (name, loss) => (sums[this.#index.get(name)!]! += loss));
    }
    return sums;
  }

  /**
   * Every task's (a^2 - e^2) / (2 (a^2 + e^2)), e its held-out loss with the run's broadcasts, a that of
   * learning alone: 1/2 where the run is perfect, 0 where it makes no difference, about half the relative
   * gain between. Score i depends on the broadcasts and on task i's rows only.
   *
   * @param estimator as in the run; @param run its releases.
   * @returns [m], in [-1/2, 1/2].
   */
  async utilities(estimator: Estimator, run: RunRecord, signal?: AbortSignal) {
    const losses = await this.#losses(estimator, run, signal);
    return losses.map((loss, i) => utility(this.#alone[i]!, loss));
  }
}

/** In [-1/2, 1/2] for any two losses >= 0; 0 where neither is a number that compares. */
export function utility(alone: number, shared: number): number {
  if (!(alone >= 0 && shared >= 0)) return 0;
  if (shared === alone) return 0;
  if (shared === Infinity || alone === 0) return -1 / 2;
  const ratio = shared / alone;
  return ratio > 1e8 ? -1 / 2 : (1 - ratio * ratio) / (2 * (1 + ratio * ratio));
}

/** Hands out the loss of every task of `held` that the model knows. */
function addLosses(
  model: FittedModel,
  all: TaskSet,
  add: (name: string, loss: number) => void,
): void {
  const held = scorable(model, all).tasks;
  if (!held) return;
  const { loss, classes, outputsPerRow: k } = model;
  const outputs = finiteOutputs(model, held);
  if (!outputs) {
    // An end would tell of one task's rows, after releases: it alone is served as badly as can be.
    if (held.m === 1) add(held.names[0]!, Infinity);
    else for (const name of held.names) addLosses(model, held.select([name]), add);
    return;
  }
  const y = !classes
    ? held.y
    : loss === "softmax"
      ? classLabels(held, classes).y
      : binaryLabels(held, classes).y;
  const weights = relativeWeights(held);
  for (let i = 0; i < held.m; i++) {
    const [from, to] = [held.offsets[i]!, held.offsets[i + 1]!];
    const rows = outputs.slice(from * k, to * k);
    add(
      held.names[i]!,
      lossAndSlopes(loss, rows, y.subarray(from, to), k, weights?.subarray(from, to)),
    );
  }
}

/** undefined where no number is as large as one of them. */
function finiteOutputs(model: FittedModel, tasks: TaskSet): Float64Array | undefined {
  try {
    return model.outputs(tasks);
  } catch (error) {
    if (error instanceof DataError) return undefined;
    throw error;
  }
}
