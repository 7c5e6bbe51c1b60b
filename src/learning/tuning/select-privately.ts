/**
 * Hyper-parameters chosen under the budget: the best of a random number of private runs by a private
 * score, or the best of all candidates with every run charged.
 *
 * **What is released.** One run is the whole private fit of one candidate, then one number: the sum of
 * all tasks' utility scores of it (`held-out.ts`) plus noise. A task's score depends on the run's broadcasts,
 * which the run has released already, and on its own rows; it lies in [-1/2, 1/2], so one task moves the
 * sum by at most 1/2 (zero-out) or 1 (replace). That number orders the runs and is part of the output.
 *
 * **"repeated"** (Papernot and Steinke 2022): K is drawn, each run takes a candidate at random, and only
 * the best run is let out. It is sound only while K and the other runs' broadcasts stay inside the one
 * process that holds all tasks: `accounting/selection.ts` has statement and proof. **"all"**: every
 * candidate runs once, all releases are charged by ordinary composition and may be seen by anyone,
 * as where tasks live on machines of their own.
 *
 * **Refused:** scores that are not private (cross-validated errors shown as they are), methods that
 * protect one record and lift it to a task (their releases do not compose with a task's score), the
 * one-sided Wishart noise, an untrusted curator, candidates that change the budget.
 * @module
 */
import { integer, openCore, OptionError, positive } from "../../core/index.js";
import { checkNames, namesOf } from "../../core/known-names.js";
import type { TaskSet } from "../../data/index.js";
import { requireTaskSet } from "../../data/require-task-set.js";
import { checkSeed } from "../../data/shuffle.js";
import { MECHANISM_NAMES, mechanismNamed } from "../../privacy/mechanisms/catalogue.js";
import {
  calibrateSelection,
  createMechanism,
  describeGuarantee,
  drawRepetitions,
  Ledger,
  meanRepetitions,
  resolveDelta,
  repetitionsOfMean,
  type Adjacency,
  type DeltaChoice,
  type PrivacyEvent,
  type Repetitions,
  type SelectionRecord,
} from "../../privacy/index.js";
import { checkRepetitions } from "../../privacy/repetitions.js";
import { openStream, uniforms, type RandomOptions } from "../../random/index.js";
import { keyOf, streamNumber } from "../../random/stream-numbers.js";
import type { Estimator } from "../round/estimator.js";
import { checkCandidates, checkShared, type Candidate } from "./candidates.js";
import { releasesOf, type DividedEstimator } from "../release/private-estimator.js";
import { publicSizes } from "../release/public-sizes.js";
import { statedUncharged } from "../release/uncharged.js";
import { shareOfBudget } from "../release/plan-releases.js";
import { SingleTask } from "../estimators/single-task.js";
import type { FittedModel } from "../fitted/fitted-model.js";
import type { PublicPrior } from "../options/public-prior.js";
import { commonOptions } from "../options/common-options.js";
import type { LossName } from "../tasks/losses.js";
import { makeEstimator, methodNamed } from "../methods.js";
import { HeldOut, RunRecord } from "./held-out.js";

/** What {@link selectPrivately} is told. */
export interface PrivateSelectionOptions {
  readonly method: string;
  /** Options that all candidates share, the total budget (`epsilon`, `delta`) among them. */
  readonly options: Candidate;
  /** At least two, from public knowledge: a documented range, never this data. */
  readonly candidates: readonly Candidate[];
  /**
   * The law of the number of runs, or "all": every candidate once, everything charged. "auto" (default):
   * all of up to four candidates, of more a geometric number of runs with a mean of ten.
   */
  readonly repetitions?: Repetitions | "all" | "auto";
  /** Share of every run's budget that its score takes, in (0, 1); default 0.15. */
  readonly scoreShare?: number;
  /** Folds of every task's utility score; default 5. */
  readonly folds?: number;
  /** Seed of the folds; default "0". It protects nothing and may be known. */
  readonly seed?: string;
  readonly notCharged?: readonly string[];
  readonly signal?: AbortSignal | undefined;
}

const NAMES = namesOf<PrivateSelectionOptions>({
  ...{ method: true, options: true, candidates: true, repetitions: true, scoreShare: true },
  ...{ folds: true, seed: true, notCharged: true, signal: true },
});

/** The best run's model, with the guarantee of the whole selection, and its candidate. */
export interface PrivateSelection {
  readonly model: FittedModel;
  /** Empty where K was 0 (Poisson): then every task learns alone. */
  readonly chosen: Candidate;
}

/** Relative width to which the runs' budget is found, always from below. */
const WIDTH = 1e-3;

