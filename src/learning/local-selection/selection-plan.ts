/**
 * What a method's tasks select among and whether they choose together: the same for curator and participants,
 * from options that both have.
 * @module
 */
import { OptionError } from "../../core/index.js";
import { candidatesOf, distancesFrom, givenOf, type Candidate } from "./candidates.js";
import { SINGLE_TASK_DISTANCE } from "./thresholds.js";

/** Options of a method that selects among its rounds. */
export interface SelectionOptions {
  readonly rounds: number;
  readonly choice: "last" | "local" | "pooled";
  /** Default trusted. */
  readonly curator?: "trusted" | "untrusted";
}

/** The plan. */
export interface SelectionPlan {
  readonly candidates: readonly Candidate[];
  /** Whether a task may fall back to its single-task model. */
  readonly fallback: boolean;
  /** Whether there is a vote. */
  readonly pooled: boolean;
  /**
   * What is voted on: distances from the method's own model of every candidate and last, where there is a
   * fallback, of the single-task model.
   */
  readonly distances: readonly number[];
}

/**
 * Plans the selection.
 * @param strengths whether the last objective has a strength to select.
 * @throws OptionError if the votes of a pooled choice would be unprotected.
 */
export function planSelection(
  options: SelectionOptions,
  { strengths = false, fallback }: { strengths?: boolean; fallback: boolean },
): SelectionPlan {
  const candidates = candidatesOf(options.rounds, strengths);
  const own = distancesFrom(candidates, givenOf(candidates));
  const distances = fallback ? [...own, SINGLE_TASK_DISTANCE] : own;
  refuseUnprotectedVotes(options);
  return {
    candidates,
    fallback,
    pooled: options.choice === "pooled" && distances.length > 1,
    distances,
  };
}

/** @throws OptionError if a curator who is not trusted would see votes. */
export function refuseUnprotectedVotes({
  choice,
  curator,
}: {
  readonly choice: string;
  readonly curator?: string;
}): void {
  if (choice !== "pooled" || curator !== "untrusted") return;
  throw new OptionError(
    'choice: a pooled choice shows the curator votes that no record noise covers; use "local"',
  );
}
