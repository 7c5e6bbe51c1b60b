/**
 * What a mode of a logistic regression is multiplied by, so that it is no surer of rows that it has not seen than they allow.
 * @see assembly/tasks/laplace-average.ts, which does the same with dense rows
 * @module
 */
import { exp, log1p } from "../../../core/elementary.js";
import { LOGISTIC } from "./settings.js";

/**
 * A part of the factor 1 / sqrt(1 + pi v / 8) of log-odds whose variance is v (MacKay 1992); v is that of a row which was left
 * out, on the average over the rows (Craven and Wahba 1979).
 *
 * @param free how many coefficients the rows determine.
 * @param curvatures of the rows' losses at the mode, [n].
 */
export function moderation(free: number, curvatures: Float64Array): number {
  const n = curvatures.length;
  const curvature = curvatures.reduce((sum, own) => sum + own, 0);
  const variance = ((free / (n - free)) * n) / curvature;
  // Where rows are sure beyond doubles there is nothing to moderate by.
  if (!(variance > 0) || variance === Infinity) return 1;
  return exp(-0.5 * LOGISTIC.moderation * log1p((Math.PI / 8) * variance));
}
