/**
 * Options that the record-level baselines share, and what follows from them.
 * @module
 */
import { openCore, OptionError, positive } from "../../../core/index.js";
import { binaryLabels, refuseLabels, type TaskSet } from "../../../data/index.js";
import type { Guarantee } from "../../../privacy/index.js";
import { liftGuarantee, recordBudget } from "../../../privacy/index.js";
import { commonRules } from "../../options/common-rules.js";
import type { CommonOptions } from "../../tasks/common-options.js";
import type { FitOptions } from "../../round/estimator.js";
import {
  aBoolean,
  aPositive,
  withDefault,
  type OptionRule,
  type OptionRules,
} from "../../options/check-options.js";
import type { ReleaseJournal } from "../../round/release-journal.js";
import { budgetRules, resolveDelta, type BudgetOptions } from "../../options/private-options.js";
import { PrivateRounds } from "../../release/private-rounds.js";
import { statedUncharged } from "../../release/fit-private.js";
import type { Classes } from "../../fitted/fitted-model.js";
import { ClippedTasks } from "./clipped-slopes.js";

/** Options of {@link DpAggregation} and {@link DpTaskRelationship}. */
export interface RecordLevelOptions extends CommonOptions, BudgetOptions {
  /** Weight of (lambda/2) ||W||_F^2, > 0; default 0.1. More of it means less noise. */
  readonly lambda: number;
  /** B > 0, public bound on the l2 norm of every row; rows are held to it. Default 1. */
  readonly featureBound: number;
  /**
   * G > 0, bound that |loss'| is clipped to for the squared loss, from public knowledge; default 1,
   * which the logistic loss keeps by itself. "data": the largest |loss'| at the solution, as the
   * papers do: not sound, for reproduction.
   */
  readonly slopeBound: number | "data";
  /**
   * Whether a task whose held-out rows are clearly better predicted by its own ridge model keeps that one;
   * default false: the published baselines, whose models protect a record from everyone. With it the
   * guarantee against the other tasks is the same, but a record is no longer protected from whoever
   * holds its own task's model.
   */
  readonly safeguard: boolean;
}

const noIntercept: OptionRule<boolean> = {
  check: (name, value) => {
    if (value !== true) return false;
    throw new RangeError(
      `${name}: an unpenalised intercept has no bounded sensitivity here; add a constant column`,
    );
  },
};

const aSlopeBound: OptionRule<number | "data"> = {
  check: (name, value) => (value === "data" ? value : positive(name, value as number)),
};

export const recordLevelRules: OptionRules<RecordLevelOptions> = {
  ...commonRules,
  ...budgetRules,
  intercept: withDefault(noIntercept, false),
  lambda: withDefault(aPositive, 0.1),
  featureBound: withDefault(aPositive, 1),
  slopeBound: withDefault(aSlopeBound, 1),
  safeguard: withDefault(aBoolean, false),
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
  const labels = options.loss === "logistic" ? binaryLabels(data) : undefined;
  if (!labels) refuseLabels(data);
  const bound = options.slopeBound === "data" ? Infinity : options.slopeBound;
  return {
    tasks: new ClippedTasks(openCore(), data, labels?.y ?? data.y, options, bound),
    classes: labels?.classes ?? null,
  };
}

/** Share of the sensitivity by which a solution may miss the exact one, either side. */
const INEXACT = 1e-6;

/** How far solutions are found, and the bound K of the release that covers it. */
export function releaseBound(exact: number): { distance: number; clip: number } {
  return { distance: INEXACT * exact, clip: exact * (1 + 2 * INEXACT) };
}

/**
 * Opens the rounds at the budget of one record.
 * @param length float64s released per round. @param clip half the sensitivity under replace.
 */
export function recordRounds(
  { tasks, data }: { tasks: ClippedTasks; data: TaskSet },
  options: RecordLevelOptions,
  {
    length,
    clip,
    rounds,
    journal,
  }: {
    length: number;
    clip: number;
    rounds: number;
    journal: ReleaseJournal | undefined;
  },
): PrivateRounds {
  const { m, core } = tasks;
  const delta = resolveDelta(options.delta, m);
  const budget = recordBudget({ epsilon: options.epsilon, delta }, groupSize(data));
  return new PrivateRounds(
    { ...options, ...budget, noise: "float" },
    {
      core,
      statistic: "vector",
      m,
      d: length,
      clip,
      rounds,
      schedule: { kind: "constant" },
      shift: 0,
      journal,
    },
  );
}

/** n, the most rows of a task. */
function groupSize({ taskSizes }: TaskSet): number {
  return Array.from(taskSizes).reduce((most, n) => Math.max(most, n), 1);
}

/** The task-level statement, and whether it holds. */
export function recordLevelGuarantee(
  rounds: PrivateRounds,
  data: TaskSet,
  options: RecordLevelOptions,
  { notCharged = [] }: FitOptions,
): Guarantee {
  const { slopeBound, safeguard } = options;
  const released = liftGuarantee(
    rounds.guarantee(statedUncharged(data, options, notCharged)),
    groupSize(data),
  );
  const own =
    "a task that the safeguard leaves alone has a model without noise: a record is protected from the " +
    "other tasks, not from whoever holds its own task's model";
  const lifted = safeguard
    ? { ...released, note: [released.note, own].filter(Boolean).join("; ") }
    : released;
  if (slopeBound !== "data") return lifted;
  const { epsilon, delta, note } = lifted;
  const problem =
    "the noise is scaled to the largest slope on the data at hand, which is itself unprotected and " +
    "smaller than what a changed record can have";
  return {
    ...lifted,
    sound: false,
    private: false,
    why: problem,
    nominal: { epsilon, delta },
    ...(note === undefined ? {} : { note }),
  };
}
