/**
 * Options that the record-level baselines share, and what follows from them.
 * @module
 */
import { openCore, OptionError } from "../../../core/index.js";
import {
  recordsApart,
  requireBound,
  requireRecordsApart,
  type TaskSet,
} from "../../../data/index.js";
import type { Guarantee, RecordGuarantee } from "../../../privacy/index.js";
import { commonOptions } from "../../options/common-options.js";
import type { CommonOptions } from "../../tasks/common-options.js";
import { targetsOf } from "../../tasks/targets.js";
import type { FitOptions } from "../../round/estimator.js";
import { aBoolean, aPositive, aWord, aWordOr, type OptionKind } from "../../options/kinds.js";
import { option, type OptionDeclarations, type OptionsOf } from "../../options/option.js";
import {
  budgetOptions,
  featureBound,
  mechanismFor,
  type BudgetOptions,
} from "../../options/private-options.js";
import type { PublicSizes } from "../../round/halves.js";
import type { ReleasePlan } from "../../round/release-plan.js";
import { heldByHolders } from "../../release/held-by-holders.js";
import { planReleases } from "../../release/plan-releases.js";
import type { PrivateReleases } from "../../release/private-releases.js";
import { statedUncharged } from "../../release/uncharged.js";
import type { Classes } from "../../fitted/model-state.js";
import { ClippedTasks } from "./clipped-slopes.js";

const own = {
  /**
   * What epsilon and delta are of: "task" (default), all rows of a task, to which the guarantee of one record is lifted; "record", one
   * row of one task, for far less noise, against all who get the models. See docs/PRIVACY.md.
   */
  unit: option(aWord(["task", "record"]), {
    group: "privacy",
    help: "What the budget is of: all rows of a task, by the lift of one record's, or one record (row) of it.",
    default: "task",
  }),
  /** Weight of (lambda/2) ||W||_F^2, > 0; default 0.1. More of it means less noise. */
  lambda: option(aPositive, {
    group: "model",
    help: "Weight of the ridge penalty; more of it means less noise.",
    default: 0.1,
  }),
  /** B > 0, public bound on the l2 norm of every row; rows are held to it. Default 1. */
  featureBound,
  /**
   * G > 0, bound that |loss'| is clipped to for the squared loss, from public knowledge; default 1,
   * which the logistic loss keeps by itself. "data": the largest |loss'| at the solution, as the
   * papers do: not sound, for reproduction.
   */
  slopeBound: option(aWordOr(["data"], aPositive), {
    group: "privacy",
    symbol: "G",
    help:
      "Public bound that the squared loss's slopes are clipped to; data: the largest at hand, which is not " +
      "sound.",
    default: 1,
  }),
  /**
   * Whether a task whose held-out rows are clearly better predicted by its own ridge model keeps that one;
   * default false: the published baselines, whose models protect a record from everyone. With it the
   * guarantee against the other tasks is the same, but a record is no longer protected from whoever
   * holds its own task's model.
   */
  safeguard: option(aBoolean, {
    group: "model",
    help: "Whether a task that clearly does better alone stays alone, with a model without noise.",
    default: false,
  }),
};

/** Options of {@link DpAggregation} and {@link DpTaskRelationship}. */
export interface RecordLevelOptions extends CommonOptions, BudgetOptions, OptionsOf<typeof own> {}

const noIntercept: OptionKind<boolean> = {
  ...aBoolean,
  expected:
    "false: an unpenalised intercept has no bounded sensitivity here; add a constant column",
  expectedText:
    "no: an unpenalised intercept has no bounded sensitivity here; add a constant column",
  accept: (value) => (value === false ? false : undefined),
};

export const recordLevelOptions: OptionDeclarations<RecordLevelOptions> = {
  ...commonOptions,
  intercept: option(noIntercept, {
    group: "model",
    help: "There is none: its sensitivity has no bound. Add a constant column.",
    default: false,
  }),
  ...budgetOptions,
  mechanism: mechanismFor(["vector"]),
  ...own,
};

/** @throws OptionError where the logistic loss is given a bound other than its own. */
export function checkSlopeBound(method: string, { loss, slopeBound }: RecordLevelOptions): void {
  if (loss === "squared" || slopeBound === 1) return;
  throw new OptionError(
    `${method}: slopeBound: the logistic loss has |loss'| <= 1 by itself; leave it at 1.`,
  );
}