/** What all runs have in common, checked. */
interface Setting {
  readonly epsilon: number;
  readonly delta: number;
  readonly adjacency: Adjacency;
  readonly random: RandomOptions;
  readonly repetitions: Repetitions | "all";
  readonly share: number;
}

/** Up to so many candidates are cheaper charged one and all than drawn at random. */
const FEW = 4;
const MEAN = 10;

/** What "auto" stands for. */
function resolveRepetitions(
  asked: Repetitions | "all" | "auto",
  candidates: number,
): Repetitions | "all" {
  if (asked === "all") return asked;
  if (asked !== "auto") return checkRepetitions(asked);
  return candidates <= FEW ? "all" : repetitionsOfMean(1, MEAN);
}

function settingOf(selection: PrivateSelectionOptions, m: number): Setting {
  const { method, options, candidates } = selection;
  const problems: string[] = [];
  const { privacy } = methodNamed(method);
  if (!privacy) problems.push(`${method} has no budget to choose under`);
  if (privacy?.unit === "record") {
    problems.push(`${method} protects one record; no theorem here covers its private selection`);
  }
  if ([options, ...candidates].some(({ unit = "task" }) => unit !== "task")) {
    problems.push("unit: votes and scores of a private selection hide tasks; expected unit task");
  }
  if (candidates.length < 2) {
    problems.push(`candidates: expected at least two, got ${candidates.length}`);
  }
  const unsound: unknown[] = MECHANISM_NAMES.filter((name) => !mechanismNamed(name).sound);
  for (const one of [options, ...candidates]) {
    if (unsound.includes(one["mechanism"])) {
      problems.push("mechanism: the one-sided Wishart noise gives no guarantee to select under");
    }
    if ((one["sampling"] as { kind?: string } | undefined)?.kind === "allocation") {
      problems.push(
        "sampling: with allocation a task's judgement of a run would draw its rounds again, which no account here covers",
      );
    }
    if (one["curator"] === "untrusted") {
      problems.push("curator: an untrusted curator would see the runs that must stay unseen");
    }
  }
  const fixed = ["epsilon", "delta", "adjacency", "random"];
  const varied = fixed.filter((name) => candidates.some((candidate) => name in candidate));
  if (varied.length > 0) problems.push(`candidates: ${varied.join(", ")} cannot be chosen`);
  if (problems.length > 0) throw new OptionError([...new Set(problems)].join("; "));
  const share = positive("scoreShare", selection.scoreShare ?? 0.15);
  if (share >= 1) throw new RangeError(`scoreShare: expected 0 < scoreShare < 1, got ${share}`);
  return {
    epsilon: positive("epsilon", (options["epsilon"] as number | undefined) ?? 1),
    delta: resolveDelta((options["delta"] as DeltaChoice | undefined) ?? "auto", m),
    adjacency: (options["adjacency"] as Adjacency | undefined) ?? "replace",
    random: (options["random"] as RandomOptions | undefined) ?? { mode: "secure" },
    repetitions: resolveRepetitions(selection.repetitions ?? "auto", candidates.length),
    share,
  };
}

/** The noisy sum of utility scores: a vector of one entry, of norm at most 1/2 for every task. */
function scoreMechanism({ delta, adjacency }: Setting, m: number) {
  const shape = { statistic: "vector", tasks: m, dimension: 1, clip: 1 / 2, adjacency } as const;
  return createMechanism({ ...shape, delta, discrete: true });
}

/**
 * Chooses and fits.
 *
 * @throws OptionError for what no theorem here covers; TypeError, OptionError or RangeError naming an argument that is missing,
 *   unknown or wrong; RangeError if the budget is too small.
 * @example
 * const candidates = expandGrid({ lambda: [0.1, 1, 10] });
 * const options = { epsilon: 1, delta: 1e-4, clip: 20 };
 * const { model, chosen } = await selectPrivately(train, { method: "mp-low-rank", options, candidates });
 */
