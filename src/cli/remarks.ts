/**
 * What a person should know of a fit beyond its figures: what the budget could buy, and what it did.
 * @module
 */
import type { TaskSet } from "../data/index.js";
import { Auto, prospectsOf, type Estimator, type FittedModel } from "../learning/index.js";
import { findMethod } from "../learning/methods.js";
import type { DeltaChoice } from "../privacy/index.js";

/** Mean weight of learning alone from which nothing that was shared had a say. */
const MOSTLY_ALONE = 0.9;

/** Whether the method's budget is for whole tasks, as the simulations have it. */
const protectsTasks = (method: string) => findMethod(method)?.privacy?.unit === "task";

/**
 * What to think about before a fit spends anything, each a sentence; nothing where nothing will be spent.
 */
export function warningsBefore(estimator: Estimator, data: TaskSet): readonly string[] {
  const method = estimator instanceof Auto ? estimator.choose(data).method : estimator.method;
  if (!protectsTasks(method)) return [];
  const { options } = estimator as unknown as {
    options: { epsilon: number; delta: DeltaChoice; unit?: string };
  };
  const { epsilon, delta, unit } = options;
  // What a budget buys is known for tasks.
  if (unit === "record") return [];
  return prospectsOf({ m: data.m, d: data.d, epsilon, delta }).warnings;
}

/** Remarks on a fitted model, each a sentence; pooled over tasks, for the curator. */
export function remarksOn(model: FittedModel): string[] {
  const { guarantee, components, m, d } = model;
  if (guarantee.kind === "none") {
    return model.choice ? ["nothing was shared; every task kept its own model"] : [];
  }
  const { epsilon, delta, sound } = guarantee;
  const { expectation = null, warnings = [] } =
    sound && guarantee.unit === "task" && protectsTasks(model.method)
      ? prospectsOf({ m, d, epsilon, delta })
      : {};
  const alone = components["alone"]?.data;
  const kept =
    alone && alone.reduce((sum, weight) => sum + weight, 0) > MOSTLY_ALONE * alone.length;
  return [
    ...(expectation === null ? [] : [expectation]),
    ...warnings,
    ...(kept ? ["nothing stood out of the noise; every task kept its own model"] : []),
  ];
}
