/**
 * PMTL, private FedAvg and private FedProx, and the finetuning after them: the two halves.
 * @module
 */
import type { Core } from "../../../core/index.js";
import { openStream, uniforms } from "../../../random/index.js";
import { streamNumber } from "../../../random/stream-numbers.js";
import { splitIntercepts } from "../../tasks/constant-column.js";
import type { DifferentiableModel } from "../../models/differentiable-model.js";
import type { ResidentModel } from "../../models/resident-model.js";
import { ballotOf, candidatesOf } from "../../local-selection/candidates.js";
import type {
  CuratorContext,
  CuratorHalf,
  Halves,
  ParticipantContext,
  ParticipantHalf,
  PlanContext,
} from "../../round/halves.js";
import { expectedParticipants } from "../../round/participation.js";
import type { ReleasePlan } from "../../round/release-plan.js";
import { inTurns } from "../../round/run.js";
import { runningMeanRule } from "./running-mean.js";
import { curatorHalf } from "../../release/curator-half.js";
import { planReleases } from "../../release/plan-releases.js";
import { stageVoteRule, VOTE, voteRequest } from "../../release/vote-stage.js";
import { FederatedHindsight } from "./federated-hindsight.js";
import { isGuarded, type FederatedOptions } from "./federated-options.js";
import { architectureOf, hasStrength, localWork, type FederatedMethod } from "./federated-work.js";

/** The halves of such a method. */
export function federatedHalves(definition: FederatedMethod, options: FederatedOptions): Halves {
  return {
    participants: (context) => federatedParticipants(definition, options, context),
    releases: (context) => federatedReleases(definition, options, context),
    curator: (context) => federatedCurator(definition, options, context),
  };
}

/** What tasks may choose among, and whether they choose together: the same for all, from the options. */
function choiceOf(definition: FederatedMethod, options: FederatedOptions) {
  const candidates = candidatesOf(options.rounds, hasStrength(definition, options));
  return {
    candidates,
    pooled: options.choice === "pooled" && (candidates.length > 1 || isGuarded(options)),
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
  const { candidates, pooled } = choiceOf(definition, options);
  const voted = ballotOf(candidates, isGuarded(options)).length;
  return planReleases({
    options,
    tasks: m,
    stages: [
      { statistic: "vector", m, d, clip, rounds, schedule, sampling },
      ...(pooled ? [voteRequest(m, voted, options.choiceShare)] : []),
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
  const guarded = isGuarded(options);
  const distances = ballotOf(choiceOf(definition, options).candidates, guarded);
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

/**
 * The tasks' local steps; what they return is every task's model, finetuned where asked, what it
 * chose of all rounds, or the one alone where the safeguard finds that clearly better.
 */
function federatedParticipants(
  definition: FederatedMethod,
  options: FederatedOptions,
  context: ParticipantContext,
): ParticipantHalf {
  const { core } = context;
  const work = localWork(definition, options, context);
  const { model, participants, shared, architecture } = work;
  const { models, global, m } = participants;
  const { rounds } = options;
  const back =
    isGuarded(options) || options.choice !== "last"
      ? new FederatedHindsight(
          definition,
          { options, context, work },
          choiceOf(definition, options),
        )
      : undefined;
  const vote = back?.vote;
  return {
    stages: [back?.kept ?? participants, ...(vote ? [vote] : [])],
    rounds: [rounds, 1].slice(0, vote ? 2 : 1),
    messageLengths: [shared, 1].slice(0, vote ? 2 : 1),
    finish: (signal) => (back ? back.finish(signal) : inTurns(work.finish(), signal)),
    models: () => ({
      ...splitIntercepts(
        core.arena.view(models, m * model.parameters).slice(),
        m,
        model.parameters - shared,
      ),
      architecture,
      components: { shared: { shape: [shared], data: core.arena.view(global, shared).slice() } },
    }),
    objective: () => sumOfLosses(model, models),
    close: work.close,
  };
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

function sumOfLosses(model: ResidentModel, models: number): number {
  const { core, m } = model.tasks;
  const gradient = core.arena.f64(model.parameters);
  let sum = 0;
  for (let i = 0; i < m; i++) {
    sum += model.valueAndGradient(i, models + 8 * i * model.parameters, gradient);
  }
  return sum;
}
