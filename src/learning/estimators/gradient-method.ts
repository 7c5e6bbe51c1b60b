/**
 * Algorithms 2, 3 and 4: private rounds of projection and accelerated gradient steps.
 * @module
 */
import type { Core } from "../../core/index.js";
import { fixedMomentum } from "../local/momentum.js";
import type { Projection } from "../local/projection.js";
import { ProximalGradient } from "../local/proximal-gradient.js";
import type { LocalPenalty, MakePenalty } from "../penalties/penalty.js";
import type { ResidentTasks } from "../resident-tasks.js";
import { Curator } from "../round/curator.js";
import type {
  CuratorContext,
  CuratorHalf,
  Halves,
  ParticipantContext,
  ParticipantHalf,
  PublicSizes,
} from "../round/halves.js";
import type { SharingRule } from "../round/sharing-rule.js";
import { protectRecords } from "./curator-trust.js";
import { placeTasks } from "./estimator.js";
import { initialModels } from "./initial-models.js";
import { linearModels, sumOfLosses } from "./linear-models.js";
import { partsOf } from "./parts.js";
import {
  checkFeatureBound,
  privateSmoothness,
  resolveDelta,
  resolveSchedule,
  type GradientMethodOptions,
} from "./private-options.js";
import { PrivateRounds } from "./private-rounds.js";

/** What tells one such method from another. */
export interface GradientMethod {
  /** f of Algorithm 1, from the threshold eta lambda. */
  rule(threshold: number): SharingRule;
  /** How a task applies the message. */
  projection(core: Core, m: number, d: number): Projection;
  /** Algorithm 4's second part Q, which never leaves its task. */
  readonly local?: MakePenalty<LocalPenalty>;
  /** Whether Q starts where P does (the papers) or at zero (default). */
  readonly localStartsAtInitial?: boolean;
}

/** The halves of such a method. */
export function gradientHalves(definition: GradientMethod, options: GradientMethodOptions): Halves {
  return {
    participants: (context) => gradientParticipants(definition, options, context),
    curator: (context) => gradientCurator(definition, options, context),
  };
}

/** L and eta as everyone knows them; the gradient in (P, Q) jointly is twice as steep. */
function publicStep({ local }: GradientMethod, options: GradientMethodOptions, sizes: PublicSizes) {
  const parts = local ? 2 : 1;
  const smoothness = parts * privateSmoothness(options, sizes);
  const step = typeof options.stepSize === "number" ? options.stepSize : 1 / smoothness;
  return { parts, smoothness, step };
}

/** T private rounds of the statistic and its rule. */
function gradientCurator(
  definition: GradientMethod,
  options: GradientMethodOptions,
  { core, sizes, journal, observe, shares }: CuratorContext,
): CuratorHalf {
  const { m, d } = sizes;
  const { clip, rounds } = options;
  const { smoothness, step } = publicStep(definition, options, sizes);
  const rule = definition.rule(step * options.lambda);
  const privacy = new PrivateRounds(options, {
    core,
    statistic: rule.statistic as "covariance" | "diagonal",
    m,
    d,
    clip,
    rounds,
    schedule: resolveSchedule(options, resolveDelta(options.delta, m), smoothness),
    shift: options.shift,
    journal,
    shares,
  });
  const curator = new Curator({ core, m, d, rule, privacy, observe });
  return {
    stages: [{ rounds, d, clip, mechanism: privacy.mechanism, curator }],
    ledger: privacy.ledger,
    start: null,
    entry: ({ round, rank = 0 }) => ({ round, rank, noiseScale: privacy.noiseScale(round) }),
    guarantee: (notCharged) => privacy.guarantee(notCharged),
    close: () => privacy.close(),
  };
}

/** The tasks' projected gradient steps; what they return is w^(T). */
function gradientParticipants(
  definition: GradientMethod,
  options: GradientMethodOptions,
  { core, data, sizes, positions, classes }: ParticipantContext,
): ParticipantHalf {
  checkFeatureBound(data, options.featureBound);
  const { local, projection, localStartsAtInitial = false } = definition;
  const { tasks } = placeTasks(data, options, { core, classes, sizes });
  const { m, d } = tasks;
  const { parts, smoothness, step } = publicStep(definition, options, sizes);
  const initial = initialModels(tasks, options);
  const steps =
    options.stepSize === "own" ? ownSteps(tasks, options, parts) : new Float64Array(m).fill(step);
  const participants = new ProximalGradient(tasks, {
    clip: options.clip,
    clipIterate: options.clipIterate,
    steps,
    strongConvexity: options.strongConvexity,
    momentum: fixedMomentum(options.acceleration, options.strongConvexity, smoothness),
    projection: projection(core, m, d),
    localPart: local?.({ core, m, d, steps }).projection,
    initial: initial.weights,
    initialLocal: localStartsAtInitial ? initial.weights : undefined,
    initialIntercepts: initial.intercepts,
  });
  const records = protectRecords(participants, core, { ...options, positions });
  return {
    stages: [records ?? participants],
    rounds: [options.rounds],
    messageLengths: [definition.rule(step * options.lambda).messageLength(sizes.m, sizes.d)],
    records,
    models: () => ({
      ...linearModels(tasks, participants),
      ...(local ? { components: partsOf(participants, core) } : {}),
    }),
    objective: () => sumOfLosses(tasks, participants),
    close: () => records?.close(),
  };
}

/** 1 / (L_i + mu) / parts, L_i measured by task i on its own rows, used in its own step only. */
function ownSteps(
  tasks: ResidentTasks,
  { strongConvexity }: GradientMethodOptions,
  parts: number,
): Float64Array {
  return tasks.smoothness().map((own) => (own > 0 ? 1 / (parts * (own + strongConvexity)) : 0));
}
