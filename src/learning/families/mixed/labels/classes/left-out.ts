/**
 * How well a task's models of several classes predict each of its rows from the others: what one row says is taken out of the posterior in closed
 * form, no model is made anew.
 * @see Rasmussen and Williams (2006), "Gaussian Processes for Machine Learning", section 5.4.2.
 * @module
 */
import { exp } from "../../../../../core/elementary.js";
import { quadraticForm, triangle } from "../../../../../linalg/packed-symmetric.js";
import { againstRest } from "../../../../fitted/posterior/posterior-mixture.js";
import type { MixedModels } from "../../exchange.js";
import { logSumExp } from "../../../../../linalg/softmax.js";
import { PROBIT } from "../effects/logistic-attenuation.js";
import type { LogisticRows } from "../logistic-tasks.js";

/** Means and covariances of a class's models, as `MixedModels` has them. */
export type Posteriors = Pick<MixedModels, "models" | "covariances">;

/** What is left at least of a row's precision, in parts of it, once the row is taken out: a normal is no more than near what rows say. */
const LEAST = 0.1;

/**
 * Mean log-loss of every task's rows, each by the other rows of its task, [batch]; 0 of a task without rows.
 * @param classes models of each class against the rest, [C].
 */
export function lossLeftOut(
  { x, y, offsets }: LogisticRows,
  classes: readonly Posteriors[],
): Float64Array {
  const out = new Float64Array(offsets.length - 1);
  const d = x.length / Math.max(y.length, 1);
  for (let task = 0; task < out.length; task++) {
    const [from, to] = [offsets[task]!, offsets[task + 1]!];
    for (let row = from; row < to; row++) {
      const at = x.subarray(row * d, (row + 1) * d);
      const logits = classes.map((models, label) => {
        const sign = y[row] === label ? 1 : -1;
        return againstRest(oddsWithout(lineOf(models, task, at), sign), classes.length);
      });
      out[task]! += (logSumExp(logits) - logits[y[row]!]!) / (to - from);
    }
  }
  return out;
}

/** Mean and variance of a row's line. */
function lineOf({ models, covariances }: Posteriors, task: number, x: Float64Array) {
  let mean = 0;
  for (let i = 0; i < x.length; i++) mean += models[task * x.length + i]! * x[i]!;
  return { mean, variance: quadraticForm(covariances, x, task * triangle(x.length)) };
}

/** Log-odds of the row's mean probability, without what its own label, 1 or -1, said. */
function oddsWithout({ mean, variance }: ReturnType<typeof lineOf>, sign: number): number {
  const missing = 1 / (1 + exp(sign * mean));
  const wider = variance / Math.max(1 - missing * (1 - missing) * variance, LEAST);
  return (mean - sign * wider * missing) / Math.sqrt(1 + PROBIT * wider);
}