export async function selectPrivately(
  tasks: TaskSet,
  selection: PrivateSelectionOptions,
): Promise<PrivateSelection> {
  requireTaskSet("tasks", tasks);
  checkNames("selectPrivately", selection, NAMES);
  checkShared(selection.options);
  checkCandidates(selection.candidates);
  const { m } = tasks;
  const setting = settingOf(selection, m);
  const { method, options, candidates, signal, notCharged = [] } = selection;
  const seed = checkSeed("seed", selection.seed ?? "0");
  const folds = integer("folds", selection.folds ?? 5, 2);
  const { epsilon, delta, adjacency, random, repetitions } = setting;
  const mechanism = scoreMechanism(setting, m);
  const runs = repetitions === "all" ? candidates.length : meanRepetitions(repetitions);
  // The pair that a run is calibrated by; its whole profile is what counts.
  const ownDelta = delta / (2 * Math.max(1, runs));
  const scoreBudget = (own: number) =>
    shareOfBudget(mechanism.budgetKind, 1, { epsilon: own, delta: ownDelta }) *
    (mechanism.budgetKind === "mu"
      ? Math.sqrt(setting.share / (1 - setting.share))
      : setting.share / (1 - setting.share));
  const estimatorOf = (candidate: Candidate, own: number, from: RandomOptions) => {
    const budget = { epsilon: own, delta: ownDelta, adjacency, random: from };
    return divided(makeEstimator(method, { ...options, ...candidate, ...budget }));
  };
  const plansAt = (own: number): PrivacyEvent[][] => {
    const score = mechanism.event(scoreBudget(own));
    return candidates.map((candidate) => {
      const { plan } = releasesOf(estimatorOf(candidate, own, random), tasks).ledger;
      return [...plan, score];
    });
  };
  const noiseSource = random.mode;
  const budget = { epsilon, delta, adjacency, repetitions, noiseSource, relative: WIDTH };
  const { own, plans, ledger, charge } = calibrateSelection(plansAt, budget);
  const score = mechanism.event(scoreBudget(own));
  const sizes = publicSizes(tasks);

  const { loss = "squared", intercept = commonOptions.intercept.default! } = options as {
    loss?: LossName;
    intercept?: boolean;
  };
  const heldOut = await HeldOut.open(tasks, { folds, seed: seed + "/opinion", loss, intercept });
  const core = openCore();
  const stream = openStream(core, random, streamNumber.selection);
  try {
    const [first] = uniforms(stream, 1);
    // Charged before anything is drawn from what the data say.
    charge("selection");
    const count = repetitions === "all" ? runs : drawRepetitions(repetitions, first!);
    let best: { model: FittedModel; chosen: Candidate; score: number } | undefined;
    const [at, work] = [core.arena.f64(1), core.arena.bytes(mechanism.workspace(core))];
    for (let run = 0; run < count; run++) {
      signal?.throwIfAborted();
      stream.select(streamNumber.selectionRun(run));
      const [uniform] = uniforms(stream, 1);
      const index = repetitions === "all" ? run : Math.floor(uniform! * candidates.length);
      const chosen = candidates[index]!;
      charge("run", plans[index]!);
      const estimator = estimatorOf(chosen, own, keyOf(random, `/run/${run}`));
      const record = new RunRecord(sizes, (planned) => {
        // What was charged is what will be released, or nothing is.
        if (JSON.stringify([...(planned.plan ?? []), score]) !== JSON.stringify(plans[index])) {
          throw new RangeError(
            `${method}: expected the releases that were charged, got another plan`,
          );
        }
        return new Ledger(planned);
      });
      const model = await estimator.fit(tasks, { journal: record, signal, notCharged });
      const utilities = await heldOut.utilities(estimator, record, signal);
      core.arena.view(at, 1)[0] = utilities.reduce((sum, one) => sum + one, 0);
      mechanism.perturb(core, stream, at, scoreBudget(own), work);
      const noisy = core.arena.view(at, 1)[0]!;
      if (!best || noisy > best.score) best = { model, chosen, score: noisy };
    }
    const record: SelectionRecord = {
      repetitions,
      candidates: candidates.length,
      run: { epsilon: own, delta: ownDelta },
      scoreShare: setting.share,
      score: best?.score ?? null,
    };
    const about = { selection: record, tasks: m };
    if (!best) {
      // K = 0: the output that was fixed beforehand shares nothing.
      const model = await new SingleTask({ loss, intercept }).fit(tasks);
      const uncharged = statedUncharged(tasks, { loss }, notCharged);
      const stated = describeGuarantee(ledger, mechanism, random.mode, uncharged, about);
      return { model: model.withGuarantee(stated, ledger), chosen: {} };
    }
    const { guarantee } = best.model;
    const { publicPrior } = { ...options, ...best.chosen } as { publicPrior?: PublicPrior | null };
    if (guarantee.kind === "none") throw new TypeError(`${method}: expected a guarantee`);
    const { mechanism: name, why, sound } = guarantee;
    const own_ = { ...mechanism, name, why, sound };
    const stated = describeGuarantee(ledger, own_, random.mode, guarantee.notCharged, {
      ...about,
      ...(publicPrior ? { publicPrior } : {}),
    });
    return { model: best.model.withGuarantee(stated, ledger), chosen: best.chosen };
  } finally {
    stream.close();
  }
}

/** @throws OptionError for a method whose releases are not planned before it reads the data. */
function divided(estimator: Estimator): DividedEstimator {
  if ("halves" in estimator) return estimator as DividedEstimator;
  throw new OptionError(`${estimator.method}: its releases cannot be planned, so nor can a choice`);
}
