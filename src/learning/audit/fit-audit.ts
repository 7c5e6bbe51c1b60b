/**
 * Audits of a whole fit: the same fit again and again in two worlds that differ in one task, or in one record of it.
 * @module
 */
import { integer, OptionError } from "../../core/index.js";
import type { TaskSet } from "../../data/index.js";
import { requireTaskSet } from "../../data/checks/require-task-set.js";
import {
  linearDiscriminant,
  proveLoss,
  type Guarantee,
  type TrialScores,
} from "../../privacy/index.js";
import {
  checkCharges,
  checkNoise,
  type NoiseSample,
  type ObservedRun,
} from "../../privacy/audit/release-checks.js";
import type { RandomOptions } from "../../random/index.js";
import type { CommonOptions } from "../tasks/common-options.js";
import type { Estimator } from "../round/estimator.js";
import type { GradientMethodOptions } from "../families/projected/options.js";
import type { FittedModel } from "../fitted/fitted-model.js";
import { timeSlice } from "../round/run.js";
import { canaryWorlds, TURNS } from "./canary.js";
import type { CanaryOptions, CanaryWorlds } from "./canary-worlds.js";
import { FitRecorder, ReleaseAttack, type World } from "./fit-recorder.js";
import { withOtherSelf } from "./other-self.js";
import { randomOfRun } from "./release-path.js";
import { auditReport, type AuditReport, type AuditTrialOptions } from "./report.js";
import { plannedClip } from "../options/clip-option.js";
import { silenced } from "./silent-canary.js";

/** What fit is audited. */
export interface FitAuditOptions extends AuditTrialOptions {
  /** Makes the estimator of one fit; its noise must come from `random`, which differs every time. */
  readonly estimator: (random: RandomOptions) => Estimator;
  /** The data as the fit gets it, prepared. One task's rows, or one row where the method hides records, are a canary's. */
  readonly tasks: TaskSet;
  /** Name of the task that becomes the canary; default the first. */
  readonly canary?: string | undefined;
}

const DEFAULT_TRIALS = 400;

/** Noise draws kept for the check of repeats. */
const KEPT_SAMPLES = 4096;

/** The options of the estimator that shape the worst data: all have them that need them. */
function shapeOf(estimator: Estimator) {
  const { options = {} } = estimator as {
    options?: Partial<
      CommonOptions & Omit<GradientMethodOptions, "unit"> & { unit: string; rowsPerPerson: number }
    >;
  };
  const { adjacency = "replace", loss = "squared", featureBound = 1 } = options;
  const clip = plannedClip(options.clip ?? 1);
  const unit: "task" | "record" = options.unit === "record" ? "record" : "task";
  const { rowsPerPerson = 1 } = options;
  const bounded = "featureBound" in options;
  const gradients = "recordClip" in options ? { intercept: options.intercept === true } : undefined;
  return {
    adjacency,
    loss,
    clip,
    featureBound,
    bounded,
    unit,
    rowsPerPerson,
    ...(gradients ? { gradients } : {}),
    ...("priorStrength" in options ? { models: { intercept: options.intercept === true } } : {}),
  };
}

/** The claim to test: for the papers' Wishart noise the nominal one, which the papers print. */
function claimOf({
  guarantee,
  method,
}: Pick<FittedModel, "guarantee" | "method">): Guarantee & { claimed: PrivacyFigures } {
  if (guarantee.kind === "none") {
    throw new OptionError(
      `method: expected one with a privacy guarantee, got "${method}", which claims nothing`,
    );
  }
  const { epsilon, delta } = guarantee.nominal ?? guarantee;
  return { ...guarantee, claimed: { epsilon, delta } };
}

interface PrivacyFigures {
  readonly epsilon: number;
  readonly delta: number;
}

/** One fit in one world, watched. */
async function watchedFit(
  { estimator, random = { mode: "secure" }, signal }: FitAuditOptions,
  worlds: CanaryWorlds,
  world: World,
  run: number,
) {
  const recorder = new FitRecorder(worlds.index, worlds.axes);
  const zeros = worlds.silent && world === "present";
  const made = withOtherSelf(estimator(randomOfRun(random, `${world} ${run}`)), {
    position: worlds.index,
    tasks: worlds[world === "present" ? "neighbour" : "present"],
    tell: (upload) => recorder.otherSelf(zeros ? upload.fill(0) : upload),
  });
  const silent = world === "neighbour" && worlds.silent ? silenced(made, worlds.index) : undefined;
  const model = await (silent ?? made).fit(worlds[world], { observe: recorder.observe, signal });
  return { recorder, model };
}

/**
 * That the neighbouring world is the claim's.
 * @throws OptionError where the canary still uploads something there.
 */
function requireSilence({ silent }: CanaryWorlds, { recorder, model }: Rehearsal): void {
  const { guarantee } = model;
  // Where what one record adds is lifted to all of a task's, rows of zeros add nothing.
  const lifted = guarantee.kind === "joint" && guarantee.groupSize !== undefined;
  if (!silent || lifted || recorder.isSilent) return;
  throw new OptionError(
    'adjacency: an audit of "zero-out" compares with a task that uploads zeros, and uploads of this estimator cannot be made so; ' +
      'expected "replace", or the method by its name',
  );
}