/** Places tasks with clipped slopes in a core of their own. */
export function placeClipped(
  data: TaskSet,
  options: RecordLevelOptions,
): { tasks: ClippedTasks; classes: Classes | null } {
  const { y, classes } = targetsOf(data, options.loss);
  const bound = options.slopeBound === "data" ? Infinity : options.slopeBound;
  return {
    tasks: new ClippedTasks(openCore(), data, y, options, bound),
    classes,
  };
}

/** Share of the sensitivity by which a solution may miss the exact one, either side. */
const INEXACT = 1e-6;

/** How far solutions are found, and the bound K of the release that covers it. */
export function releaseBound(exact: number): { distance: number; clip: number } {
  return { distance: INEXACT * exact, clip: exact * (1 + 2 * INEXACT) };
}

/**
 * The releases of a record-level method: noise for one record, its guarantee lifted to a task unless the unit is a record.
 * @param sizes  public: tasks, rows of all of them, and the most of one.
 * @param length float64s released per round. @param clip half the sensitivity under replace.
 */
export function recordReleases(
  options: RecordLevelOptions,
  { m, rows, mostRows }: Pick<PublicSizes, "m" | "rows" | "mostRows">,
  { length: d, clip, rounds }: { length: number; clip: number; rounds: number },
): ReleasePlan {
  const { unit, slopeBound } = options;
  const plan = planReleases({
    // Exact noise rests on a bound on what is summed; here K bounds a change, not the vectors.
    options: { ...options, noise: "float" },
    stages: [{ statistic: "vector", m, d, clip, rounds }],
    ...(unit === "record" ? { unit, tasks: rows } : { tasks: m, groupSize: mostRows }),
  });
  // A ledger goes its own way: it says itself that what it was charged protects nobody.
  return slopeBound === "data" ? { ...plan, ledger: { ...plan.ledger, nominal: true } } : plan;
}

/** @throws DataError where rows depend on others, or are several of one person, and single ones are to be hidden. */
export function requireSingleRecords(data: TaskSet, { unit }: RecordLevelOptions): void {
  if (unit === "task") return;
  requireRecordsApart(data, `unit "${unit}"`);
  requireBound(data, { rowsPerPerson: 1, tasksPerPerson: 1 });
}

/** What a record is promised against whoever is given the models, which are functions of the releases; null without the unit. */
export function heldByAll(
  joint: Guarantee,
  { unit, safeguard }: RecordLevelOptions,
): RecordGuarantee | null {
  if (unit === "task" || safeguard || !joint.sound) return null;
  return heldByHolders(joint);
}

/** The task-level statement, and whether it holds. */
export function recordLevelGuarantee(
  releases: PrivateReleases,
  data: TaskSet,
  options: RecordLevelOptions,
  { notCharged = [] }: FitOptions,
): Guarantee {
  const { slopeBound, safeguard } = options;
  const released = releases.guarantee(statedUncharged(data, options, notCharged), {
    recordsApart: recordsApart(data),
  });
  // Whom the safeguard's models do not protect, a promise to records alone does not speak of.
  const own =
    "a task that the safeguard leaves alone has a model without noise: a record is protected from the " +
    "other tasks, not from whoever holds its own task's model";
  const lifted = safeguard
    ? { ...released, note: [released.note, own].filter(Boolean).join("; ") }
    : released;
  if (slopeBound !== "data") return lifted;
  const problem =
    "the noise is scaled to the largest slope on the data at hand, which is itself unprotected and " +
    "smaller than what a changed record can have";
  return { ...withoutClaims(lifted), sound: false, private: false, why: problem };
}

/** What is left of a statement whose noise protects nobody as it says: its figures are the papers', and nothing is said to follow from them. */
function withoutClaims(stated: Guarantee): Guarantee {
  const {
    gaussian: _gaussian,
    attacker: _attacker,
    record: _record,
    note: _note,
    ...others
  } = stated;
  const { epsilon, delta } = stated;
  const note = "epsilon and delta are nominal: what the papers would print";
  return { ...others, note, nominal: { epsilon, delta } };
}
