/**
 * Which round's model a task keeps, and whether it stays alone, by its own held-out rows.
 * @module
 */
import * as math from "../../core/elementary.js";
import type { Pointer } from "../../core/index.js";
import type { ResidentTasks } from "../resident-tasks.js";
import type { Participants } from "../round/participants.js";
import { votes } from "../sharing/vote.js";
import { inTurns } from "../round/run.js";
import { atOnce, type HeldOut } from "./fold-replay.js";
import { betterAlone, logLikelihoodCost } from "./prior-choice.js";
import type { PartModels, ProximalGradient } from "./proximal-gradient.js";
import type { LocalModels } from "./ridge.js";

/** Width of the belief around all rounds, and around a pooled choice, in decades of rounds. */
const BELIEF = { local: 0.5, pooled: 0.25 };

/** Rounds whose models are compared: all T, and about a half, a quarter, ... of them, down to 1. */
export function checkpointsOf(rounds: number): readonly number[] {
  const found = new Set([rounds]);
  for (let part = rounds / 2; found.size < 6 && part > 0.5; part /= 2) found.add(Math.ceil(part));
  return [...found].sort((a, b) => a - b);
}

/** Decades of every checkpoint from a preferred one. */
export function distancesFrom(checkpoints: readonly number[], preferred: number): number[] {
  return checkpoints.map((round) => math.log10(preferred / round));
}

/** What the choice is made of. */
export interface RoundChoiceOptions {
  readonly checkpoints: readonly number[];
  /** The models of every checkpoint, copied out of the core. */
  readonly models: readonly PartModels[];
  /** Replays the rounds; called once, when it is needed. */
  readonly replay: () => Generator<void, HeldOut>;
  /** Every task's model without the others. */
  readonly alone: LocalModels;
}

/** A batch of tasks that look back at the rounds. */
export class RoundChoice {
  readonly #tasks: ResidentTasks;
  readonly #options: RoundChoiceOptions;
  #heldOut: HeldOut | undefined;
  #costs: Float64Array | undefined;

