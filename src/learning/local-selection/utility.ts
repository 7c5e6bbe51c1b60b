/**
 * Utility scores of candidates, as costs: -log-likelihood of a task's rows, the unit in which they are compared.
 * @module
 */
import * as math from "../../core/elementary.js";
import type { LossName } from "../tasks/losses.js";

/** Mean square of a perfect fit: keeps the logarithm finite. */
export const LEAST_ERROR = 1e-300;

/** -log-likelihood of rows with these held-out losses: (n/2) log of the mean square, or the sum. */
function logLikelihoodCost(loss: LossName, losses: Float64Array): number {
  const sum = losses.reduce((total, value) => total + value, 0);
  if (loss !== "squared") return sum;
  return (losses.length / 2) * math.log(Math.max(sum / losses.length, LEAST_ERROR));
}

/**
 * Costs of every candidate for every task, [m, K], from the losses of all rows, held out.
 * @param losses [K][N]. @param offsets of the tasks' rows, [m + 1].
 */
export function costsOf(
  loss: LossName,
  offsets: Uint32Array,
  losses: readonly Float64Array[],
): Float64Array {
  const m = offsets.length - 1;
  const costs = new Float64Array(m * losses.length);
  for (let i = 0; i < m; i++) {
    losses.forEach((of, k) => {
      costs[i * losses.length + k] = logLikelihoodCost(
        loss,
        of.subarray(offsets[i], offsets[i + 1]),
      );
    });
  }
  return costs;
}
