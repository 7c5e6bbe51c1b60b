/**
 * What a task may keep of the rounds: the model of one of them, with its last local objective as it was given
 * or with another strength.
 * @module
 */
import * as math from "../../core/elementary.js";

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
  /** Standard errors by which a task's rows must speak for learning alone; see `AloneTest`. */
  readonly errors: number;
}

/** Width of the belief around the last round, and around a pooled choice. */
const BELIEF = { local: 0.5, pooled: 0.25 };

/**
 * Standard errors by which a task's rows must speak for being alone: on its own; and when all tasks
 * together found that they are better off alone, which then holds for each. One, not two: a method that
 * hurts everyone a little then hurts half as much, and one that helps loses a tenth of what it gains.
 */
const EVIDENCE = { own: 1, alone: -Infinity };

/** How far learning alone is from the method's own model, in the votes. */
const ALONE_DISTANCE = 0.5;

/** Factors of the strength that are tried after the last round. */
const STRENGTHS = [0.01, 0.1, 10, 100];

/** Rounds whose models are compared: all T, and about a half, a quarter, ... of them, down to 1. */
export function checkpointsOf(rounds: number): readonly number[] {
  const found = new Set([rounds]);
  for (let part = rounds / 2; found.size < 6 && part > 0.5; part /= 2) found.add(Math.ceil(part));
  return [...found].sort((a, b) => a - b);
}

/**
 * The models of all checkpoints as they are and, with `strengths`, the last one's with others.
 * @returns ascending in rounds; the given method's own is the last of strength 1, see {@link givenOf}.
 */
export function candidatesOf(rounds: number, strengths: boolean): readonly Candidate[] {
  return [
    ...checkpointsOf(rounds).map((round) => ({ round, strength: 1 })),
    ...(strengths ? STRENGTHS : []).map((strength) => ({ round: rounds, strength })),
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
 * What tasks vote on: distances from the method's own model of every candidate and, where there is a
 * safeguard, of learning alone.
 */
export function ballotOf(candidates: readonly Candidate[], guarded: boolean): readonly number[] {
  const distances = distancesFrom(candidates, givenOf(candidates));
  return guarded ? [...distances, ALONE_DISTANCE] : distances;
}

/** A task's own belief, before it sees its rows. */
export function ownPreference(candidates: readonly Candidate[]): Preference {
  return { candidate: givenOf(candidates), decades: BELIEF.local, errors: EVIDENCE.own };
}

/** What all tasks together believe once they have chosen: a candidate, or after the last one to be alone. */
export function pooledPreference(candidates: readonly Candidate[], winner: number): Preference {
  return winner < candidates.length
    ? { candidate: winner, decades: BELIEF.pooled, errors: EVIDENCE.own }
    : { ...ownPreference(candidates), errors: EVIDENCE.alone };
}
