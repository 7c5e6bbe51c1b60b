/**
 * The curator's side of a pooled choice: private selection among candidates by the least of noisy sums of votes.
 * To the plan it is one more release of a sum of vectors, under the mechanism of such sums.
 *
 * A vote is a task's costs of the candidates, centred and of norm at most 1 (`vote-participants.ts`), so that one
 * task moves the released sum by at most 1 (zero-out) or 2 (replace) in l2.
 * @module
 */
import { noiseScaleAt, type PlannedStage } from "../round/release-plan.js";
import type { SharingRule } from "../round/sharing-rule.js";
import type { StageRequest } from "../release/stage-request.js";
import { PRIVATE_SELECTION } from "./thresholds.js";

/** The ledger's name of a vote. */
export const VOTE = "choice";

/** One round in which m tasks vote on candidates, paid by this fraction of the budget. */
export function voteRequest(m: number, candidates: number, fraction: number): StageRequest {
  return {
    statistic: "vector",
    m,
    d: candidates,
    clip: 1,
    rounds: 1,
    budgetShare: fraction,
    label: VOTE,
  };
}

/** Deviation of the noise on each sum of votes. */
export function voteDeviation(stage: Pick<PlannedStage, "mechanism" | "budgets" | "d">): number {
  const { mechanism, d } = stage;
  return noiseScaleAt(stage, 1) * (mechanism.budgetKind === "mu" ? 1 : Math.sqrt(d + 1));
}

/** What is voted on. */
export interface VotedOn {
  /** Distance of every candidate from the public default, in units of belief. */
  readonly distances: readonly number[];
  /** Whether the last candidate is the single-task model, which wins where the noise drowns the votes. */
  readonly fallback?: boolean;
}

/**
 * Takes the least of the noisy sums, a distance from the default counting as much as the noise makes wise.
 * Broadcast: the position of the candidate.
 */
export function voteRule(
  stage: PlannedStage,
  { distances, fallback = false }: VotedOn,
): SharingRule {
  const { caution, leastSignal } = PRIVATE_SELECTION;
  const drowned = stage.m < leastSignal.fallback * voteDeviation(stage);
  const apart =
    fallback && drowned
      ? distances.map((_, k) => (k === distances.length - 1 ? 0 : Infinity))
      : distances;
  const deviation = noiseScaleAt(stage, 1);
  return {
    statistic: "vector",
    broadcastLength: () => 1,
    prepare:
      ({ core, d }) =>
      (statistic, broadcast) => {
        const sums = core.arena.view(statistic, d);
        let best = 0;
        let least = Infinity;
        for (let k = 0; k < d; k++) {
          const cost = sums[k]! + caution * deviation * apart[k]! ** 2;
          if (cost >= least) continue;
          least = cost;
          best = k;
        }
        core.arena.view(broadcast, 1)[0] = best;
        return {};
      },
  };
}
