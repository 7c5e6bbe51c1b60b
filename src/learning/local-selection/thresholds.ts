/**
 * Every number on which local selection turns, with its reason.
 * @module
 */
import type { FallbackTest } from "./fallback.js";

/**
 * Parts of every task's rows; row j is held out in fold j mod FOLDS, a task's only row never. Four fifths of
 * few rows still show what all of them can do, for five times the local work.
 */
export const FOLDS = 5;

/** Checkpoints at most: a round's model is close to that of twice or half as many, so six span 32 rounds. */
export const MOST_CHECKPOINTS = 6;

/** Factors of the last objective's strength: decades, because nothing finer shows on a few dozen rows. */
export const STRENGTH_FACTORS: readonly number[] = [0.01, 0.1, 10, 100];

/**
 * Standard deviation, in decades, of the belief about the best candidate: around the method's own model, and
 * around what all tasks chose, which is known better. A prior's strength has a default that suits rows of
 * norm 1, so its belief is a little narrower, and heavy-tailed.
 */
export const BELIEF = {
  checkpoint: { own: 0.5, pooled: 0.25 },
  priorStrength: { own: 0.4, pooled: 0.3 },
} as const;

/**
 * When a task falls back to its single-task model.
 *
 * `rounds`: one standard error, not two: a method that hurts everyone a little then hurts half as much, and
 * one that helps loses a tenth of what it gains. Diverged models have a few huge squared errors, so these are
 * compared by their ratio.
 * `pooled`: whatever a task's own rows say, where all tasks together found that they are better off so.
 */
export const FALLBACK = {
  rounds: { errors: 1, scale: "by-loss" },
  pooled: { errors: -Infinity, scale: "difference" },
} as const satisfies Record<string, FallbackTest>;

/**
 * Private selection by votes.
 *
 * `caution`: weight of a candidate's squared distance from the default, in units of the noise's deviation: as the
 * noise grows, what wins stays near the default.
 * `fullVote`: costs of a task that differ by less, in norm, are not blown up to a full vote.
 * `leastSignal`: all votes together over the noise's deviation, below which they are not read: less than
 * `fallback`, and every task falls back to its single-task model; less than `priorStrength`, and each
 * chooses by its own rows, which cost nothing.
 * `priorDecades`: strengths of a prior that are voted on, this many decades around the default; votes on more
 * would take the same norm.
 */
export const PRIVATE_SELECTION = {
  caution: 0.3,
  fullVote: 0.3,
  leastSignal: { fallback: 2.5, priorStrength: 10 },
  priorDecades: 3,
} as const;

/** How far the single-task model is from the method's own in a vote, in decades: as one of other rounds. */
export const SINGLE_TASK_DISTANCE = 0.5;
