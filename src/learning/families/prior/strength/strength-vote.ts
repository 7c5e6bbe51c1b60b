/**
 * Whether the strength of a shared prior is chosen by all tasks together: decided from options and
 * public sizes only, so curator and participants come to the same answer.
 * @module
 */
import * as math from "../../../../core/elementary.js";
import { OptionError } from "../../../../core/index.js";
import { refuseUnprotectedVotes } from "../../../local-selection/selection-plan.js";
import { PRIVATE_SELECTION } from "../../../local-selection/thresholds.js";
import type { PlannedStage } from "../../../round/release-plan.js";
import type { StageRequest } from "../../../release/stage-request.js";
import { voteDeviation, voteRequest } from "../../../local-selection/private-selection.js";
import { marginLoss, type PriorMethodOptions } from "../options.js";
import { strengthBelief, STRENGTHS } from "./strength-belief.js";

/**
 * The vote on the strength, or undefined where each task chooses alone.
 * @throws OptionError if one is asked for that cannot be.
 */
export function strengthVote(options: PriorMethodOptions, m: number): StageRequest | undefined {
  const { choice, choiceShare, curator, priorStrength } = options;
  refuseUnprotectedVotes(options);
  const given = typeof priorStrength === "number";
  if (choice === "pooled" && given) {
    throw new OptionError("choice: priorStrength is given, so there is nothing to choose");
  }
  if (choice === "local" || given || curator === "untrusted") return undefined;
  return voteRequest(m, votedStrengths(options).length, choiceShare);
}

/** Whether the votes stand so far out of their noise that they beat a choice by each task. */
export function outweighsNoise(
  vote: Pick<PlannedStage, "m" | "d" | "mechanism" | "budgets">,
): boolean {
  return vote.m / voteDeviation(vote) >= PRIVATE_SELECTION.leastSignal.priorStrength;
}

/** The strengths that are voted on: consecutive ones around the public belief. */
export function votedStrengths(options: PriorMethodOptions): readonly number[] {
  const { center } = strengthBelief(options);
  return STRENGTHS[marginLoss(options.loss)].filter(
    (kappa) => Math.abs(math.log10(kappa / center)) < PRIVATE_SELECTION.priorDecades + 0.01,
  );
}

/** How far each of them is from the most likely one, in decades. */
export function strengthDistances(options: PriorMethodOptions): number[] {
  const { center } = strengthBelief(options);
  return votedStrengths(options).map((kappa) => math.log10(kappa / center));
}
