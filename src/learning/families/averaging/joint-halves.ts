/**
 * What joint DP-SGD runs on either side, and what it releases: the matrix of all models' gradients, every round.
 * @module
 */
import { curatorHalf } from "../../release/curator-half.js";
import { releasesOfStages } from "../../release/plan-releases.js";
import type { Halves, ParticipantContext, ParticipantHalf } from "../../round/halves.js";
import { expectedParticipants } from "../../round/participation.js";
import { MiniBatches } from "../../steps/mini-batches.js";
import { plannedClip } from "../../options/clip-option.js";
import { LearningClip, withClipVote } from "../../votes/learning-clip.js";
import { clipFacts } from "./updates/first-updates.js";
import { splitIntercepts } from "../../tasks/constant-column.js";
import { sharedLength, startingPoint } from "./halves.js";
import { JointGradients, jointModelsRule } from "./updates/joint-gradients.js";
import { architectureOf, placeModel } from "./updates/local-training.js";
import type { GradientOptions } from "./gradient-options.js";
import type { ProximalOptions } from "./options.js";
import { taskLosses } from "./participants.js";

/** The options of the family that mean something here. */
export interface JointOptions
  extends
    Omit<GradientOptions, "aggregate" | "finetune" | "choice" | "choiceShare" | "safeguard">,
    ProximalOptions {}

/** The halves of the method. */
export function jointHalves(given: JointOptions): Halves {
  const options = given.model === "linear" ? given : { ...given, intercept: false };
  return {
    releases: releasesOfStages(options, ({ sizes, outputs }) => {
      const { m } = sizes;
      const { clip, rounds, schedule, sampling } = options;
      expectedParticipants(sampling, m, rounds);
      const d = m * sharedLength(options, { sizes, outputs });
      const of = { statistic: "vector", m, d, rounds, schedule, sampling } as const;
      return clip === "auto" ? withClipVote(of, options) : [{ ...of, clip }];
    }),
    // One gradient a round over all rows, and a release of the length of all models.
    work({ sizes, outputs }) {
      const perRow = sizes.d * (options.model === "linear" ? outputs : 3 * options.hiddenUnits);
      return options.rounds * sizes.rows * perRow * (options.loss === "squared" ? 1 : 3);
    },
    participants: (context) => jointParticipants(options, context),
    curator(context) {
      const { core, sizes, outputs, releases, onOneMachine: ownBlocks = false } = context;
      const architecture = architectureOf(options, sizes.d, outputs);
      const start = architecture && startingPoint(core, architecture, options);
      const initial = start ?? new Float64Array(sharedLength(options, context));
      const rate = expectedParticipants(options.sampling, sizes.m, options.rounds) / sizes.m;
      const rule = jointModelsRule(initial, { stepSize: options.stepSize, rate, ownBlocks });
      const clip =
        options.clip === "auto"
          ? new LearningClip(releases, clipFacts(options, { sizes, releases }))
          : null;
      return curatorHalf(context, {
        options,
        start,
        clip,
        rules: releases.stages.map((stage) => clip?.voteRule(stage) ?? clip?.inUnits(rule) ?? rule),
        entry: ({ round, movement = 0 }, noiseScale, spent) => ({
          round,
          movement,
          noiseScale,
          epsilon: spent(),
        }),
      });
    },
  };
}

function jointParticipants(options: JointOptions, context: ParticipantContext): ParticipantHalf {
  const { core, positions, sizes, releases } = context;
  const { hideSample, onOneMachine: ownBlocks = false } = context;
  const { batchSize, random, rounds, lambda, stepSize, sampling } = options;
  const learned =
    options.clip === "auto"
      ? new LearningClip(releases, clipFacts(options, { sizes, releases }))
      : null;
  const clip = learned?.now ?? plannedClip(options.clip);
  const { model, shared, architecture, initial } = placeModel(options, context);
  const makeBatches = () =>
    batchSize === "full" ? undefined : new MiniBatches(model.tasks, batchSize, random, positions);
  const batches = makeBatches();
  const idle = hideSample && sampling.kind !== "all" ? { batches: makeBatches() } : undefined;
  const participants = new JointGradients(model, {
    shared,
    tasks: sizes.m,
    positions,
    lambda,
    stepSize,
    batches,
    clip,
    initial,
    idle,
    ownBlocks,
  });
  const { models, m } = participants;
  const half: ParticipantHalf = {
    stages: [participants],
    broadcastLengths: [sizes.m * shared],
    rounds: [rounds],
    models: () => ({
      ...splitIntercepts(
        core.arena.view(models, m * model.parameters).slice(),
        m,
        model.parameters - shared,
      ),
      architecture,
    }),
    losses: () => taskLosses(model, models),
    close: () => {
      batches?.close();
      idle?.batches?.close();
    },
  };
  return learned ? learned.voting(half, core, () => participants.firstNorms()) : half;
}
