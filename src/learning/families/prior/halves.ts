/**
 * What the methods whose broadcast is a prior run on either side, and what they release.
 * @module
 */
import type { Halves } from "../../round/halves.js";
import type { PlannedStage, ReleasePlan } from "../../round/release-plan.js";
import type { SharingRule } from "../../round/sharing-rule.js";
import { isVectorSum } from "../../../privacy/sensitivity.js";
import { requireUnit } from "../../options/person-options.js";
import { sayingAboveNoise } from "../../release/above-noise.js";
import { curatorHalf } from "../../release/curator-half.js";
import { planReleases, stageNoise } from "../../release/plan-releases.js";
import { voteRule, VOTE } from "../../local-selection/private-selection.js";
import { residentBytes } from "../../tasks/resident-size.js";
import { outweighsNoise, strengthDistances, strengthVote } from "./strength/strength-vote.js";
import { requireKnownSizes } from "./records/check-records.js";
import { roundsOf, type PriorMethod } from "./method.js";
import { EQUAL_ROUNDS, type PriorMethodOptions } from "./options.js";
import { priorParticipants } from "./participants.js";
import { isAugmented, onPacked, recordReleases } from "./records/record-plan.js";

/** The halves of such a method. */
export function priorHalves(definition: PriorMethod, options: PriorMethodOptions): Halves {
  return {
    participants: priorParticipants(definition, options),
    releases: priorReleases(definition, options),
    curator: priorCurator(definition, options),
    // A person may have rows in several tasks.
    requireAll: (data) => requireUnit(data, options),
    requireOwn: (data) => {
      requireKnownSizes(data, options);
      requireUnit(data, options);
    },
    work: ({ sizes }) => {
      const { m, d, rows } = sizes;
      // In every round a spectrum of every task.
      return 3 * roundsOf(definition, options, sizes) * d * d * (rows + m * d);
    },
    bytes: residentBytes,
  };
}

/** The rounds, and the pooled choice after them where there is one. */
const priorReleases =
  (definition: PriorMethod, options: PriorMethodOptions): Halves["releases"] =>
  (context) => {
    if (options.unit !== "task") return recordReleases(definition, options, context);
    const { sizes, noiseShares } = context;
    const { m, d } = sizes;
    const { statistic, clip } = definition;
    const rounds = roundsOf(definition, options, sizes);
    const stage = { statistic, m, d, clip, rounds, schedule: EQUAL_ROUNDS };
    const unvoted = { options, tasks: m, stages: [stage], noiseShares };
    const vote = strengthVote(options, m);
    if (!vote) return planReleases(unvoted);
    const voted = { ...unvoted, stages: [stage, vote] };
    const pays =
      options.choice === "pooled" || outweighsNoise({ ...vote, ...stageNoise(voted, vote) });
    return planReleases(pays ? voted : unvoted);
  };

/** The method's rule, and that of the vote. */
const priorCurator =
  (definition: PriorMethod, options: PriorMethodOptions): Halves["curator"] =>
  (context) => {
    const { sizes, releases } = context;
    return curatorHalf(context, {
      options,
      rules: releases.stages.map((stage) =>
        stage.label === VOTE
          ? voteRule(stage, { distances: strengthDistances(options) })
          : ruleOf(definition, stage, sizes.d, {
              counted: countedPart(releases),
              said: options.curator === "trusted",
            }),
      ),
    });
  };

/**
 * The method's rule, on matrices as they are released.
 * @param said whether it says how far releases are above their noise: not where tasks have added more of it.
 */
function ruleOf(
  definition: PriorMethod,
  stage: PlannedStage,
  d: number,
  { counted, said }: { readonly counted: number; readonly said: boolean },
): SharingRule {
  const own = definition.rule(stage, d);
  const rule = said ? sayingAboveNoise(own, stage, 1 / counted) : own;
  return isVectorSum(stage.statistic) ? onPacked(rule, d, isAugmented(definition), counted) : rule;
}

/** Mean factor of the owners' uploads; 1 where none has a budget of its own. */
const countedPart = ({ owners }: ReleasePlan) =>
  owners ? owners.reduce((sum, { weight }) => sum + weight, 0) / owners.length : 1;
