/**
 * Local selection: after the rounds every task keeps, of the models they gave it, what its own rows speak for,
 * or falls back to the model it would have without the others.
 *
 * **What it costs.** What task i keeps is a function of the public broadcasts and of its own rows, and only its
 * own model depends on it: nothing is released, and the joint guarantee is that of the rounds (billboard
 * lemma). The pooled form adds one release, {@link VoteParticipants}, which the budget pays for.
 *
 * A family of methods says what there is to keep and how its rows score it, by folds on which the rounds are
 * replayed (`fold-selection.ts`), by leaving out one row at a time, or by the evidence (`families/prior`);
 * when to fall back is decided here, by the tests of `thresholds.ts`. Methods that share a prior average instead (`families/prior/strength/alone.ts`).
 * @module
 */
import type { Core } from "../../core/index.js";
import type { ParticipantHalf } from "../round/halves.js";
import type { Participants } from "../round/participants.js";
import { fallsBack, type FallbackTest } from "./fallback.js";
import type { SelectionPlan } from "./selection-plan.js";
import { FALLBACK } from "./thresholds.js";
import { VoteParticipants } from "./vote-participants.js";
import type { Selectable } from "./selectable.js";

/** How to select. */
export interface LocalSelectionOptions {
  /** When a task falls back; absent: never. */
  readonly fallback?: FallbackTest | undefined;
  /** What the tasks vote on; absent: each chooses for itself. */
  readonly vote?:
    | {
        readonly candidates: number;
        /** Whether the last of them is the single-task model. */
        readonly singleTask?: boolean;
      }
    | undefined;
}

/** The tests and the vote of a plan. */
export function testsOf({ pooled, distances, fallback }: SelectionPlan): LocalSelectionOptions {
  return {
    fallback: fallback ? FALLBACK.rounds : undefined,
    vote: pooled ? { candidates: distances.length, singleTask: fallback } : undefined,
  };
}

/** The selection of one batch of tasks. */
export class LocalSelection {
  /** The round after the rounds, where tasks choose together. */
  readonly vote: VoteParticipants | undefined;
  readonly #models: Selectable;
  readonly #options: LocalSelectionOptions;

  constructor(core: Core, models: Selectable, options: LocalSelectionOptions) {
    const { vote } = options;
    this.#models = models;
    this.#options = options;
    this.vote = vote && new VoteParticipants(core, models, vote.candidates);
  }

  /** Puts what every task keeps in the place of its model. */
  async finish(signal?: AbortSignal): Promise<void> {
    const { fallback, vote } = this.#options;
    const { loss, offsets } = this.#models;
    const winner = this.vote?.winner;
    await this.#models.prepare?.(signal);
    const shared = await this.#models.keep(winner, signal);
    if (!fallback) return;
    const all = vote?.singleTask === true && winner === vote.candidates - 1;
    const singleTask = this.#models.singleTaskLosses!;
    const which = fallsBack(
      { loss, offsets, shared, singleTask },
      all ? FALLBACK.pooled : fallback,
    );
    if (which.includes(1)) await this.#models.fallBack!(which, signal);
  }
}

/** A participants' half before selection: one stage of rounds. */
export interface RoundsHalf extends Pick<
  ParticipantHalf,
  "records" | "models" | "byTask" | "losses" | "close"
> {
  readonly participants: Participants;
  /** Float64s of a broadcast. */
  readonly broadcastLength: number;
  readonly rounds: number;
}

/** The half with selection after its rounds, and the vote as a stage of its own. */
export function withSelection(
  { participants, broadcastLength, rounds, ...half }: RoundsHalf,
  selection: LocalSelection | undefined,
): ParticipantHalf {
  const vote = selection?.vote;
  return {
    ...half,
    stages: [participants, ...(vote ? [vote] : [])],
    broadcastLengths: [broadcastLength, ...(vote ? [1] : [])],
    rounds: [rounds, ...(vote ? [1] : [])],
    finish: (signal) => selection?.finish(signal),
  };
}
