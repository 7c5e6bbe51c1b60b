/**
 * The fitted model of a solved problem: copied out of the core, with what the method says of its fit.
 * @module
 */
import type { TaskSet } from "../../data/index.js";
import type { CommonOptions } from "../tasks/common-options.js";
import { FittedModel } from "./fitted-model.js";
import type { Classes, FittedModelState, NoGuarantee, Preprocessing } from "./model-state.js";
import type { Placed } from "../tasks/resident-tasks.js";

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
  | "owners"
  | "threads"
> & { options: Pick<CommonOptions, "loss" | "lossScale"> };

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
    preprocessing: preprocessingOf(data),
  });
}

/** How the rows came about, where that is known, so that rows to predict are prepared alike. */
function preprocessingOf({ encoding: { table, pipeline, target } }: TaskSet): Preprocessing | null {
  if (!table && !pipeline && !target.scale) return null;
  const targetScale = target.scale ? { targetScale: target.scale } : {};
  return { encoding: table, pipeline, ...targetScale };
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
