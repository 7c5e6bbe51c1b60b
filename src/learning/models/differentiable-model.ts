/**
 * The interface of any model that gradient methods can train: flat parameters, value and gradient.
 * @module
 */
import { integer } from "../../core/index.js";

/**
 * A parametric map from a row of features to `outputs` numbers, and its training loss. Implement it
 * to train a model of your own with `Pmtl`, `PrivateFedAvg` or `PrivateFedProx`.
 *
 * All arrays are row-major Float64Arrays that belong to the caller: read and write them during the call, which answers at once, never keep
 * them. **Answers follow from the arguments alone**: the model serves all tasks of a fit in one place, and what it kept of one's rows, as batch
 * normalization keeps means, would reach the others. How the outputs are read depends on the estimator's loss: `squared`, the
 * value; `logistic`, the log-odds of the larger label (y is -1 or +1); `softmax`, C logits (y is
 * 0..C-1).
 *
 * @example
 * const line: DifferentiableModel = {            // y = a x, squared loss
 *   name: "line", features: 1, outputs: 1, parameters: 1,
 *   initial: () => new Float64Array(1),
 *   predict: ([a], x, outputs) => x.forEach((value, j) => (outputs[j] = a! * value)),
 *   valueAndGradient([a], x, y, gradient) {
 *     gradient[0] = 0;
 *     let value = 0;
 *     y.forEach((target, j) => {
 *       const error = a! * x[j]! - target;
 *       value += (error * error) / 2 / y.length;
 *       gradient[0]! += (error * x[j]!) / y.length;
 *     });
 *     return value;
 *   },
 * };
 */
export interface DifferentiableModel {
  /** Names the model in errors and in saved files. */
  readonly name: string;
  /** Features per row, d. */
  readonly features: number;
  /** Numbers predicted per row: the number of classes for `softmax`, else 1. */
  readonly outputs: number;
  /** Length of the flat parameter vector. */
  readonly parameters: number;
  /**
   * Where training starts, [parameters]. It is shown to everyone, so it must not depend on data.
   * @param uniform draws a number from (0, 1).
   */
  initial(uniform: () => number): Float64Array;
  /** outputs[n, outputs] of the rows x[n, features], before any link function. */
  predict(parameters: Float64Array, x: Float64Array, outputs: Float64Array): void;
  /**
   * Mean loss over the rows x[n, features] with targets y[n], n >= 1; overwrites
   * gradient[parameters] with its gradient.
   */
  valueAndGradient(
    parameters: Float64Array,
    x: Float64Array,
    y: Float64Array,
    gradient: Float64Array,
  ): number;
  /**
   * Overwrites gradient[parameters] with the gradient of sum_jk slopes[j,k] outputs[j,k]. Needed
   * only for finetuning towards the shared model's predictions ("symmetrized-kl").
   */
  pullback?(
    parameters: Float64Array,
    x: Float64Array,
    slopes: Float64Array,
    gradient: Float64Array,
  ): void;
}

/**
 * Holds a model to the shape of the data.
 * @throws TypeError if it lacks a function; RangeError naming the field that does not fit.
 */
export function checkDifferentiableModel(
  model: DifferentiableModel,
  features: number,
  outputs: number,
): DifferentiableModel {
  for (const name of ["initial", "predict", "valueAndGradient"] as const) {
    if (typeof model?.[name] !== "function") {
      throw new TypeError(
        `model: expected "linear", "network" or a DifferentiableModel, found no ${name}`,
      );
    }
  }
  integer("model.parameters", model.parameters, 1);
  const expected = { features, outputs };
  for (const name of ["features", "outputs"] as const) {
    if (model[name] === expected[name]) continue;
    throw new RangeError(
      `model.${name}: the data and the loss need ${expected[name]}, the model ` +
        `${JSON.stringify(model.name)} has ${model[name]}`,
    );
  }
  return model;
}
