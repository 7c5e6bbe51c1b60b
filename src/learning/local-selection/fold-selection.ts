/**
 * Selection among checkpoints and strengths by held-out rows: every task averages the candidates' models, each
 * by what the task's own rows say of it.
 * @module
 */
import * as math from "../../core/elementary.js";
import { inTurns } from "../round/run.js";
import type { LossName } from "../tasks/losses.js";
import { distancesFrom, givenOf, preferenceOf, type Candidate } from "./candidates.js";
import type { SelectionPlan } from "./selection-plan.js";
import { costsOf } from "./utility.js";
import type { Selectable } from "./selectable.js";

/** What the tasks of a family tell of their rounds. */
export interface FoldSelectionOptions {
  readonly loss: LossName;
  /** Row offsets of the tasks, [m + 1]. */
  readonly offsets: Uint32Array;
  readonly plan: SelectionPlan;
  /** "last": the method's own model is kept, and replayed only for the fallback. */
  readonly choice: "last" | "local" | "pooled";
  /** Whether models may be averaged: their average then loses no more than theirs (default). */
  readonly averages?: boolean;
  /** Losses of all rows, held out, under these candidates and under the single-task model; called once. */
  replay(
    candidates: readonly Candidate[],
  ): Generator<void, { shared: readonly Float64Array[]; singleTask: Float64Array }>;
  /** Puts every task's average of these candidates' models, with weights[m, K], in the place of its model. */
  average(
    candidates: readonly Candidate[],
    weights: Float64Array,
    signal?: AbortSignal,
  ): void | Promise<void>;
  /** Puts the single-task models of the marked tasks there. */
  fallBack: NonNullable<Selectable["fallBack"]>;
}

/** A batch of tasks that look at their rounds again. */
export class FoldSelection implements Selectable {
  readonly candidates: readonly Candidate[];
  readonly loss: LossName;
  readonly offsets: Uint32Array;
  readonly #options: FoldSelectionOptions;
  #losses: { shared: readonly Float64Array[]; singleTask: Float64Array } | undefined;

  constructor(options: FoldSelectionOptions) {
    const { loss, offsets, choice } = options;
    const { candidates } = options.plan;
    this.#options = options;
    this.loss = loss;
    this.offsets = offsets;
    this.candidates = choice === "last" ? [candidates[givenOf(candidates)]!] : candidates;
  }

  /**
   * Replays the rounds, where that has not been done, giving the event loop its turns.
   * @throws whatever `signal` was aborted with.
   */
  async prepare(signal?: AbortSignal): Promise<void> {
    this.#losses ??= await inTurns(this.#options.replay(this.candidates), signal);
  }

  /** A federated run does not prepare. */
  get #heldOut() {
    return (this.#losses ??= atOnce(this.#options.replay(this.candidates)));
  }

  get singleTaskLosses(): Float64Array {
    return this.#heldOut.singleTask;
  }

  costs(): Float64Array {
    const { shared, singleTask } = this.#heldOut;
    const of = this.#options.plan.fallback ? [...shared, singleTask] : shared;
    return costsOf(this.loss, this.offsets, of);
  }

  async keep(winner: number | undefined, signal?: AbortSignal): Promise<Float64Array> {
    const last = this.#options.choice === "last";
    const weights = last
      ? new Float64Array(this.offsets.length - 1).fill(1)
      : this.#weights(winner);
    await this.#options.average(this.candidates, weights, signal);
    return last ? this.#heldOut.shared[0]! : this.#averageLosses(weights);
  }

  fallBack(which: Uint8Array, signal?: AbortSignal): void | Promise<void> {
    return this.#options.fallBack(which, signal);
  }

  /**
   * Every task's weights of the candidates, [m, K]: proportional to exp(-cost - belief), or all on the
   * largest where models may not be averaged.
   */
  #weights(winner: number | undefined): Float64Array {
    const { candidate, decades } = preferenceOf(this.candidates, winner);
    const doubts = distancesFrom(this.candidates, candidate).map(
      (distance) => (distance / decades) ** 2 / 2,
    );
    const weights = costsOf(this.loss, this.offsets, this.#heldOut.shared);
    const count = doubts.length;
    for (let from = 0; from < weights.length; from += count) {
      const own = weights.subarray(from, from + count);
      const totals = doubts.map((doubt, k) => comparable(own[k]! + doubt));
      const least = Math.min(...totals);
      if (this.#options.averages === false) {
        own.fill(0)[totals.indexOf(least)] = 1;
        continue;
      }
      totals.forEach((total, k) => (own[k] = math.exp(least - total)));
      const sum = own.reduce((a, b) => a + b, 0);
      for (let k = 0; k < count; k++) own[k]! /= sum;
    }
    return weights;
  }

  /** What the weighted candidates lose on every row, at most: the average of their losses, [N]. */
  #averageLosses(weights: Float64Array): Float64Array {
    const { shared, singleTask } = this.#heldOut;
    const { offsets } = this;
    const count = shared.length;
    const average = new Float64Array(singleTask.length);
    for (let i = 0; i < offsets.length - 1; i++) {
      for (let k = 0; k < count; k++) {
        const weight = weights[i * count + k]!;
        if (weight === 0) continue;
        for (let j = offsets[i]!; j < offsets[i + 1]!; j++) average[j]! += weight * shared[k]![j]!;
      }
    }
    return average;
  }
}

/** A fold may leave rows of which no model can be made: what its candidate costs is no number, and then as bad as any. */
const comparable = (cost: number): number =>
  Number.isNaN(cost) ? Number.MAX_VALUE : Math.min(cost, Number.MAX_VALUE);

/** Runs work that stops now and then to its end. */
function atOnce<Result>(work: Generator<void, Result>): Result {
  let step = work.next();
  while (!step.done) step = work.next();
  return step.value;
}

/** Row i: sum_k weights[i, k] models[k] row i; all of one length, m rows each. */
export function averageModels(
  models: readonly Float64Array[],
  weights: Float64Array,
  m: number,
): Float64Array {
  const count = models.length;
  const out = new Float64Array(models[0]!.length);
  const width = out.length / m;
  models.forEach((values, k) => {
    for (let i = 0; i < m; i++) {
      const weight = weights[i * count + k]!;
      for (let j = i * width; j < (i + 1) * width; j++) out[j]! += weight * values[j]!;
    }
  });
  return out;
}