  constructor(tasks: ResidentTasks, options: RoundChoiceOptions) {
    this.#tasks = tasks;
    this.#options = options;
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

  /** Held-out log-likelihood cost of every checkpoint, [m, checkpoints]. */
  get costs(): Float64Array {
    if (this.#costs) return this.#costs;
    const { m } = this.#tasks;
    const { shared } = this.#losses;
    const offsets = this.offsets;
    const costs = new Float64Array(m * shared.length);
    for (let i = 0; i < m; i++) {
      shared.forEach((losses, k) => {
        const own = losses.subarray(offsets[i], offsets[i + 1]);
        costs[i * shared.length + k] = logLikelihoodCost(this.#tasks, own);
      });
    }
    return (this.#costs = costs);
  }

  /** Row offsets of the tasks, [m + 1]; a copy. */
  get offsets(): Uint32Array {
    const { core, offsets, m } = this.#tasks;
    return core.arena.words(offsets, m + 1).slice();
  }

  /**
   * Every task's average of the checkpoints' models, with weights exp(-cost - belief), into the
   * participants; without `preferred` the last round's as they are. Then, with `safeguard`, its model alone
   * where that is clearly better.
   */
  conclude(participants: ProximalGradient, preferred: Preference | undefined, safeguard: boolean) {
    const { m, rows } = this.#tasks;
    const { checkpoints, models, alone } = this.#options;
    const count = checkpoints.length;
    const offsets = this.offsets;
    const weights = new Float64Array(m * count);
    for (let i = 0; i < m; i++) {
      const own = weights.subarray(i * count, (i + 1) * count);
      if (preferred) this.#weigh(i, preferred, own);
      else own[count - 1] = 1;
    }
    if (preferred) participants.replace(average(models, weights, m));
    if (!safeguard) return;
    const { shared } = this.#losses;
    const chosen = new Float64Array(rows);
    for (let i = 0; i < m; i++) {
      for (let j = offsets[i]!; j < offsets[i + 1]!; j++) {
        for (let k = 0; k < count; k++) chosen[j]! += weights[i * count + k]! * shared[k]![j]!;
      }
    }
    const keep = betterAlone(offsets, chosen, this.#losses.alone);
    participants.replace(aloneParts(alone, participants), keep);
  }

  #weigh(i: number, { round, decades }: Preference, into: Float64Array): void {
    const { checkpoints } = this.#options;
    const count = checkpoints.length;
    const own = this.costs.subarray(i * count, (i + 1) * count);
    const totals = distancesFrom(checkpoints, round).map(
      (distance, k) => own[k]! + (distance / decades) ** 2 / 2,
    );
    const least = Math.min(...totals);
    totals.forEach((total, k) => (into[k] = math.exp(least - total)));
    const sum = into.reduce((a, b) => a + b, 0);
    for (let k = 0; k < count; k++) into[k]! /= sum;
  }
}

/** Belief about the best round: around it, this wide. */
export interface Preference {
  readonly round: number;
  readonly decades: number;
}

/** A task's own choice, before it sees its rows. */
export function ownPreference(checkpoints: readonly number[]): Preference {
  return { round: checkpoints.at(-1)!, decades: BELIEF.local };
}

/** The tasks' side of the pooled choice of a round. */
export class RoundVote implements Participants {
  readonly m: number;
  readonly d: number;
  readonly #tasks: ResidentTasks;
  readonly #choice: RoundChoice;
  readonly #checkpoints: readonly number[];
  readonly #shared: Pointer;
  #preference: Preference | undefined;

  constructor(tasks: ResidentTasks, choice: RoundChoice, checkpoints: readonly number[]) {
    this.m = tasks.m;
    this.d = checkpoints.length;
    this.#tasks = tasks;
    this.#choice = choice;
    this.#checkpoints = checkpoints;
    this.#shared = tasks.core.arena.f64(this.m * this.d);
  }

  /** The belief that the winner stands for. */
  get preference(): Preference {
    if (!this.#preference) throw new RangeError("receive: the votes are not counted yet");
    return this.#preference;
  }

  share(): Pointer {
    const { offsets, costs } = this.#choice;
    const perRow = Array.from({ length: this.m }, (_, i) => (offsets[i + 1]! - offsets[i]!) / 2);
    const cast = votes(costs, perRow);
    this.#tasks.core.arena.view(this.#shared, cast.length).set(cast);
    return this.#shared;
  }

  receive(message: Pointer): void {
    const winner = this.#tasks.core.arena.view(message, 1)[0]!;
    this.#preference = { round: this.#checkpoints[winner]!, decades: BELIEF.pooled };
  }
}

/** Row i: sum_k weights[i, k] models[k] row i, for every part. */
function average(models: readonly PartModels[], weights: Float64Array, m: number): PartModels {
  const count = models.length;
  const mix = (part: (of: PartModels) => Float64Array | undefined) => {
    if (!part(models[0]!)) return undefined;
    const out = new Float64Array(part(models[0]!)!.length);
    const width = out.length / m;
    models.forEach((of, k) => {
      const values = part(of)!;
      for (let j = 0; j < out.length; j++) {
        out[j]! += weights[Math.floor(j / width) * count + k]! * values[j]!;
      }
    });
    return out;
  };
  return {
    shared: mix((of) => of.shared)!,
    local: mix((of) => of.local),
    intercepts: mix((of) => of.intercepts),
  };
}

/** A model that owes the others nothing is all local part, where there is one. */
function aloneParts(
  { weights, intercepts }: LocalModels,
  { localOutput, intercepts: at }: ProximalGradient,
): PartModels {
  return {
    shared: localOutput === 0 ? weights : new Float64Array(weights.length),
    local: localOutput === 0 ? undefined : weights,
    intercepts: at === 0 ? undefined : intercepts,
  };
}
