/**
 * Share a prior, solve at home: the fit of the methods whose message is a prior.
 * @module
 */
import { OptionError } from "../../core/index.js";
import type { TaskSet } from "../../data/index.js";
import { createMechanism, type Mechanism } from "../../privacy/index.js";
import type { FittedModel } from "../fitted-model.js";
import { betterAlone, choosePriorStrength, type StrengthPrior } from "../local/prior-choice.js";
import { PriorSolve } from "../local/prior-solve.js";
import { scaledIdentity, type ResidentTasks } from "../resident-tasks.js";
import { Curator } from "../round/curator.js";
import type { SharingRule } from "../round/sharing-rule.js";
import { voteRule, votes } from "../sharing/vote.js";
import { placeTasks, type FitOptions } from "./estimator.js";
import { initialModels } from "./initial-models.js";
import { resolveDelta } from "./private-options.js";
import { PrivateRounds, shareOfBudget } from "./private-rounds.js";
import {
  BELIEF,
  DEFAULT_STRENGTH,
  EQUAL_ROUNDS,
  marginLoss,
  STRENGTHS,
  VOTED,
  type PriorMethodOptions,
} from "./prior-options.js";
import { runPrivate } from "./run-private.js";
import { refuseWarmStart } from "./warm-start.js";

/** What tells one such method from another. */
export interface PriorMethod {
  readonly method: string;
  readonly statistic: Mechanism["statistic"];
  /** K, the norm of what is shared. */
  readonly clip: number;
  /** Whether tasks solve around the message's center. */
  readonly centered: boolean;
  /** f of Algorithm 1; the noise is known when the rounds are planned. */
  rule(privacy: PrivateRounds): SharingRule;
}

/** Runs the rounds, then the choice and the safeguard. */
export async function fitPriorMethod(
  definition: PriorMethod,
  options: PriorMethodOptions,
  data: TaskSet,
  hooks: FitOptions,
): Promise<FittedModel> {
  const { method, statistic, clip, centered } = definition;
  refuseWarmStart(method, hooks);
  const placed = placeTasks(data, options);
  const { tasks } = placed;
  const { m, d, core } = tasks;
  const strength = localStrength(options);
  const ballot = planBallot(options, statistic, m);
  const privacy = new PrivateRounds(options, {
    core,
    statistic,
    m,
    d,
    clip,
    rounds: options.rounds,
    schedule: EQUAL_ROUNDS,
    shift: 0,
    journal: hooks.journal,
    ...(ballot ? { last: { ...ballot, label: "choice" } } : {}),
  });
  const participants = new PriorSolve(tasks, {
    clip,
    share: options.share,
    initial: initialModels(tasks, { ...options, initial: "single-task" }),
    strength,
    centered,
  });
  return runPrivate({
    method,
    options,
    data,
    placed,
    participants,
    rule: definition.rule(privacy),
    privacy,
    rounds: options.rounds,
    clip,
    hooks,
    finish: (message) => {
      let chosen = strength;
      if (ballot) {
        chosen = elect(tasks, participants, privacy, ballot, options.rounds + 1, hooks);
        participants.solve(message, chosen);
      }
      if (options.safeguard) stayAlone(tasks, participants, chosen);
    },
  });
}

/** Candidates and belief of every task's own choice. */
function localStrength({ loss, priorStrength }: PriorMethodOptions): StrengthPrior {
  const known = marginLoss(loss);
  return priorStrength === "auto"
    ? { candidates: STRENGTHS[known], center: DEFAULT_STRENGTH[known], decades: BELIEF.local }
    : { candidates: [priorStrength], center: priorStrength, decades: BELIEF.local };
}

/** A planned pooled choice. */
interface Ballot {
  readonly mechanism: Mechanism;
  readonly share: number;
  readonly candidates: readonly number[];
  readonly center: number;
}

/** All votes together over the noise's deviation, from which on they beat a local choice. */
const AUDIBLE = 1.5;

