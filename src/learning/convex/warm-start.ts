/**
 * Where an iteration starts: at zero, or at a model fitted before.
 * @module
 */
import { OptionError } from "../../core/index.js";
import type { TaskSet } from "../../data/index.js";
import type { Start } from "./solvers/problem.js";
import type { FitOptions } from "../round/estimator.js";

/** Zeros, or what `warmStartOf` gives. */
export function startOf(method: string, data: TaskSet, hooks: FitOptions): Start {
  return warmStartOf(method, data, hooks) ?? zeroStart(data);
}

/** Where nothing is known. */
export function zeroStart({ m, d }: TaskSet): Start {
  return { weights: new Float64Array(m * d), intercepts: new Float64Array(m) };
}

/**
 * The weights, parts and intercepts of `hooks.warmStart`; null without, which stands for zeros.
 * @throws OptionError if that model has other tasks or features than the data.
 */
export function warmStartOf(
  method: string,
  data: TaskSet,
  { warmStart: from }: FitOptions,
): Start | null {
  if (!from) return null;
  const { m, d } = data;
  const sameTasks = same(from.taskNames, data.names);
  const sameFeatures = same(from.featureNames, data.featureNames) && from.weights.length === m * d;
  if (!sameTasks || !sameFeatures) {
    throw new OptionError(
      `warmStart: expected a model of the same ${m} tasks and ${d} features, in the same order; ` +
        `its ${sameTasks ? "features" : "tasks"} differ.`,
    );
  }
  const { shared, local } = from.components;
  const parts = method === from.method && shared && local;
  return {
    weights: parts ? shared.data : from.weights,
    ...(parts ? { local: local.data } : {}),
    intercepts: from.intercepts ?? new Float64Array(m),
  };
}

function same(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((name, i) => name === b[i]);
}
