/**
 * What PMTL, private FedAvg and private FedProx run on either side, and what they release.
 * @module
 */
import { openCore, OptionError, type Core } from "../../../core/index.js";
import { openStream, permutation, uniforms } from "../../../random/index.js";
import { streamNumber } from "../../../random/stream-numbers.js";
import type { DifferentiableModel } from "../../models/differentiable-model.js";
import type { Halves, PlanContext } from "../../round/halves.js";
import { expectedParticipants } from "../../round/participation.js";
import { robustShape, robustSum } from "../../round/statistic/robust-sum.js";
import { meanEntry, runningMeanRule } from "./running-mean.js";
import { sayingAboveNoise } from "../../release/above-noise.js";
import { curatorHalf } from "../../release/curator-half.js";
import { releasesOfStages } from "../../release/plan-releases.js";
import type { StageRequest } from "../../release/stage-request.js";
import { voteRule, VOTE, voteRequest } from "../../local-selection/private-selection.js";
import { LearningClip, withClipVote } from "../../votes/learning-clip.js";
import { clipFacts } from "./updates/first-updates.js";
import { residentBytes, type BatchSize } from "../../tasks/resident-size.js";
import { type FederatedOptions, settled } from "./options.js";
import {
  architectureOf,
  type AveragingMethod,
  type ModelOptions,
} from "./updates/local-training.js";
import { selectionPlan } from "./selection/selection.js";
import { averagingParticipants } from "./participants.js";

/** The halves of such a method. */
export function averagingHalves(definition: AveragingMethod, given: FederatedOptions): Halves {
  const options = settled(given);
  return {
    participants: averagingParticipants(definition, options),
    releases: releasesOfStages(options, averagingStages(definition, options)),
    curator: averagingCurator(definition, options),
    work: (context) => trainingWork(definition, options, context),
    bytes: (batch) => trainingBytes(options, batch),
  };
}

/** Shared parameters. */
export function sharedLength(
  options: ModelOptions,
  { sizes, outputs }: Pick<PlanContext, "sizes" | "outputs">,
): number {
  return architectureOf(options, sizes.d, outputs)?.parameters ?? sizes.d * outputs;
}

/** T releases of the mean update, over a sample of the tasks where one is asked for, and the vote. */
const averagingStages =
  (definition: AveragingMethod, options: FederatedOptions) =>
  (context: PlanContext): StageRequest[] => {
    const { m } = context.sizes;
    const { clip, rounds, sampling, schedule } = options;
    expectedParticipants(sampling, m, rounds);
    if (robustShape(options.aggregate, m) && context.noiseShares) {
      throw new OptionError(
        `aggregate: the curator of secure or verified sums sees no vectors to leave out; expected "mean", got "${options.aggregate.kind}" ` +
          "(verified sums bound what a liar can do by themselves)",
      );
    }
    const d = sharedLength(options, context);
    const { pooled, distances } = selectionPlan(definition, options);
    const of = { statistic: "vector", m, d, rounds, schedule, sampling } as const;
    return [
      ...(clip === "auto" ? withClipVote(of, options) : [{ ...of, clip }]),
      ...(pooled ? [voteRequest(m, distances.length, options.choiceShare)] : []),
    ];
  };

/** The running mean, and the rule of the vote. */
const averagingCurator =
  (definition: AveragingMethod, options: FederatedOptions): Halves["curator"] =>
  (context) => {
    const { core, sizes, outputs, releases } = context;
    const { serverStepSize: stepSize } = options;
    const architecture = architectureOf(options, sizes.d, outputs);
    const robust = robustShape(options.aggregate, sizes.m);
    const divisor =
      robust?.divisor ?? expectedParticipants(options.sampling, sizes.m, options.rounds);
    const start = architecture && startingPoint(core, architecture, options);
    const initial = start ?? new Float64Array(sharedLength(options, context));
    const voted = selectionPlan(definition, options);
    const afresh = definition.projected !== undefined;
    const combine = robust && robustSum(robust, randomOrder(options));
    const mean = () => runningMeanRule({ initial, divisor, stepSize, afresh, combine });
    const clip =
      options.clip === "auto"
        ? new LearningClip(releases, clipFacts(options, context, afresh))
        : null;
    return curatorHalf(context, {
      options,
      start,
      clip,
      rules: releases.stages.map((stage) =>
        stage.label === VOTE
          ? voteRule(stage, voted)
          : (clip?.voteRule(stage) ?? sayingAboveNoise(clip?.inUnits(mean()) ?? mean(), stage)),
      ),
      entry: meanEntry(divisor),
    });
  };

/**
 * The tasks of a round in an order of its own, from numbers that no data enters. They are drawn in other memory than the round's,
 * whose blocks are in use.
 */
function randomOrder({ random }: Pick<FederatedOptions, "random">) {
  const core = openCore();
  return (round: number, m: number): ArrayLike<number> => {
    const mark = core.arena.mark();
    const stream = openStream(core, random, streamNumber.groups(round));
    try {
      return permutation(stream, m);
    } finally {
      stream.close();
      core.arena.release(mark);
    }
  };
}

/** Keys where a fit without a seed starts. */
const START = { mode: "seeded", seed: "the public starting point" } as const;

/**
 * w(0) as the architecture says, from numbers that no data enters. It is public, so that it needs no secret key: without a seed all fits have the
 * same. A fit that goes on with its journal, or a curator that comes back, would else add up the releases that it kept from elsewhere.
 */
export function startingPoint(
  core: Core,
  architecture: DifferentiableModel,
  { random }: Pick<FederatedOptions, "random">,
): Float64Array {
  const size = architecture.parameters;
  const stream = openStream(core, random.mode === "secure" ? START : random, streamNumber.start);
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

/** Steps that a solve counts for. */
const SOLVE = 30;

/** Local steps in every round, again on folds where tasks select. */
export function trainingWork(
  definition: AveragingMethod,
  options: FederatedOptions,
  { sizes, outputs }: PlanContext,
): number {
  const { rounds, localSteps, model, hiddenUnits, loss } = options;
  const { fallback } = selectionPlan(definition, options);
  const passes = rounds * (fallback || options.choice !== "last" ? 6 : 1);
  const perRow = sizes.d * (model === "linear" ? outputs : 3 * hiddenUnits);
  const steps = localSteps === "solve" ? SOLVE : localSteps;
  return passes * steps * sizes.rows * perRow * (loss === "squared" ? 1 : 3);
}

/** Rows with the column of their intercept, where there is one. */
export function trainingBytes(
  { intercept, rowPrecision }: FederatedOptions,
  batch: BatchSize,
): number {
  if (!intercept) return residentBytes(batch, rowPrecision);
  const { d, rows, entries } = batch;
  return residentBytes({ ...batch, d: d + 1, entries: entries && entries + rows }, rowPrecision);
}
