/**
 * What all estimators share: a task set goes in, a fitted model comes out.
 * @module
 */
import { openCore, type Core } from "../../core/index.js";
import { binaryLabels, classLabels, type TaskSet } from "../../data/index.js";
import {
  FittedModel,
  type Classes,
  type FittedModelState,
  type NoGuarantee,
} from "../fitted-model.js";
import type { LossName, LossScale } from "../losses.js";
import { ResidentTasks } from "../resident-tasks.js";
import type { RoundObserver } from "../round/observer.js";
import type { ReleaseJournal } from "../round/release-journal.js";
import type { RoundReport } from "../round/run.js";

/** Hooks of a running fit. */
export interface FitOptions {
  /** Called after every round, with figures that the budget already covers. */
  readonly onRound?: ((report: RoundReport) => void) | undefined;
  /** What the caller computed from several tasks before the fit, for `guarantee.notCharged`. */
  readonly notCharged?: readonly string[] | undefined;
  /**
   * A model of the same tasks and features to start from, for the methods that stop by certificate:
   * the solution does not depend on it, the time does. Private methods refuse it.
   */
  readonly warmStart?: FittedModel | undefined;
  /** Sees shared vectors, statistics and messages: for audits, whose results are the curator's own. */
  readonly observe?: RoundObserver | undefined;
  /** Private methods: makes the fit resumable; see {@link ReleaseJournal}. */
  readonly journal?: ReleaseJournal | undefined;
  /** Aborts the fit; `fit` then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** Anything with `fit`. */
export interface Estimator {
  /** The command line's name of the method. */
  readonly method: string;
  /** Learns the models of all tasks; see {@link FitOptions}. */
  fit(tasks: TaskSet, options?: FitOptions): Promise<FittedModel>;
}

/** The options every estimator has. */
export interface CommonOptions {
  /** Default "squared". */
  readonly loss: LossName;
  /** "mean" (default): L_i is divided by n_i. "sum": it is not. */
  readonly lossScale: LossScale;
  /** An unpenalised b_i per task, private to it; default false. */
  readonly intercept: boolean;
}

/** A task set placed in a core of its own, with its targets as the loss wants them. */
export interface Placed {
  readonly tasks: ResidentTasks;
  readonly classes: Classes | null;
}

/** Where tasks are placed, and what is known beyond them. */
export interface Placing {
  /** Default: one of their own. */
  readonly core?: Core;
  /** The labels, where they are public; default those that occur. */
  readonly classes?: Classes | null | undefined;
  /** Tasks and rows of the whole run, where these tasks are a part of it. */
  readonly sizes?: { readonly m: number; readonly rows: number };
}

/**
 * Places the tasks in a core.
 * @throws DataError if the loss is logistic and the targets do not have two values, or softmax and
 *   they have one.
 */
export function placeTasks(
  tasks: TaskSet,
  options: CommonOptions,
  { core = openCore(), classes, sizes }: Placing = {},
): Placed {
  const known = classes ?? undefined;
  const labels =
    options.loss === "logistic"
      ? binaryLabels(tasks, known)
      : options.loss === "softmax"
        ? classLabels(tasks, known)
        : undefined;
  return {
    tasks: new ResidentTasks(core, tasks, labels?.y ?? tasks.y, options, sizes),
    classes: labels?.classes ?? null,
  };
}

/** What a method says of its fit, beside the models. */
export type FitRecord = Pick<
  FittedModelState,
  | "method"
  | "guarantee"
  | "ledger"
  | "certificate"
  | "rounds"
  | "history"
  | "objective"
  | "components"
  | "recordGuarantee"
  | "recordLedger"
> & { options: CommonOptions };

/** Copies weights and intercepts out of the core and makes the model. */
export function fittedModel(
  data: TaskSet,
  placed: Placed,
  at: { weights: number; intercepts: number },
  record: FitRecord,
): FittedModel {
  const { arena } = placed.tasks.core;
  const { m, d } = placed.tasks;
  const models = {
    weights: arena.view(at.weights, m * d).slice(),
    intercepts: at.intercepts === 0 ? null : arena.view(at.intercepts, m).slice(),
  };
  return modelOf(data, placed.classes, models, record);
}

/** Makes the model of arrays that are its own. */
export function modelOf(
  data: TaskSet,
  classes: Classes | null,
  models: Pick<FittedModelState, "weights" | "intercepts" | "architecture">,
  record: FitRecord,
): FittedModel {
  const { options } = record;
  return new FittedModel({
    ...record,
    ...models,
    options: publicOptions(options),
    loss: options.loss,
    lossScale: options.lossScale,
    classes,
    taskNames: data.names,
    featureNames: data.featureNames,
  });
}

/** Options as they may be written to a file: no seed, no initial models, no code. */
function publicOptions(options: object): Record<string, unknown> {
  const entries = Object.entries(options).map(([name, value]: [string, unknown]) => {
    if (name === "random") return [name, { mode: (value as { mode: string }).mode }];
    if (value instanceof Float64Array) return [name, "given"];
    return [name, hasCode(value) ? "given" : value];
  });
  return Object.fromEntries(entries) as Record<string, unknown>;
}

/** The guarantee of methods that compute models from all tasks' data without noise. */
export function noGuarantee(why: string): NoGuarantee {
  return { kind: "none", private: false, why };
}

/** Whether a value is an object with functions, which JSON would lose. */
function hasCode(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  return "valueAndGradient" in value;
}
