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

/** Those of a model's component `featureLimits`, [2, d]; null where it has none. */
export function limitsOf(components: Readonly<Record<string, Component>>): FeatureLimits | null {
  const component = components["featureLimits"];
  if (!component) return null;
  const d = component.data.length / 2;
  return { lower: component.data.subarray(0, d), upper: component.data.subarray(d) };
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
