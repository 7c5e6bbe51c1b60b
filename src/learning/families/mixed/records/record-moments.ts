/**
 * Moments of rows as a sum over records, each of norm at most 1.
 *
 * **Statement.** Every row enters as z z^T / c for z = (x, 1, y) shrunk to |z|^2 <= c; so does every difference
 * z = (r - r') / sqrt(2) of a row and each of the k rows after it in its task, in a circle, without the constant, times
 * 1 / (2k). One record replaced changes either sum, [A_ii, sqrt(2) A_ij], by at most sqrt(2); one that contributes nothing
 * (nor its differences), by at most 1.
 *
 * **Proof.** The vector has the Frobenius norm of the matrix. |z z^T - u u^T|^2 = |z|^4 + |u|^4 - 2 (z . u)^2 <= 2 c^2, so
 * one summand changes by at most sqrt(2) of its weight. A row is in one summand of the first sum and in 2k of the second, k
 * as the first of two rows and k as the second, which depends on positions alone; weights of 2k such add up to 1, and so,
 * by the triangle inequality, do their changes. QED
 *
 * All differences of a task would say a little more of it at that sensitivity, for work in n^2.
 *
 * Shrinking a row shrinks features and target alike: it is a smaller weight in a regression, not a wrong target.
 * @module
 */
import { sumOfSquares } from "../../../../linalg/norm.js";
import { PARTNERS } from "./record-settings.js";
import type { TaskRows } from "../spectra/task-spectrum.js";

/** Pays for the rounding of a summand's norm. */
const BELOW_ONE = 1 - 2 ** -40;

/** Adds z z^T / c, z shrunk, to the packed lower triangle `into`; nothing of a z whose square is beyond all numbers. */
function addRecord(z: Float64Array, c: number, into: Float64Array, times = 1): void {
  const square = sumOfSquares(z);
  if (!(square > 0 && square < Infinity)) return;
  const weight = (times * BELOW_ONE) / Math.max(c, square);
  let at = 0;
  for (let i = 0; i < z.length; i++) {
    const row = weight * z[i]!;
    for (let j = 0; j < i; j++) into[at++]! += Math.SQRT2 * row * z[j]!;
    into[at++]! += row * z[i]!;
  }
}

/**
 * Every task's sum over its rows (x, 1, y), [m, (d + 1) (d + 2) / 2].
 * @param d coordinates of a model, the constant last.
 * @param c largest |z|^2.
 */
export function rowMoments({ x, y, offsets }: TaskRows, d: number, c: number): Float64Array {
  const length = ((d + 1) * (d + 2)) / 2;
  const m = offsets.length - 1;
  const out = new Float64Array(m * length);
  const z = new Float64Array(d + 1);
  for (let i = 0; i < m; i++) {
    const into = out.subarray(i * length, (i + 1) * length);
    for (let row = offsets[i]!; row < offsets[i + 1]!; row++) {
      z.set(x.subarray(row * d, (row + 1) * d));
      z[d] = y[row]!;
      addRecord(z, c, into);
    }
  }
  return out;
}

/**
 * The same of differences of rows of a task, [m, d (d + 1) / 2]: each row with the next ones of the task, in a circle. Weighted so that
 * all differences with a row together count as one pair; they have no constant. Those at one distance are summed apart: so many
 * terms as there are rows are what the bound on rounding is for (`computed-statistic.ts`).
 */
export function pairMoments({ x, y, offsets }: TaskRows, d: number, c: number): Float64Array {
  const length = (d * (d + 1)) / 2;
  const m = offsets.length - 1;
  const out = new Float64Array(m * length);
  const z = new Float64Array(d);
  const sum = new Float64Array(length);
  for (let i = 0; i < m; i++) {
    const into = out.subarray(i * length, (i + 1) * length);
    const from = offsets[i]!;
    const n = offsets[i + 1]! - from;
    const partners = Math.min(Math.floor(n / 2), PARTNERS);
    for (let step = 1; step <= partners; step++) {
      sum.fill(0);
      for (let k = 0; k < n; k++) {
        const row = from + k;
        const other = from + ((k + step) % n);
        for (let f = 0; f < d - 1; f++) z[f] = (x[row * d + f]! - x[other * d + f]!) * Math.SQRT1_2;
        z[d - 1] = (y[row]! - y[other]!) * Math.SQRT1_2;
        addRecord(z, c, sum, 1 / (2 * partners));
      }
      for (let k = 0; k < length; k++) into[k]! += sum[k]!;
    }
  }
  return out;
}
