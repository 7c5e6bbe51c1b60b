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
import { closeCore, integer, openCore } from "../../core/index.js";
import { checkNames, namesOf } from "../../core/messages/known-names.js";
import type { TaskSet } from "../../data/index.js";
import { requireTaskSet } from "../../data/checks/require-task-set.js";
import { checkSeed } from "../../data/split/shuffle.js";
import {
  describeGuarantee,
  drawRepetitions,
  Ledger,
  type SelectionRecord,
} from "../../privacy/index.js";
import { openStream, randomBits, uniforms } from "../../random/index.js";
import { keyOf, streamNumber } from "../../random/stream-numbers.js";
import { SingleTask } from "../estimators/single-task.js";
import { FittedModel } from "../fitted/fitted-model.js";
import type { FittedModelState, HistoryEntry } from "../fitted/model-state.js";
import { inOnePlace } from "../../privacy/guarantee/guarantee-words.js";
import { inRealNumbersOnly } from "../../privacy/mechanisms/mechanism.js";
import { commonOptions } from "../options/common-options.js";
import type { AnyPublicPrior } from "../options/public-prior.js";
import { publicSizes } from "../release/public-sizes.js";
import { requireStart } from "../release/require-start.js";
import { statedUncharged } from "../release/uncharged.js";
import type { LossName } from "../tasks/losses.js";
import { checkCandidates, checkShared, type Candidate } from "./candidates.js";
import { heldRows } from "../../data/checks/held-rows.js";
import { HeldOut, RunRecord } from "./held-out.js";
import { budgetOf, type SelectionBudget } from "./selection-budget.js";
import {
  settingOf,
  type PrivateSelectionOptions,
  type SelectionSetting,
} from "./selection-setting.js";

const NAMES = namesOf<PrivateSelectionOptions>({
  method: true,
  options: true,
  candidates: true,
  repetitions: true,
  scoreShare: true,
  folds: true,
  seed: true,
  notCharged: true,
  signal: true,
});

/** The best run's model, with the guarantee of the whole selection, and its candidate. */
export interface PrivateSelection {
  /** The best run's model, with the guarantee of the whole selection. */
  readonly model: FittedModel;
  /** Empty where K was 0 (Poisson): then every task learns alone. */
  readonly chosen: Candidate;
}

type Started = Candidate & { readonly publicPrior?: AnyPublicPrior | null };

/** A run that was made, and its noisy score. */
interface Run extends PrivateSelection {
  readonly score: number;
}

/**
 * Chooses options under the budget and fits with them: the guarantee of the model covers the choice too.
 *
 * @param tasks     the rows of all tasks; a part of each task's is held out to score the runs.
 * @param selection method, shared options with the whole budget, the candidates, and how often to run.
 * @returns the best run's model, with the guarantee and ledger of all runs and scores, and its candidate.
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
  const setting = settingOf(selection, tasks.m);
  const seed = checkSeed(selection.seed ?? "0");
  const folds = integer("folds", selection.folds ?? 5, 2);
  const budget = budgetOf(selection, setting, tasks);
  const { loss = "squared", intercept = commonOptions.intercept.default! } = selection.options as {
    loss?: LossName;
    intercept?: boolean;
  };
  const heldOut = await HeldOut.open(tasks, { folds, seed: seed + "/opinion", loss, intercept });
  // Refused between two runs, one task's rows would tell of themselves, and that there was a run before.
  for (const candidate of selection.candidates) {
    const estimator = budget.estimatorOf(candidate, setting.random);
    for (const rows of heldOut.fitted) requireStart(estimator, rows, publicSizes(tasks));
    selection.signal?.throwIfAborted();
  }
  const best = await bestRun(tasks, selection, { setting, budget, heldOut });
  const { ledger, run, score } = budget;
  const { random, repetitions, share } = setting;
  const record: SelectionRecord = {
    repetitions,
    candidates: selection.candidates.length,
    run,
    scoreShare: share,
    score: best?.score ?? null,
  };
  const about = { selection: record, tasks: tasks.m };
  if (!best) {
    // K = 0: the output that was fixed beforehand shares nothing.
    const model = await new SingleTask({ loss, intercept }).fit(heldRows(tasks));
    const uncharged = statedUncharged(tasks, { loss }, selection.notCharged ?? []);
    const stated = describeGuarantee(ledger, score.mechanism, random.mode, uncharged, about);
    return { model: model.withGuarantee(inOnePlace(stated), ledger), chosen: {} };
  }
  const { model, chosen } = best;
  const { guarantee } = model;
  if (guarantee.kind === "none") throw new TypeError(`${model.method}: expected a guarantee`);
  const { mechanism: name, why, sound, notCharged } = guarantee;
  const publicPrior = priorsOf(selection);
  const ofRun = { ...score.mechanism, name, why, sound };
  const mechanism = budget.floats ? inRealNumbersOnly(ofRun) : ofRun;
  const stated = describeGuarantee(ledger, mechanism, random.mode, notCharged, {
    ...about,
    ...(publicPrior ? { publicPrior } : {}),
  });
  return { model: asAsked(model, setting).withGuarantee(inOnePlace(stated), ledger), chosen };
}

/** What candidates start from, all of them, since each has a part in the choice; undefined where nothing is declared public. */
function priorsOf({
  options,
  candidates,
}: PrivateSelectionOptions): { source?: string } | undefined {
  const sources = candidates.flatMap((candidate) => {
    const { publicPrior } = { ...options, ...candidate } as Started;
    return publicPrior ? [publicPrior.source] : [];
  });
  const said = [...new Set(sources)];
  if (said.length === 0) return undefined;
  if (said.length === 1) return said[0] === undefined ? {} : { source: said[0] };
  return { source: said.map((source) => source ?? "one whose source is not said").join("; ") };
}

