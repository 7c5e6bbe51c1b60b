/**
 * Share a prior, solve at home: the two halves of the methods whose message is a prior.
 * @module
 */
import * as math from "../../../core/elementary.js";
import type { Mechanism } from "../../../privacy/index.js";
import { scaleFeatures } from "./own-scale.js";
import { betterAlone } from "../../local-selection/better-alone.js";
import { choosePriorStrength, type Chosen, type StrengthPrior } from "./prior-choice.js";
import { PriorSolve } from "./prior-solve.js";
import { PriorVote } from "./prior-vote.js";
import { ridgeModels } from "../../tasks/ridge.js";
import { scaledIdentity, type ResidentTasks } from "../../tasks/resident-tasks.js";
import { Curator } from "../../round/curator.js";
import type {
  CuratorContext,
  CuratorHalf,
  CuratorStage,
  Halves,
  ParticipantContext,
  ParticipantHalf,
  PublicSizes,
} from "../../round/halves.js";
import type { SharingRule } from "../../round/sharing-rule.js";
import { priorMessageLength } from "./prior.js";
import { voteStage } from "../../release/ballot.js";
import { protectRecords } from "../../options/curator-trust.js";
import { placeTasks } from "../../fitted/place-tasks.js";
import { linearModels, sumOfLosses } from "../../fitted/linear-models.js";
import { planBallot } from "./prior-ballot.js";
import {
  BELIEF,
  DEFAULT_STRENGTH,
  EQUAL_ROUNDS,
  marginLoss,
  STRENGTHS,
  type PriorMethodOptions,
} from "./prior-options.js";
import { PrivateRounds } from "../../release/private-rounds.js";

/** What tells one such method from another. */
export interface PriorMethod {
  readonly statistic: Mechanism["statistic"];
  /** K, the norm of what is shared. */
  readonly clip: number;
  /** Whether tasks solve around the message's center. */
  readonly centered: boolean;
  /** Whether later rounds share in the coordinates of the prior before. */
  readonly refined: boolean;
  /** T for `rounds: "auto"`, from public sizes. */
  rounds(m: number, d: number): number;
  /** f of Algorithm 1 for d features; the noise is known when the rounds are planned. */
  rule(privacy: PrivateRounds, d: number): SharingRule;
}

/** The halves of such a method. */
export function priorHalves(definition: PriorMethod, options: PriorMethodOptions): Halves {
  return {
    participants: (context) => priorParticipants(definition, options, context),
    curator: (context) => priorCurator(definition, options, context),
  };
}

/** T, the same for curator and tasks. */
function roundsOf(
  definition: PriorMethod,
  { rounds, curator }: PriorMethodOptions,
  { m, d }: PublicSizes,
): number {
  if (rounds !== "auto") return rounds;
  // Record noise grows with every round.
  return curator === "untrusted" ? 1 : definition.rounds(m, d);
}

/** The rounds, and the pooled choice after them where there is one. */
function priorCurator(
  definition: PriorMethod,
  options: PriorMethodOptions,
  context: CuratorContext,
): CuratorHalf {
  const { core, sizes, journal, observe, shares } = context;
  const { m, d } = sizes;
  const { statistic, clip } = definition;
  const rounds = roundsOf(definition, options, sizes);
  const ballot = planBallot(options, statistic, m, shares);
  const privacy = new PrivateRounds(options, {
    core,
    statistic,
    m,
    d,
    clip,
    rounds,
    schedule: EQUAL_ROUNDS,
    shift: 0,
    journal,
    shares,
    ...(ballot ? { last: { ...ballot, label: "choice" } } : {}),
  });
  const rule = definition.rule(privacy, d);
  const curator = new Curator({ core, m, d, rule, privacy, observe });
  const stages: CuratorStage[] = [{ rounds, d, clip, mechanism: privacy.mechanism, curator }];
  if (ballot) {
    const { candidates, center, mechanism } = ballot;
    const distances = candidates.map((kappa) => math.log10(kappa / center));
    stages.push(voteStage(context, privacy, mechanism, { distances }));
  }
  return {
    stages,
    ledger: privacy.ledger,
    start: null,
    entry: ({ round, rank = 0 }) => ({ round, rank, noiseScale: privacy.noiseScale(round) }),
    guarantee: (notCharged) => privacy.guarantee(notCharged),
    close: () => privacy.close(),
  };
}

/** The tasks' solves, their votes, and last the safeguard. */
function priorParticipants(
  definition: PriorMethod,
  options: PriorMethodOptions,
  { core, data, sizes, positions, classes, shares }: ParticipantContext,
): ParticipantHalf {
  const { statistic, clip, centered, refined } = definition;
  const { tasks } = placeTasks(data, options, { core, classes, sizes });
  const factors = options.featureScale === "own" ? scaleFeatures(tasks) : undefined;
  const strength = localStrength(options);
  const alone = learnAlone(tasks, strength);
  const ballot = planBallot(options, statistic, sizes.m, shares);
  const participants = new PriorSolve(tasks, {
    clip,
    share: options.share,
    initial: options.initialPenalty === "auto" ? alone : ridgeModels(tasks, options.initialPenalty),
    strength,
    centered,
    refined,
  });
  const rounds = roundsOf(definition, options, sizes);
  const records = protectRecords(participants, core, { ...options, rounds, clip, positions });
  const vote = ballot
    ? new PriorVote(tasks, participants, {
        all: STRENGTHS[marginLoss(tasks.loss)],
        candidates: ballot.candidates,
        decades: BELIEF.pooled,
      })
    : undefined;
  return {
    stages: [records ?? participants, ...(vote ? [vote] : [])],
    rounds: vote ? [rounds, 1] : [rounds],
    messageLengths: [priorMessageLength(sizes.d), 1].slice(0, vote ? 2 : 1),
    records,
    finish: () => {
      if (options.safeguard) stayAlone(tasks, participants, alone);
    },
    models: () => {
      const { weights, intercepts } = linearModels(tasks, participants);
      return { weights: factors ? weights.map((v, k) => v * factors[k]!) : weights, intercepts };
    },
    objective: () => sumOfLosses(tasks, participants),
    close: () => records?.close(),
  };
}

/** Candidates and belief of every task's own choice. */
function localStrength({ loss, priorStrength }: PriorMethodOptions): StrengthPrior {
  const known = marginLoss(loss);
  return priorStrength === "auto"
    ? { candidates: STRENGTHS[known], center: DEFAULT_STRENGTH[known], decades: BELIEF.local }
    : { candidates: [priorStrength], center: priorStrength, decades: BELIEF.local };
}

/** Every task's model without a shared prior. */
function learnAlone(tasks: ResidentTasks, strength: StrengthPrior): Chosen {
  const { arena } = tasks.core;
  const mark = arena.mark();
  const identity = { precision: scaledIdentity(arena, tasks.d, 1), center: 0 };
  const chosen = choosePriorStrength(tasks, identity, strength);
  arena.release(mark);
  return chosen;
}

/** Every task that is clearly better off alone keeps its own model, chosen by the same rule. */
function stayAlone(tasks: ResidentTasks, participants: PriorSolve, alone: Chosen): void {
  const offsets = tasks.core.arena.words(tasks.offsets, tasks.m + 1).slice();
  participants.keep(alone, betterAlone(offsets, participants.chosen.rowLosses, alone.rowLosses));
}
