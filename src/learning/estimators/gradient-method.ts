/**
 * Algorithms 2, 3 and 4: private rounds of projection and accelerated gradient steps.
 * @module
 */
import { OptionError, type Core } from "../../core/index.js";
import { modelsAlone } from "../local/alone.js";
import { ballotOf, candidatesOf, ownPreference } from "../local/candidates.js";
import { replayOnFolds } from "../local/fold-replay.js";
import { HeldOutChoice, HeldOutVote } from "../local/held-out-choice.js";
import { KeptMessages } from "../local/kept-messages.js";
import { fixedMomentum } from "../local/momentum.js";
import type { Projection } from "../local/projection.js";
import { ProximalGradient, type PartModels } from "../local/proximal-gradient.js";
import type { LocalModels } from "../local/ridge.js";
import { modelsOfOwners } from "../local/task-folds.js";
import { keepOfRounds } from "../local/round-choice.js";
import type { LocalPenalty, MakePenalty } from "../penalties/penalty.js";
import { gradientSource } from "../quadratic-tasks.js";
import type { ResidentTasks } from "../resident-tasks.js";
import { Curator } from "../round/curator.js";
import type {
  CuratorContext,
  CuratorHalf,
  CuratorStage,
  Halves,
  ParticipantContext,
  ParticipantHalf,
  PublicSizes,
} from "../round/halves.js";
import type { SharingRule } from "../round/sharing-rule.js";
import { voteMechanism, voteStage } from "./ballot.js";
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
  context: CuratorContext,
): CuratorHalf {
  const { core, sizes, journal, observe, shares } = context;
  const { m, d } = sizes;
  const { clip, rounds } = options;
  const { smoothness, step } = publicStep(definition, options, sizes);
  const rule = definition.rule(step * options.lambda);
  const statistic = rule.statistic as "covariance" | "diagonal";
  const distances = ballotOf(candidatesOf(rounds, false), options.safeguard);
  const ballot = pooled(options, rounds)
    ? voteMechanism(options, statistic, m, distances.length, shares)
    : undefined;
  const privacy = new PrivateRounds(options, {
    core,
    statistic,
    m,
    d,
    clip,
    rounds,
    schedule: resolveSchedule(options, resolveDelta(options.delta, m), smoothness),
    shift: options.shift,
    journal,
    shares,
    ...(ballot ? { last: { mechanism: ballot, share: options.choiceShare, label: "choice" } } : {}),
  });
  const curator = new Curator({ core, m, d, rule, privacy, observe });
  const stages: CuratorStage[] = [{ rounds, d, clip, mechanism: privacy.mechanism, curator }];
  if (ballot)
    stages.push(voteStage(context, privacy, ballot, { distances, guarded: options.safeguard }));
  return {
    stages,
    ledger: privacy.ledger,
    start: null,
    entry: ({ round, rank = 0 }) => ({ round, rank, noiseScale: privacy.noiseScale(round) }),
    guarantee: (notCharged) => privacy.guarantee(notCharged),
    close: () => privacy.close(),
  };
}

/** Whether tasks vote on the round; an untrusted curator would see votes that no noise covers. */
function pooled({ choice, curator, safeguard }: GradientMethodOptions, rounds: number): boolean {
  if (choice !== "pooled") return false;
  if (curator === "untrusted") {
    throw new OptionError(
      'choice: a pooled choice shows the curator votes that no record noise covers; use "local"',
    );
  }
  return rounds > 1 || safeguard;
}

/**
 * The tasks' projected gradient steps; what they return is w^(T), or what each task made of all
 * rounds and of its model alone.
 */
function gradientParticipants(
  definition: GradientMethod,
  options: GradientMethodOptions,
  { core, data, sizes, positions, classes }: ParticipantContext,
): ParticipantHalf {
  checkFeatureBound(data, options.featureBound);
  const { rounds, choice, safeguard } = options;
  const { step } = publicStep(definition, options, sizes);
  const messageLength = definition.rule(step * options.lambda).messageLength(sizes.m, sizes.d);
  const { tasks } = placeTasks(data, options, { core, classes, sizes });
  const looksBack = safeguard || choice !== "last";
  const alone = looksBack ? modelsAlone(tasks, options.initialPenalty) : undefined;
  const initial =
    alone && options.initial === "single-task" ? alone : initialModels(tasks, options);
  const participants = steppers(definition, options, tasks, initial, sizes);
  const candidates = candidatesOf(rounds, false).slice(choice === "last" ? -1 : 0);
  const checkpoints = candidates.map(({ round }) => round);
  const models: PartModels[] = [];
  const kept = looksBack
    ? new KeptMessages(core, participants, messageLength, (round) => {
        if (checkpoints.includes(round)) models.push(participants.copy());
      })
    : undefined;
  const roundChoice =
    kept && alone
      ? new HeldOutChoice({
          loss: tasks.loss,
          offsets: core.arena.words(tasks.offsets, tasks.m + 1).slice(),
          candidates,
          replay: () =>
            replayOnFolds(tasks, data, kept, checkpoints, (batch) => {
              const fold = placeTasks(batch.data, options, { core, classes, sizes }).tasks;
              const own = alone.onFolds(batch, () => fold);
              // Models given or zero were not learned from these rows.
              const start =
                options.initial === "single-task" ? own : modelsOfOwners(initial, batch.owners);
              return {
                participants: steppers(definition, options, fold, start, sizes),
                alone: own,
              };
            }),
        })
      : undefined;
  const records = protectRecords(kept ?? participants, core, { ...options, positions });
  const vote =
    roundChoice && pooled(options, rounds)
      ? new HeldOutVote(core, roundChoice, safeguard)
      : undefined;
  return {
    stages: [records ?? kept ?? participants, ...(vote ? [vote] : [])],
    rounds: vote ? [rounds, 1] : [rounds],
    messageLengths: vote ? [messageLength, 1] : [messageLength],
    records,
    finish: async (signal) => {
      if (!roundChoice || !alone) return;
      await roundChoice.prepare(signal);
      const preferred =
        choice === "last" ? undefined : (vote?.preference ?? ownPreference(candidates));
      keepOfRounds(participants, roundChoice, { models, alone }, { preferred, safeguard });
    },
    models: () => ({
      ...linearModels(tasks, participants),
      ...(definition.local ? { components: partsOf(participants, core) } : {}),
    }),
    objective: () => sumOfLosses(tasks, participants),
    close: () => records?.close(),
  };
}

/** Tasks at their start, in the core of `tasks`. */
function steppers(
  definition: GradientMethod,
  options: GradientMethodOptions,
  tasks: ResidentTasks,
  initial: LocalModels,
  sizes: PublicSizes,
): ProximalGradient {
  const { local, projection, localStartsAtInitial = false } = definition;
  const { m, d, core } = tasks;
  const { parts, smoothness, step } = publicStep(definition, options, sizes);
  const steps =
    options.stepSize === "own" ? ownSteps(tasks, options, parts) : new Float64Array(m).fill(step);
  return new ProximalGradient(gradientSource(tasks, sizes, options.rounds), {
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
}

/** 1 / (L_i + mu) / parts, L_i measured by task i on its own rows, used in its own step only. */
function ownSteps(
  tasks: ResidentTasks,
  { strongConvexity }: GradientMethodOptions,
  parts: number,
): Float64Array {
  return tasks.smoothness().map((own) => (own > 0 ? 1 / (parts * (own + strongConvexity)) : 0));
}
