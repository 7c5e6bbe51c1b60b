/**
 * Choosing among candidates, and whether to stay alone, by a task's own held-out rows; and the vote with which
 * tasks choose together.
 * @module
 */
import * as math from "../../core/elementary.js";
import type { Core, Pointer } from "../../core/index.js";
import type { LossName } from "../tasks/losses.js";
import type { Participants } from "../round/participants.js";
import { inTurns } from "../round/run.js";
import { votes } from "../sharing/vote.js";
import {
  distancesFrom,
  ownPreference,
  pooledPreference,
  type Candidate,
  type Preference,
} from "./candidates.js";
import { atOnce, type HeldOut } from "./fold-replay.js";
import { betterAlone } from "./better-alone.js";
import { logLikelihoodCost } from "../tasks/likelihood-cost.js";

/** What the choice is made of. */
export interface HeldOutChoiceOptions {
  readonly loss: LossName;
  /** Row offsets of the tasks, [m + 1]. */
  readonly offsets: Uint32Array;
  readonly candidates: readonly Candidate[];
  /** Losses of all rows, held out; called once, when it is needed. */
  readonly replay: () => Generator<void, HeldOut>;
  /** Whether models may be averaged: their average then loses no more than theirs (default). */
  readonly averages?: boolean;
}

/** A batch of tasks that look back at the rounds. */
export class HeldOutChoice {
  readonly m: number;
  readonly candidates: readonly Candidate[];
  /** Row offsets of the tasks, [m + 1]. */
  readonly offsets: Uint32Array;
  readonly #options: HeldOutChoiceOptions;
  #heldOut: HeldOut | undefined;
  #costs: Float64Array | undefined;

  constructor(options: HeldOutChoiceOptions) {
    this.#options = options;
    this.offsets = options.offsets;
    this.candidates = options.candidates;
    this.m = options.offsets.length - 1;
  }

  get #losses(): HeldOut {
    return (this.#heldOut ??= atOnce(this.#options.replay()));
  }

  /**
   * Replays the rounds, where nothing has asked for them yet, giving the event loop its turns.
   * @throws whatever `signal` was aborted with.
   */
  async prepare(signal?: AbortSignal): Promise<void> {
    if (this.#heldOut) return;
    this.#heldOut = await inTurns(this.#options.replay(), signal);
  }

  /** Held-out log-likelihood cost of every candidate, [m, K]. */
  get costs(): Float64Array {
    return (this.#costs ??= this.#costsOf(this.#losses.shared));
  }

  /** The same and last, [m, K + 1], that of learning alone. */
  get costsAndAlone(): Float64Array {
    return this.#costsOf([...this.#losses.shared, this.#losses.alone]);
  }

  #costsOf(losses: readonly Float64Array[]): Float64Array {
    const costs = new Float64Array(this.m * losses.length);
    for (let i = 0; i < this.m; i++) {
      losses.forEach((of, k) => {
        const own = of.subarray(this.offsets[i], this.offsets[i + 1]);
        costs[i * losses.length + k] = logLikelihoodCost(this.#options, own);
      });
    }
    return costs;
  }

  /**
   * Every task's weights of the candidates, [m, K]: proportional to exp(-cost - belief), or all on the
   * largest where models may not be averaged. Without a preference each keeps candidate `given`.
   */
  weights(preferred: Preference | undefined, given: number): Float64Array {
    const count = this.candidates.length;
    const weights = new Float64Array(this.m * count);
    for (let i = 0; i < this.m; i++) {
      const own = weights.subarray(i * count, (i + 1) * count);
      if (preferred) this.#weigh(i, preferred, own);
      else own[given] = 1;
    }
    return weights;
  }

  #weigh(i: number, { candidate, decades }: Preference, into: Float64Array): void {
    const { candidates } = this;
    const count = candidates.length;
    const own = this.costs.subarray(i * count, (i + 1) * count);
    const totals = distancesFrom(candidates, candidate).map((distance, k) =>
      Math.min(own[k]! + (distance / decades) ** 2 / 2, Number.MAX_VALUE),
    );
    const least = Math.min(...totals);
    if (this.#options.averages === false) {
      into[totals.indexOf(least)] = 1;
      return;
    }
    totals.forEach((total, k) => (into[k] = math.exp(least - total)));
    const sum = into.reduce((a, b) => a + b, 0);
    for (let k = 0; k < count; k++) into[k]! /= sum;
  }

  /**
   * [m], 1 for the tasks that are better off alone than with the weighted candidates.
   * @param preferred says how clearly; default what a task wants on its own.
   */
  keepAlone(
    weights: Float64Array,
    { errors }: Pick<Preference, "errors"> = ownPreference(this.candidates),
  ): Uint8Array {
    const { shared, alone } = this.#losses;
    const { offsets, m } = this;
    const count = shared.length;
    const chosen = new Float64Array(alone.length);
    for (let i = 0; i < m; i++) {
      for (let k = 0; k < count; k++) {
        const weight = weights[i * count + k]!;
        if (weight === 0) continue;
        for (let j = offsets[i]!; j < offsets[i + 1]!; j++) chosen[j]! += weight * shared[k]![j]!;
      }
    }
    const scale = this.#options.loss === "squared" ? "ratio" : "difference";
    return betterAlone(offsets, chosen, alone, { errors, scale });
  }
}

/** The tasks' side of a pooled choice. */
export class HeldOutVote implements Participants {
  readonly m: number;
  readonly d: number;
  readonly #core: Core;
  readonly #choice: HeldOutChoice;
  readonly #guarded: boolean;
  readonly #shared: Pointer;
  #preference: Preference | undefined;

  /** @param guarded whether learning alone is voted on too. */
  constructor(core: Core, choice: HeldOutChoice, guarded: boolean) {
    this.m = choice.m;
    this.d = choice.candidates.length + (guarded ? 1 : 0);
    this.#core = core;
    this.#choice = choice;
    this.#guarded = guarded;
    this.#shared = core.arena.f64(this.m * this.d);
  }

  /** The belief that the winner stands for. */
  get preference(): Preference {
    if (!this.#preference) throw new RangeError("receive: the votes are not counted yet");
    return this.#preference;
  }

  /** Replays the rounds, which the votes come from. */
  prepare(signal?: AbortSignal): Promise<void> {
    return this.#choice.prepare(signal);
  }

  share(): Pointer {
    const { offsets } = this.#choice;
    const costs = this.#guarded ? this.#choice.costsAndAlone : this.#choice.costs;
    const perRow = Array.from({ length: this.m }, (_, i) => (offsets[i + 1]! - offsets[i]!) / 2);
    const cast = votes(costs, perRow);
    this.#core.arena.view(this.#shared, cast.length).set(cast);
    return this.#shared;
  }

  receive(message: Pointer): void {
    const winner = this.#core.arena.view(message, 1)[0]!;
    this.#preference = pooledPreference(this.#choice.candidates, winner);
  }
}
