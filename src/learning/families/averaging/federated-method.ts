/**
 * PMTL, private FedAvg and private FedProx, and the finetuning after them: the two halves.
 * @module
 */
import type { Core } from "../../../core/index.js";
import { openStream, uniforms } from "../../../random/index.js";
import { streamNumber } from "../../../random/stream-numbers.js";
import type { DifferentiableModel } from "../../models/differentiable-model.js";
import type { CuratorContext, CuratorHalf, Halves, PlanContext } from "../../round/halves.js";
import { expectedParticipants } from "../../round/participation.js";
import type { ReleasePlan } from "../../round/release-plan.js";
import { runningMeanRule } from "./running-mean.js";
import { curatorHalf } from "../../release/curator-half.js";
import { planReleases } from "../../release/plan-releases.js";
import { stageVoteRule, VOTE, voteRequest } from "../../release/vote-stage.js";
import type { FederatedOptions } from "./federated-options.js";
import { architectureOf, type FederatedMethod } from "./federated-work.js";
import { federatedParticipants } from "./participants.js";
import { selectionPlan } from "./selection.js";

/** The halves of such a method. */
export function federatedHalves(definition: FederatedMethod, options: FederatedOptions): Halves {
  return {
    participants: (context) => federatedParticipants(definition, options, context),
    releases: (context) => federatedReleases(definition, options, context),
    curator: (context) => federatedCurator(definition, options, context),
  };
}

/** Shared parameters. */
function sharedLength(
  options: FederatedOptions,
  { sizes, outputs }: Pick<PlanContext, "sizes" | "outputs">,
): number {
  return architectureOf(options, sizes.d, outputs)?.parameters ?? sizes.d * outputs;
}

/** T releases of the mean update, over a sample of the tasks where one is asked for, and the vote. */
function federatedReleases(
  definition: FederatedMethod,
  options: FederatedOptions,
  context: PlanContext,
): ReleasePlan {
  const { m } = context.sizes;
  const { clip, rounds, sampling, schedule } = options;
  expectedParticipants(sampling, m);
  const d = sharedLength(options, context);
  const { pooled, distances } = selectionPlan(definition, options);
  return planReleases({
    options,
    tasks: m,
    stages: [
      { statistic: "vector", m, d, clip, rounds, schedule, sampling },
      ...(pooled ? [voteRequest(m, distances.length, options.choiceShare)] : []),
    ],
    shares: context.shares,
  });
}

/** The running mean, and the rule of the vote. */
function federatedCurator(
  definition: FederatedMethod,
  options: FederatedOptions,
  context: CuratorContext,
): CuratorHalf {
  const { core, sizes, outputs, releases } = context;
  const { random, serverStepSize: stepSize } = options;
  const architecture = architectureOf(options, sizes.d, outputs);
  const divisor = expectedParticipants(options.sampling, sizes.m);
  const start = architecture && startingPoint(core, architecture, options);
  const initial = start ?? new Float64Array(sharedLength(options, context));
  const { distances, fallback: guarded } = selectionPlan(definition, options);
  return curatorHalf(context, {
    random,
    start,
    rules: releases.stages.map((stage) =>
      stage.label === VOTE
        ? stageVoteRule(stage, { distances, guarded })
        : runningMeanRule({ initial, divisor, stepSize }),
    ),
    entry: ({ round, movement = 0 }, noiseScale, spent) => ({
      round,
      movement,
      noiseScale: noiseScale / divisor,
      epsilon: spent(),
    }),
  });
}

/** w(0) as the architecture says, from numbers that no data enters. */
function startingPoint(
  core: Core,
  architecture: DifferentiableModel,
  { random }: FederatedOptions,
): Float64Array {
  const size = architecture.parameters;
  const stream = openStream(core, random, streamNumber.start);
  try {
    const initial = architecture.initial(() => uniforms(stream, 1)[0]!);
    if (initial.length === size) return Float64Array.from(initial);
    throw new RangeError(
      `model.initial: expected ${size} parameters, ${JSON.stringify(architecture.name)} gave ` +
        `${initial.length}`,
    );
  } finally {
    stream.close();
  }
}
