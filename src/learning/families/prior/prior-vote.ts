/**
 * The tasks' side of the pooled choice of a prior's strength: a vote, and a last solve with the winner.
 * @module
 */
import type { Pointer } from "../../../core/index.js";
import type { ResidentTasks } from "../../tasks/resident-tasks.js";
import type { Participants } from "../../round/participants.js";
import { votes } from "../../sharing/vote.js";
import type { StrengthPrior } from "./prior-choice.js";
import type { PriorSolve } from "./prior-solve.js";

/** What is voted on. */
export interface PriorVoteOptions {
  /** Every strength the tasks have costs of, ascending. */
  readonly all: readonly number[];
  /** Those voted on: consecutive ones of `all`. */
  readonly candidates: readonly number[];
  /** How far from the winner each task may then choose, a deviation in decades. */
  readonly decades: number;
}

/** Tasks that vote with the costs their own rows gave under the last prior. */
export class PriorVote implements Participants {
  readonly m: number;
  /** Candidates. */
  readonly d: number;
  readonly #tasks: ResidentTasks;
  readonly #solve: PriorSolve;
  readonly #options: PriorVoteOptions;
  readonly #shared: Pointer;
  #strength: StrengthPrior | undefined;

  constructor(tasks: ResidentTasks, solve: PriorSolve, options: PriorVoteOptions) {
    this.m = tasks.m;
    this.d = options.candidates.length;
    this.#tasks = tasks;
    this.#solve = solve;
    this.#options = options;
    this.#shared = tasks.core.arena.f64(this.m * this.d);
  }

  /** The belief that the winner stands for. */
  get strength(): StrengthPrior {
    if (!this.#strength) throw new RangeError("receive: the votes are not counted yet");
    return this.#strength;
  }

  share(): Pointer {
    const { all, candidates } = this.#options;
    const { arena } = this.#tasks.core;
    const { m, d } = this;
    const first = all.indexOf(candidates[0]!);
    const costs = new Float64Array(m * d);
    for (let i = 0; i < m; i++) {
      const from = i * all.length + first;
      costs.set(this.#solve.chosen.costs.subarray(from, from + d), i * d);
    }
    const offsets = arena.words(this.#tasks.offsets, m + 1);
    const perRow = Array.from({ length: m }, (_, i) => (offsets[i + 1]! - offsets[i]!) / 2);
    arena.view(this.#shared, m * d).set(votes(costs, perRow));
    return this.#shared;
  }

  /** Solves once more under the last prior, near the winner. */
  receive(message: Pointer): void {
    const { all, candidates, decades } = this.#options;
    const center = candidates[this.#tasks.core.arena.view(message, 1)[0]!]!;
    this.#strength = { candidates: all, center, decades };
    this.#solve.solveAgain(this.#strength);
  }
}
