/**
 * Limits of features: a model that was learned from rows held within them predicts for rows held alike.
 * @module
 */
import type { Component } from "./model-state.js";

/** Least and largest value of every feature, [d] each. */
export interface FeatureLimits {
  readonly lower: Float64Array;
  readonly upper: Float64Array;
}

/** The component that holds those of every task, [m, 2, d]. */
export const TASK_LIMITS = "taskFeatureLimits";

type Components = Readonly<Record<string, Component>>;

/** Those of a model's component `featureLimits`, [2, d], which hold for all tasks; null where it has none. */
export function limitsOf(components: Components): FeatureLimits | null {
  const component = components["featureLimits"];
  return component ? limitsIn(component.data) : null;
}

/** What features of task i are held within: its own limits, else those of all tasks; null where there are none. */
export function limitsOfTask(components: Components, i: number): FeatureLimits | null {
  const own = components[TASK_LIMITS];
  if (!own) return limitsOf(components);
  const size = own.shape[1]! * own.shape[2]!;
  return limitsIn(own.data.slice(i * size, (i + 1) * size));
}

function limitsIn(both: Float64Array): FeatureLimits {
  const d = both.length / 2;
  return { lower: both.subarray(0, d), upper: both.subarray(d) };
}

/** Rows [n, d] within the limits; what is not a number stays. */
export function withinLimits(
  limits: FeatureLimits | null | undefined,
  rows: Float64Array,
): Float64Array {
  if (!limits) return rows;
  const { lower, upper } = limits;
  const d = lower.length;
  return rows.map((value, at) => {
    const c = at % d;
    return value < lower[c]! ? lower[c]! : value > upper[c]! ? upper[c]! : value;
  });
}
