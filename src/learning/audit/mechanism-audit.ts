/**
 * Audits of a mechanism: its noise on the two worlds that one task can put farthest apart.
 * @module
 */
import { closeCore, integer, openCore, type Core } from "../../core/index.js";
import {
  createMechanism,
  proveLoss,
  resolveDelta,
  worstNeighbours,
  type Adjacency,
  type DeltaChoice,
  type Mechanism,
  type MechanismName,
  type ReleaseCheck,
  type Sampling,
  type Schedule,
  type Statistic,
  type TrialScores,
} from "../../privacy/index.js";
import { mechanismNamed } from "../../privacy/mechanisms/catalogue.js";
import { taskNeighbours } from "../../privacy/guarantee/guarantee-words.js";
import { MechanismTrials } from "../../privacy/audit/mechanism-trials.js";
import { checkNoise, type NoiseSample } from "../../privacy/audit/release-checks.js";
import { openStream, type RandomOptions } from "../../random/index.js";
import { planReleases } from "../release/plan-releases.js";
import { PrivateReleases } from "../release/private-releases.js";
import type { ReleasePlan } from "../round/release-plan.js";
import { timeSlice } from "../round/run.js";
import { auditReleasePath } from "./release-path.js";
import { auditReport, type AuditReport, type AuditTrialOptions } from "./report.js";

/** What mechanism is audited, at which claim. */
export interface MechanismAuditOptions extends AuditTrialOptions {
  /** A name, or a mechanism of your own, built for the sizes and adjacency given here. */
  readonly mechanism: MechanismName | Mechanism;
  /** Default: the diagonal for the diagonal mechanisms, a vector for the vector ones, else W W^T. */
  readonly statistic?: Statistic;
  /** d; default 5. */
  readonly dimension?: number;
  /** m; default 10. */
  readonly tasks?: number;
  /** K; default 1. */
  readonly clip?: number;
  /** The claim, over all rounds; default 1. */
  readonly epsilon?: number;
  /** Default "papers", 1 / (m ln m), for the Gaussian mechanisms, which audits of few trials can see; else 0. */
  readonly delta?: DeltaChoice;
  /** Default "replace". */
  readonly adjacency?: Adjacency;
  /** T; default 1. */
  readonly rounds?: number;
  /** Default constant. */
  readonly schedule?: Schedule;
  /** One-sided Wishart only; default d + 1, the papers'. */
  readonly degreesOfFreedom?: number;
  /** Gaussian mean only, and none of an allocation: audit a fit for that. */
  readonly sampling?: Exclude<Sampling, { kind: "allocation" }>;
  /** Exact noise on a grid; every mechanism but the one-sided Wishart. Default false. */
  readonly discrete?: boolean;
}

const DEFAULT_TRIALS = 20_000;

/** The plan of the releases to be attacked: one stage of the audited mechanism. */
function planOf(options: MechanismAuditOptions): ReleasePlan {
  const { dimension: d = 5, tasks: m = 10, clip = 1, epsilon = 1, rounds = 1 } = options;
  const { schedule, adjacency = "replace", degreesOfFreedom, sampling, discrete } = options;
  const { mechanism: given, random = { mode: "secure" } } = options;
  const name = typeof given === "string" ? given : given.name;
  const { statistics, budgetKind } = mechanismNamed(name);
  const delta = resolveDelta(options.delta ?? (budgetKind === "mu" ? "papers" : 0), m);
  const mechanism =
    typeof given === "string"
      ? createMechanism({
          name: given,
          statistic: options.statistic ?? statistics[0],
          tasks: m,
          dimension: d,
          clip,
          adjacency,
          delta,
          ...(degreesOfFreedom === undefined ? {} : { degreesOfFreedom }),
          ...(sampling ? { sampling } : {}),
          discrete: discrete ?? false,
        })
      : given;
  const { statistic } = mechanism;
  const form = discrete ? "exact" : "float";
  return planReleases({
    options: { epsilon, delta, adjacency, mechanism: mechanism.name, random, noise: form },
    tasks: m,
    stages: [
      { statistic, m, d, clip, rounds, mechanism, ...(schedule === undefined ? {} : { schedule }) },
    ],
  });
}

/** Checks the ledger and noise of the very object that fits use for this mechanism. */
function checkPath(
  plan: ReleasePlan,
  seen: readonly NoiseSample[],
  random: RandomOptions,
): ReleaseCheck[] {
  const { length, rounds } = plan.main;
  const open = (core: Core, noise: RandomOptions) => {
    const releases = new PrivateReleases(plan, { core, random: noise });
    const { ledger } = releases;
    const { perturb } = releases.stages[0]!;
    return { ledger, perturb, close: () => releases.close() };
  };
  return auditReleasePath(open, { length, rounds, random, seen });
}

/**
 * Attacks a mechanism's noise and proves how much privacy it loses.
 *
 * Two worlds are played many times: one task's clipped vector is K e1, or zero (zero-out) or
 * orthogonal (replace); the adversary knows everything else. It tests whether the release is
 * possible at all (noise in a cone), the likelihood ratio where the density is known, or else the
 * projection onto the changed direction. The papers' one-sided Wishart noise is caught by the
 * first, with a delta near 1 - exp(-eps).
 *
 * @returns the losses proven at the stated confidence; see {@link AuditReport}.
 * @throws RangeError for sizes, budgets or names that do not go together; the signal's reason.
 * @example await auditMechanism({ mechanism: "wishart", epsilon: 0.1, adjacency: "zero-out" })
 */
export async function auditMechanism(options: MechanismAuditOptions): Promise<AuditReport> {
  const { confidence = 0.99, random = { mode: "secure" }, signal, onTrial } = options;
  const trials = integer("trials", options.trials ?? DEFAULT_TRIALS, 8);
  const plan = planOf(options);
  const { mechanism, budgets, m: tasks, d: dimension, clip } = plan.main;
  const { epsilon, delta } = plan.ledger;
  const { statistic, adjacency } = mechanism;
  const neighbours = worstNeighbours({ tasks, dimension, clip, statistic }, adjacency);
  const core = openCore();
  const stream = openStream(core, random);
  const game = new MechanismTrials({ core, stream, mechanism, budgets, neighbours });
  const scores: TrialScores[] = game.attacks.map(({ name }) => ({
    name,
    present: new Float64Array(trials),
    neighbour: new Float64Array(trials),
  }));
  const pauseIfDue = timeSlice();
  try {
    for (let r = 0; r < trials; r++) {
      signal?.throwIfAborted();
      for (const world of ["present", "neighbour"] as const) {
        game.play(world).forEach((score, k) => (scores[k]![world][r] = score));
      }
      const pause = pauseIfDue();
      if (!pause) continue;
      onTrial?.(r + 1, trials);
      await pause;
    }
  } finally {
    stream.close();
    closeCore(core);
  }
  onTrial?.(trials, trials);
  const named = typeof options.mechanism === "string";
  // Only the form of a named mechanism that curators release has a path to check.
  const special = options.degreesOfFreedom ?? options.sampling ?? options.discrete;
  const standard = named && !special && statistic !== "augmented-covariance";
  return auditReport(
    {
      target: "mechanism",
      method: null,
      mechanism: mechanism.name,
      adjacency,
      unit: "task",
      neighbours: taskNeighbours(adjacency),
      claim: { epsilon, delta, sound: mechanism.sound },
      rounds: budgets.length,
      trials,
      noiseSource: random.mode,
    },
    proveLoss(scores, { epsilon, delta }, confidence),
    standard ? checkPath(plan, game.samples, random) : checkNoise(game.samples),
  );
}