/** The worlds between which one fit's releases move most, of those that there are, and a fit in each, which is no trial. */
async function rehearse(options: FitAuditOptions, shape: CanaryOptions) {
  const turns = shape.unit === "task" && shape.adjacency === "replace" ? TURNS : TURNS.slice(0, 1);
  let best: { worlds: CanaryWorlds; present: Rehearsal; moved: number } | undefined;
  for (const turn of turns) {
    const worlds = canaryWorlds(options.tasks, shape, turn);
    const present = await watchedFit(options, worlds, "present", 0);
    const moved = present.recorder.movedBy(present.model);
    if (!best || (moved ?? 0) > best.moved) best = { worlds, present, moved: moved ?? 0 };
    if (moved === undefined) break;
  }
  const { worlds, present } = best!;
  return { worlds, present, neighbour: await watchedFit(options, worlds, "neighbour", 0) };
}

type Rehearsal = Awaited<ReturnType<typeof watchedFit>>;

/** Everything seen in one world's trials. */
class Sightings {
  readonly attacks: number[][] = [];
  readonly broadcasts: Float64Array[] = [];
  readonly others: Float64Array[] = [];

  add(attack: ReleaseAttack, recorder: FitRecorder, model: FittedModel, world: World): void {
    this.attacks.push(attack.scores(recorder, model, world));
    this.broadcasts.push(recorder.broadcasts);
    this.others.push(recorder.othersOf(model));
  }
}

function scoresOf(attack: ReleaseAttack, present: Sightings, neighbour: Sightings): TrialScores[] {
  const column = ({ attacks }: Sightings, k: number) =>
    Float64Array.from(attacks, (scores) => scores[k]!);
  const onReleases = attack.attacks.map(({ name }, k) => ({
    name: `releases: ${name}`,
    present: column(present, k),
    neighbour: column(neighbour, k),
  }));
  const blackBoxes = [
    linearDiscriminant("broadcasts: linear", present.broadcasts, neighbour.broadcasts),
    linearDiscriminant("other tasks' models: linear", present.others, neighbour.others),
  ];
  return [...onReleases, ...blackBoxes];
}

/**
 * Fits again and again in two worlds, attacks what the other tasks see, and checks that releases
 * and ledger agree and no noise is used twice.
 *
 * The adversary of the canary task knows the other tasks' data and models and both candidates for
 * the canary. It attacks the releases (less the other tasks' part), the broadcasts, and the other
 * tasks' final models, the last two as black boxes.
 *
 * @throws OptionError if the method gives no guarantee, or its uploads cannot be made zeros for zero-out; TypeError naming an argument of another type; what `fit` throws; the signal's reason.
 * @example
 * await auditFit({
 *   estimator: (random) => new MpLowRank({ epsilon: 1, rounds: 5, random }),
 *   tasks: train,
 * })
 */
export async function auditFit(options: FitAuditOptions): Promise<AuditReport> {
  const { confidence = 0.99, random = { mode: "secure" }, signal, onTrial } = options;
  const trials = integer("trials", options.trials ?? DEFAULT_TRIALS, 8);
  if (typeof options.estimator !== "function") {
    throw new TypeError(
      "estimator: expected a function (random) => estimator, which makes each fit's from its noise",
    );
  }
  requireTaskSet("tasks", options.tasks);
  const { worlds, ...rehearsed } = await rehearse(options, {
    ...shapeOf(options.estimator(random)),
    canary: options.canary,
  });
  requireSilence(worlds, rehearsed.neighbour);
  const { model } = rehearsed.present;
  // Owners may have budgets of their own.
  const { guarantee } = model.forTask(model.taskNames[worlds.index]!);
  const { claimed, mechanism, adjacency, unit, neighbours, sound, noiseSource } = claimOf({
    guarantee,
    method: model.method,
  });
  const attack = new ReleaseAttack(
    { present: rehearsed.present.recorder, neighbour: rehearsed.neighbour.recorder },
    model,
  );
  const seen = { present: new Sightings(), neighbour: new Sightings() };
  const runs: ObservedRun[] = [];
  const samples: NoiseSample[] = [];
  const pauseIfDue = timeSlice();
  for (let r = 1; r <= trials; r++) {
    for (const world of ["present", "neighbour"] as const) {
      const fit = await watchedFit(options, worlds, world, r);
      seen[world].add(attack, fit.recorder, fit.model, world);
      runs.push(fit.recorder.runOf(fit.model));
      if (samples.length < KEPT_SAMPLES) samples.push(...fit.recorder.samplesOf(fit.model));
    }
    onTrial?.(r, trials);
    signal?.throwIfAborted();
    await pauseIfDue();
  }
  return auditReport(
    {
      target: "fit",
      method: model.method,
      mechanism,
      adjacency,
      unit,
      neighbours,
      claim: { ...claimed, sound },
      rounds: model.rounds,
      trials,
      noiseSource,
    },
    proveLoss(scoresOf(attack, seen.present, seen.neighbour), claimed, confidence),
    [checkCharges(runs), ...checkNoise(samples)],
  );
}
