/**
 * What Algorithms 2, 3 and 4 run on either side, and what they release.
 * @module
 */
import type { Halves, PlanContext, PublicSizes } from "../../round/halves.js";
import { sayingAboveNoise } from "../../release/above-noise.js";
import { curatorHalf } from "../../release/curator-half.js";
import { releasesOfStages } from "../../release/plan-releases.js";
import type { PlannedStage } from "../../round/release-plan.js";
import type { SharingRule } from "../../round/sharing-rule.js";
import type { StageRequest } from "../../release/stage-request.js";
import { voteRule, VOTE, voteRequest } from "../../local-selection/private-selection.js";
import { LearningClip, withClipVote } from "../../votes/learning-clip.js";
import { resolveDelta } from "../../../privacy/index.js";
import { residentBytes } from "../../tasks/resident-size.js";
import { publicStep, type ProjectedMethod } from "./projected-tasks.js";
import { clipFacts, resolveSchedule, type GradientMethodOptions } from "./options.js";
import { selectionPlan } from "./selection.js";
import { projectedParticipants } from "./participants.js";

/** The halves of such a method. */
export function projectedHalves(
  definition: ProjectedMethod,
  options: GradientMethodOptions,
): Halves {
  return {
    participants: projectedParticipants(definition, options),
    releases: releasesOfStages(options, projectedStages(definition, options)),
    curator: projectedCurator(definition, options),
    work: ({ sizes }) => stepsWork(options, sizes),
    bytes: (batch) => residentBytes(batch, options.rowPrecision),
  };
}

/** T releases of the statistic, and the pooled choice after them where there is one. */
const projectedStages =
  (definition: ProjectedMethod, options: GradientMethodOptions) =>
  ({ sizes }: PlanContext): StageRequest[] => {
    const { m, d } = sizes;
    const { clip, rounds, shift } = options;
    const { smoothness, step } = publicStep(definition, options, sizes);
    const statistic = definition.rule(step * options.lambda).statistic as "covariance" | "diagonal";
    const schedule = resolveSchedule(options, resolveDelta(options.delta, m), smoothness);
    const { pooled, distances } = selectionPlan(options);
    const vote = pooled ? [voteRequest(m, distances.length, options.choiceShare)] : [];
    const of = { statistic, m, d, rounds, schedule, shift };
    const own = clip === "auto" ? withClipVote(of, options) : [{ ...of, clip }];
    return [...own, ...vote];
  };

/** The method's rule, and that of the vote. */
const projectedCurator =
  (definition: ProjectedMethod, options: GradientMethodOptions): Halves["curator"] =>
  (context) => {
    const { sizes, releases } = context;
    const { step } = publicStep(definition, options, sizes);
    const voted = selectionPlan(options);
    const rule = () => definition.rule(step * options.lambda);
    const clip =
      options.clip === "auto" ? new LearningClip(releases, clipFacts(options, sizes)) : null;
    return curatorHalf(context, {
      options,
      rules: releases.stages.map((stage) =>
        stage.label === VOTE
          ? voteRule(stage, voted)
          : (clip?.voteRule(stage) ?? ruleOf(clip?.inUnits(rule()) ?? rule(), stage, options)),
      ),
      clip,
    });
  };

/** Releases are as noisy as planned where tasks add none to their models. */
const ruleOf = (rule: SharingRule, stage: PlannedStage, { curator }: GradientMethodOptions) =>
  curator === "trusted" ? sayingAboveNoise(rule, stage) : rule;

/** Gradients of all rows in every round, again on folds where tasks select; and every task's own model first. */
function stepsWork(options: GradientMethodOptions, { m, d, rows }: PublicSizes): number {
  const selects = options.safeguard || options.choice !== "last";
  const passes = options.rounds * (selects ? 6 : 1) * (options.loss === "squared" ? 1 : 3);
  return passes * rows * d + 2 * m * d * d * d;
}
