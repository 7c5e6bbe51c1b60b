/**
 * How far a mixed model's tasks lie apart, by what each learned of itself. The variances that tasks were learned under say it
 * worse: they come from clipped scores, and tasks of many rows overrule them.
 * @module
 */
import type { Summarized } from "./coefficient-units.js";
import { predictiveOfTask } from "../posterior/posterior-interval.js";

/** Standard deviations over the tasks of a model. */
export interface TaskSpread {
  /** Of a combination of a task's d + 1 coefficients around the same of the fixed effects. */
  deviation(row: Float64Array): number;
  /** Of a row around its task's model, in the model's units. */
  readonly residual: number;
}

/**
 * Second moments of the tasks' posteriors, the means of which over tasks are a step of expectation maximisation.
 *
 * @param model with the squared loss and posteriors (`hasIntervals`).
 * @see Laird and Ware (1982), "Random-effects models for longitudinal data".
 */
export function spreadOfTasks(model: Summarized): TaskSpread {
  const { weights, intercepts, components, m, d } = model;
  const n = d + 1;
  const effects = components["fixedEffects"]!.data;
  const moments = new Float64Array(n * n);
  let noise = 0;
  for (let i = 0; i < m; i++) {
    const { weights: shares, parts, noises, covariance } = predictiveOfTask(model, i);
    const mean = (of: Float64Array) => shares.reduce((sum, share, k) => sum + share * of[k]!, 0);
    const part = mean(parts);
    const apart = (c: number) =>
      (c < d ? weights[i * d + c]! : (intercepts?.[i] ?? 0)) - effects[c]!;
    for (let c = 0; c < n; c++)
      for (let e = 0; e < n; e++)
        moments[c * n + e]! += (apart(c) * apart(e) + part * covariance(c, e)) / m;
    noise += mean(noises) / m;
  }
  return {
    deviation: (row) => {
      let sum = 0;
      row.forEach((s, a) => row.forEach((t, b) => (sum += s * t * moments[a * n + b]!)));
      return Math.sqrt(Math.max(0, sum));
    },
    residual: Math.sqrt(noise),
  };
}
