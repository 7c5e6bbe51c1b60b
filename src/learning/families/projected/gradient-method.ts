/**
 * Algorithms 2, 3 and 4: private rounds of projection and accelerated gradient steps.
 * @module
 */
import { planSelection, type SelectionPlan } from "../../local-selection/selection-plan.js";
import type { CuratorContext, CuratorHalf, Halves, PlanContext } from "../../round/halves.js";
import type { ReleasePlan } from "../../round/release-plan.js";
import { curatorHalf } from "../../release/curator-half.js";
import { planReleases } from "../../release/plan-releases.js";
import { stageVoteRule, VOTE, voteRequest } from "../../release/vote-stage.js";
import { resolveDelta } from "../../options/private-options.js";
import { publicStep, type GradientMethod } from "./gradient-steppers.js";
import { resolveSchedule, type GradientMethodOptions } from "./gradient-options.js";
import { gradientParticipants } from "./participants.js";

/** The halves of such a method. */
export function gradientHalves(definition: GradientMethod, options: GradientMethodOptions): Halves {
  return {
    participants: (context) => gradientParticipants(definition, options, context),
    releases: (context) => gradientReleases(definition, options, context),
    curator: (context) => gradientCurator(definition, options, context),
  };
}

/** T releases of the statistic, and the pooled choice after them where there is one. */
function gradientReleases(
  definition: GradientMethod,
  options: GradientMethodOptions,
  { sizes, shares }: PlanContext,
): ReleasePlan {
  const { m, d } = sizes;
  const { clip, rounds, shift } = options;
  const { smoothness, step } = publicStep(definition, options, sizes);
  const statistic = definition.rule(step * options.lambda).statistic as "covariance" | "diagonal";
  const schedule = resolveSchedule(options, resolveDelta(options.delta, m), smoothness);
  const stages = [{ statistic, m, d, clip, rounds, schedule, shift }];
  const { pooled, distances } = selectionOf(options);
  const vote = pooled ? [voteRequest(m, distances.length, options.choiceShare)] : [];
  return planReleases({ options, tasks: m, stages: [...stages, ...vote], shares });
}

/** The method's rule, and that of the vote. */
function gradientCurator(
  definition: GradientMethod,
  options: GradientMethodOptions,
  context: CuratorContext,
): CuratorHalf {
  const { sizes, releases } = context;
  const { step } = publicStep(definition, options, sizes);
  const { distances, fallback: guarded } = selectionOf(options);
  const voted = { distances, guarded };
  return curatorHalf(context, {
    random: options.random,
    rules: releases.stages.map((stage) =>
      stage.label === VOTE ? stageVoteRule(stage, voted) : definition.rule(step * options.lambda),
    ),
  });
}

/** What tasks select among. */
function selectionOf(options: GradientMethodOptions): SelectionPlan {
  return planSelection(options, { fallback: options.safeguard });
}