/** The chosen run's model without what the run alone was to spend, and had spent by each round: all of the selection is what protects. */
function asAsked(model: FittedModel, { epsilon, delta }: SelectionSetting): FittedModel {
  return new FittedModel({
    ...(model as FittedModelState),
    options: { ...model.options, epsilon, delta },
    history: model.history.map(({ epsilon: _ofTheRun, ...entry }) => entry as HistoryEntry),
  });
}

/** Makes the runs, every one charged before anything of it is drawn; undefined where their number is 0. */
async function bestRun(
  tasks: TaskSet,
  { method, candidates, signal, notCharged = [] }: PrivateSelectionOptions,
  opened: {
    readonly setting: SelectionSetting;
    readonly budget: SelectionBudget;
    readonly heldOut: HeldOut;
  },
): Promise<Run | undefined> {
  const { heldOut, setting, budget } = opened;
  const { random, repetitions } = setting;
  const { plans, charge, score, estimatorOf } = budget;
  const sizes = publicSizes(tasks);
  const core = openCore();
  const stream = openStream(core, random, streamNumber.selection);
  try {
    // Charged before anything is drawn from what the data say.
    charge("selection");
    const count =
      repetitions === "all"
        ? candidates.length
        : drawRepetitions(repetitions, () => randomBits(stream));
    let best: Run | undefined;
    const [at, work] = [core.arena.f64(1), core.arena.bytes(score.mechanism.workspace(core))];
    for (let run = 0; run < count; run++) {
      signal?.throwIfAborted();
      stream.select(streamNumber.selectionRun(run));
      const [uniform] = uniforms(stream, 1);
      const index = repetitions === "all" ? run : Math.floor(uniform! * candidates.length);
      const chosen: Candidate = candidates[index]!;
      charge("run", plans[index]!);
      const estimator = estimatorOf(chosen, keyOf(random, `/run/${run}`));
      const record = new RunRecord(sizes, (planned) => {
        // What was charged is what will be released, or nothing is.
        if (
          JSON.stringify([...(planned.plan ?? []), score.event]) !== JSON.stringify(plans[index])
        ) {
          throw new RangeError(
            `${method}: expected the releases that were charged, got another plan`,
          );
        }
        return new Ledger(planned);
      });
      const model = await estimator.fit(tasks, { journal: record, signal, notCharged });
      const utilities = await heldOut.utilities(estimator, record, signal);
      core.arena.view(at, 1)[0] = utilities.reduce((sum, one) => sum + one, 0);
      score.mechanism.perturb(core, stream, at, score.budget, work);
      const noisy = core.arena.view(at, 1)[0]!;
      if (!best || noisy > best.score) best = { model, chosen, score: noisy };
    }
    return best;
  } finally {
    stream.close();
    closeCore(core);
  }
}
