/**
 * One task's own model in a table: named coefficients and, where the model knows how sure it is, between what they lie.
 * @module
 */
import {
  combinationOf,
  namesOf,
  ownCoefficient,
  transformed,
  unitsOf,
  type Summarized,
} from "./coefficient-units.js";
import type { ModelSummary } from "./model-summary.js";
import { mixtureQuantile } from "../posterior/normal-mixture.js";
import { hasIntervals, predictiveOfTask } from "../posterior/posterior-interval.js";

/** One coefficient of a task. */
export interface TaskCoefficient {
  /** The feature, or "(intercept)"; of several classes "feature: class". */
  readonly name: string;
  readonly estimate: number;
  /** Between what the task's coefficient lies with probability .95, by the model's posterior; null where it has none. */
  readonly interval: readonly [number, number] | null;
}

/** What a model says of one of its tasks. */
export interface TaskSummary extends Pick<ModelSummary, "method" | "loss" | "classes" | "units"> {
  readonly task: string;
  /** Empty where parameters have no names (networks). */
  readonly coefficients: readonly TaskCoefficient[];
  /** Standard deviation of a row around the task's model, in the target's unit; null where it is not known. */
  readonly residual: number | null;
}

const LEVEL = 0.95;

/** Summarises task i of a model, in the units of the table where rows were not changed beyond declared ranges. */
export function summarizeTask(
  model: Summarized & { readonly taskNames: readonly string[] },
  i: number,
): TaskSummary {
  const { method, loss, classes, taskNames, outputsPerRow: k, architecture } = model;
  const units = unitsOf(model);
  const known = hasIntervals(model) ? predictiveOfTask(model, i) : undefined;
  const reach = (j: number) => {
    const row = combinationOf(j, units);
    let own = 0;
    row.forEach((s, a) => row.forEach((t, b) => (own += s * t * known!.covariance(a, b))));
    const variances = known!.parts.map((part) => part * Math.max(own, 0));
    const means = new Float64Array(variances.length);
    return mixtureQuantile({ weights: known!.weights, means, variances }, (1 + LEVEL) / 2);
  };
  const coefficient = (name: string, at: number): TaskCoefficient => {
    const [j, c] = [Math.floor(at / k), at % k];
    const estimate = ownCoefficient(model, units, { i, j, c });
    const half = known && reach(j);
    return {
      name,
      estimate,
      interval: half === undefined ? null : [estimate - half, estimate + half],
    };
  };
  const noise = known?.weights.reduce((sum, weight, at) => sum + weight * known.noises[at]!, 0);
  return {
    method,
    loss,
    classes,
    task: taskNames[i]!,
    coefficients: architecture ? [] : namesOf(model).map(coefficient),
    residual: noise === undefined ? null : Math.sqrt(noise) * units.targetFactor,
    units: transformed(model) ? "prepared" : "data",
  };
}
