/**
 * Algorithms 2, 3 and 4: private rounds of projection and accelerated gradient steps.
 * @module
 */
import { OptionError } from "../../../core/index.js";
import { modelsAlone } from "../../local-selection/alone.js";
import { ballotOf, candidatesOf, ownPreference } from "../../local-selection/candidates.js";
import { replayOnFolds } from "../../local-selection/fold-replay.js";
import { HeldOutChoice, HeldOutVote } from "../../local-selection/held-out-choice.js";
import { KeptMessages } from "../../local-selection/kept-messages.js";
import type { PartModels } from "../../steps/proximal-gradient.js";
import { modelsOfOwners } from "../../tasks/task-folds.js";
import { keepOfRounds } from "../../local-selection/round-choice.js";
import { Curator } from "../../round/curator.js";
import type {
  CuratorContext,
  CuratorHalf,
  CuratorStage,
  Halves,
  ParticipantContext,
  ParticipantHalf,
} from "../../round/halves.js";
import { voteMechanism, voteStage } from "../../release/ballot.js";
import { protectRecords } from "../../options/curator-trust.js";
import { placeTasks } from "../../fitted/place-tasks.js";
import { GradientSteppers, publicStep, type GradientMethod } from "./gradient-steppers.js";
import { initialModels } from "../../steps/initial-models.js";
import { linearModels, sumOfLosses } from "../../fitted/linear-models.js";
import { partsOf } from "../../convex/parts.js";
import {
  checkFeatureBound,
  resolveDelta,
  resolveSchedule,
  type GradientMethodOptions,
} from "../../options/private-options.js";
import { PrivateRounds } from "../../release/private-rounds.js";

/** The halves of such a method. */
export function gradientHalves(definition: GradientMethod, options: GradientMethodOptions): Halves {
  return {
    participants: (context) => gradientParticipants(definition, options, context),
    curator: (context) => gradientCurator(definition, options, context),
  };
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
  const steppers = new GradientSteppers(definition, options, sizes);
  const participants = steppers.of(tasks, initial);
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
            replayOnFolds(tasks, data, kept, {
              checkpoints,
              entryBytes: steppers.entryBytes(tasks),
              prepare: (batch) => {
                const place = () => placeTasks(batch.data, options, { core, classes, sizes }).tasks;
                const own = alone.onFolds(batch, place);
                // Models given or zero were not learned from these rows.
                const start =
                  options.initial === "single-task" ? own : modelsOfOwners(initial, batch.owners);
                return {
                  participants: steppers.onFolds(tasks, batch, place, start),
                  alone: own,
                };
              },
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
