/**
 * What held-out losses cost in log-likelihood, the unit in which candidates are compared.
 * @module
 */
import * as math from "../../core/elementary.js";
import type { LossName } from "./losses.js";

/** Mean square of a perfect fit: keeps the logarithm finite. */
export const LEAST_ERROR = 1e-300;

/** -log-likelihood of rows with these held-out losses: (n/2) log of the mean square, or the sum. */
export function logLikelihoodCost({ loss }: { loss: LossName }, losses: Float64Array): number {
  const sum = losses.reduce((total, value) => total + value, 0);
  if (loss !== "squared") return sum;
  return (losses.length / 2) * math.log(Math.max(sum / losses.length, LEAST_ERROR));
}
