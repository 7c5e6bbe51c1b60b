/**
 * A pooled choice by noisy votes: its stage of the plan, and its rule.
 * @module
 */
import { noiseScaleAt, type PlannedStage } from "../round/release-plan.js";
import type { SharingRule } from "../round/sharing-rule.js";
import { voteRule } from "../sharing/vote.js";
import type { StageRequest } from "./stage-request.js";

/** The ledger's name of a vote. */
export const VOTE = "choice";

/** One round in which m tasks vote on candidates, each with a vector of norm at most 1. */
export function voteRequest(m: number, candidates: number, share: number): StageRequest {
  return { statistic: "vector", m, d: candidates, clip: 1, rounds: 1, share, label: VOTE };
}

/** Deviation of the noise on each sum of votes. */
export function voteDeviation(stage: Pick<PlannedStage, "mechanism" | "budgets" | "d">): number {
  const { mechanism, d } = stage;
  return noiseScaleAt(stage, 1) * (mechanism.budgetKind === "mu" ? 1 : Math.sqrt(d + 1));
}

/** All votes together over the noise's deviation, below which they say nothing about being alone. */
const AUDIBLE = 2.5;

/** What is voted on. */
export interface VotedOn {
  /** Of every candidate from the public default, in units of belief. */
  readonly distances: readonly number[];
  /** Whether the last candidate is learning alone: the default where the votes could not be heard. */
  readonly guarded?: boolean;
}

/** What the curator makes of the noisy sums of the votes. */
export function stageVoteRule(
  stage: PlannedStage,
  { distances, guarded = false }: VotedOn,
): SharingRule {
  const { m, d } = stage;
  const alone = guarded && m < AUDIBLE * voteDeviation(stage);
  return voteRule({
    distances: alone ? distances.map((_, k) => (k === d - 1 ? 0 : Infinity)) : distances,
    deviation: noiseScaleAt(stage, 1),
  });
}
