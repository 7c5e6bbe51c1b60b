/**
 * What a task may keep of the rounds: the model of a checkpoint, with its last local objective as it was given
 * or with another strength.
 * @module
 */
import * as math from "../../core/elementary.js";
import { BELIEF, MOST_CHECKPOINTS, STRENGTH_FACTORS } from "./thresholds.js";

/** One model that a task could keep. */
export interface Candidate {
  /** After which round. */
  readonly round: number;
  /** Factor of the given strength with which the task holds to the shared model; 1 as given. */
  readonly strength: number;
}

/** Belief about the best candidate: around one of them, this wide. */
export interface Preference {
  /** Its position. */
  readonly candidate: number;
  /** Standard deviation of the distance from it. */
  readonly decades: number;
}

/** Rounds whose models are compared: all T, and about a half, a quarter, ... of them, down to 1. */
export function checkpointsOf(rounds: number): readonly number[] {
  const found = new Set([rounds]);
  for (let part = rounds / 2; found.size < MOST_CHECKPOINTS && part > 0.5; part /= 2) {
    found.add(Math.ceil(part));
  }
  return [...found].sort((a, b) => a - b);
}

/**
 * The models of all checkpoints as they are and, with `strengths`, the last one's with others.
 * @returns ascending in rounds; the given method's own is the last of strength 1, see {@link givenOf}.
 */
export function candidatesOf(rounds: number, strengths: boolean): readonly Candidate[] {
  return [
    ...checkpointsOf(rounds).map((round) => ({ round, strength: 1 })),
    ...(strengths ? STRENGTH_FACTORS : []).map((strength) => ({ round: rounds, strength })),
  ];
}

/** Position of the model that the method has without a choice. */
export function givenOf(candidates: readonly Candidate[]): number {
  return candidates.findLastIndex(({ strength }) => strength === 1);
}

/** How far every candidate is from one of them, in decades of rounds; two of strength count as one. */
export function distancesFrom(candidates: readonly Candidate[], from: number): number[] {
  const at = candidates[from]!;
  return candidates.map(({ round, strength }) => {
    const [rounds, strengths] = [math.log10(at.round / round), math.log10(at.strength / strength)];
    return strengths === 0 ? rounds : Math.sqrt(rounds * rounds + (strengths * strengths) / 4);
  });
}

/**
 * A task's belief before it sees its rows.
 * @param winner the candidate that all tasks chose together, if they did; the single-task model comes after
 *   the last candidate and says nothing about those.
 */
export function preferenceOf(
  candidates: readonly Candidate[],
  winner: number | undefined,
): Preference {
  const { own, pooled } = BELIEF.checkpoint;
  return winner !== undefined && winner < candidates.length
    ? { candidate: winner, decades: pooled }
    : { candidate: givenOf(candidates), decades: own };
}