/** Whether there is a pooled choice, from public sizes only. */
function planBallot(
  options: PriorMethodOptions,
  statistic: Mechanism["statistic"],
  m: number,
): Ballot | undefined {
  const { choice, choiceShare: share, epsilon, adjacency } = options;
  if (choice === "pooled" && options.curator === "untrusted") {
    throw new OptionError(
      'choice: a pooled choice shows the curator votes that no record noise covers; use "local"',
    );
  }
  if (choice === "pooled" && options.priorStrength !== "auto") {
    throw new OptionError("choice: priorStrength is given, so there is nothing to choose");
  }
  if (choice === "local" || options.priorStrength !== "auto" || options.curator === "untrusted") {
    return undefined;
  }
  const loss = marginLoss(options.loss);
  const delta = resolveDelta(options.delta, m);
  const center = DEFAULT_STRENGTH[loss];
  const candidates = STRENGTHS[loss].filter(
    (kappa) => Math.abs(Math.log10(kappa / center)) < VOTED + 0.01,
  );
  // Votes are protected in the currency of the rounds, so that the two compose tightly.
  const rounds = createMechanism({
    name: options.mechanism,
    statistic,
    rows: m,
    dimension: 1,
    clip: 1,
    adjacency,
    delta,
  });
  const mechanism = createMechanism({
    name: rounds.budgetKind === "mu" ? "gaussian-mean" : "spherical-laplace",
    statistic: "vector",
    rows: m,
    dimension: candidates.length,
    clip: 1,
    adjacency,
    delta,
  });
  const scale = mechanism.noiseScale(shareOfBudget(mechanism, share, epsilon, delta));
  const deviation = scale * (mechanism.budgetKind === "mu" ? 1 : Math.sqrt(candidates.length + 1));
  if (choice === "auto" && m / deviation < AUDIBLE) return undefined;
  return { mechanism, share, candidates, center };
}

/** The tasks vote, the curator releases the winner: a round of its own. */
function elect(
  tasks: ResidentTasks,
  { chosen }: PriorSolve,
  privacy: PrivateRounds,
  { candidates, center }: Ballot,
  round: number,
  { observe }: FitOptions,
): StrengthPrior {
  const { core, m } = tasks;
  const { arena } = core;
  const all = STRENGTHS[marginLoss(tasks.loss)];
  const first = all.indexOf(candidates[0]!);
  const count = candidates.length;
  const costs = new Float64Array(m * count);
  for (let i = 0; i < m; i++) {
    const from = i * all.length + first;
    costs.set(chosen.costs.subarray(from, from + count), i * count);
  }
  const offsets = arena.words(tasks.offsets, m + 1);
  const perRow = Array.from({ length: m }, (_, i) => (offsets[i + 1]! - offsets[i]!) / 2);
  const shared = arena.copyOf(votes(costs, perRow));
  const release = privacy.last(count);
  const rule = voteRule({
    distances: candidates.map((kappa) => Math.log10(kappa / center)),
    deviation: release.scale,
  });
  const curator = new Curator({ core, m, d: count, rule, privacy: release, observe });
  curator.round(shared, round);
  const winner = candidates[arena.view(curator.message, 1)[0]!]!;
  return { candidates: all, center: winner, decades: BELIEF.pooled };
}

/** Every task that is clearly better off alone keeps its own model, chosen by the same rule. */
function stayAlone(tasks: ResidentTasks, participants: PriorSolve, strength: StrengthPrior): void {
  const { core, d, m } = tasks;
  const { arena } = core;
  const mark = arena.mark();
  const identity = { precision: scaledIdentity(arena, d, 1), center: 0 };
  const alone = choosePriorStrength(tasks, identity, strength);
  const offsets = arena.words(tasks.offsets, m + 1).slice();
  const keep = betterAlone(offsets, participants.chosen.rowLosses, alone.rowLosses);
  arena.release(mark);
  participants.keep(alone, keep);
}
