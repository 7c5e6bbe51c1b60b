/**
 * Share a prior, solve at home: the two halves of the methods whose message is a prior.
 * @module
 */
import type { Mechanism } from "../../../privacy/index.js";
import type {
  CuratorContext,
  CuratorHalf,
  Halves,
  PlanContext,
  PublicSizes,
} from "../../round/halves.js";
import type { PlannedStage, ReleasePlan } from "../../round/release-plan.js";
import type { SharingRule } from "../../round/sharing-rule.js";
import { curatorHalf } from "../../release/curator-half.js";
import { planReleases, sharedNoise } from "../../release/plan-releases.js";
import { stageVoteRule, VOTE } from "../../release/vote-stage.js";
import { priorParticipants } from "./participants.js";
import { isAudible, strengthDistances, strengthVote } from "./prior-ballot.js";
import { EQUAL_ROUNDS, type PriorMethodOptions } from "./prior-options.js";

/** What tells one such method from another. */
export interface PriorMethod {
  readonly statistic: Mechanism["statistic"];
  /** K, the norm of what is shared. */
  readonly clip: number;
  /** Whether tasks solve around the message's center. */
  readonly centered: boolean;
  /** Whether later rounds share in the coordinates of the prior before. */
  readonly refined: boolean;
  /** T for `rounds: "auto"`, from public sizes. */
  rounds(m: number, d: number): number;
  /** f of Algorithm 1 for d features, from the planned stage and its noise. */
  rule(stage: PlannedStage, d: number): SharingRule;
}

/** The halves of such a method. */
export function priorHalves(definition: PriorMethod, options: PriorMethodOptions): Halves {
  return {
    participants: (context) => priorParticipants(definition, options, context),
    releases: (context) => priorReleases(definition, options, context),
    curator: (context) => priorCurator(definition, options, context),
  };
}

/** T, the same for curator and tasks. */
export function roundsOf(
  definition: PriorMethod,
  { rounds, curator }: PriorMethodOptions,
  { m, d }: PublicSizes,
): number {
  if (rounds !== "auto") return rounds;
  // Record noise grows with every round.
  return curator === "untrusted" ? 1 : definition.rounds(m, d);
}

/** The rounds, and the pooled choice after them where there is one. */
function priorReleases(
  definition: PriorMethod,
  options: PriorMethodOptions,
  { sizes, shares }: PlanContext,
): ReleasePlan {
  const { m, d } = sizes;
  const { statistic, clip } = definition;
  const rounds = roundsOf(definition, options, sizes);
  const stage = { statistic, m, d, clip, rounds, schedule: EQUAL_ROUNDS };
  const alone = { options, tasks: m, stages: [stage], shares };
  const vote = strengthVote(options, m);
  if (!vote) return planReleases(alone);
  const both = { ...alone, stages: [stage, vote] };
  const heard = options.choice === "pooled" || isAudible({ ...vote, ...sharedNoise(both, vote) });
  return planReleases(heard ? both : alone);
}

/** The method's rule, and that of the vote. */
function priorCurator(
  definition: PriorMethod,
  options: PriorMethodOptions,
  context: CuratorContext,
): CuratorHalf {
  const { sizes, releases } = context;
  return curatorHalf(context, {
    random: options.random,
    rules: releases.stages.map((stage) =>
      stage.label === VOTE
        ? stageVoteRule(stage, { distances: strengthDistances(options) })
        : definition.rule(stage, sizes.d),
    ),
  });
}
