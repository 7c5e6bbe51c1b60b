/**
 * A task's rows by the tridiagonal form of their Gram matrix: no eigenvectors, for tasks with many columns.
 * @module
 */
import { log } from "../../../core/elementary.js";
import { syrk } from "../../../linalg/index.js";
import { transpose } from "../../../linalg/small-matrices.js";
import { TridiagonalForm } from "../../../linalg/tridiagonal.js";
import type { Decomposition } from "./decomposition.js";
import { logBelief, SQUARED } from "./settings.js";

/**
 * By A A^T or A^T A, whichever is smaller. The grid asks of both variances nothing but their ratio, which makes one
 * shift of the matrix, and ratios repeat. Cost: n q min(n, q) + 4/3 min(n, q)^3 flops.
 */
export const byTridiagonalForm: Decomposition = (a, r, n, q) => {
  const wide = n < q;
  const k = Math.min(n, q);
  const gram = wide ? syrk(transpose(a, n, q), q, n) : syrk(a, n, q);
  const form = new TridiagonalForm(gram, k);
  const observed = form.turned(wide ? r : timesTransposed(a, r, n, q));
  const total = r.reduce((sum, value) => sum + value * value, 0);
  const { slopes, noise } = SQUARED;
  // Both are half decades, so that a ratio is known by the difference of their positions.
  const shiftOf = (s: number, e: number) => slopes.length - 1 - s + e;
  const shifts = new Float64Array(slopes.length + noise.length - 1);
  slopes.forEach((variance, s) =>
    noise.forEach((own, e) => (shifts[shiftOf(s, e)] = own / variance)),
  );
  const solutions = Array.from(shifts, (shift) => {
    const found = form.solve(shift, observed);
    // Rows are of norm about one and shifts no rounding error beside that.
    if (!found) throw new RangeError("a task's own model: its rows' products are not finite");
    const { z, logDeterminant } = found;
    return { z, logDeterminant, product: dot(observed, z) };
  });
  return {
    evidence: (ratio, freedom, belief) =>
      slopes.flatMap((variance, s) => {
        const prior =
          logBelief(variance, belief.slopes) +
          (ratio > 0 ? logBelief(variance * ratio, SQUARED.intercept) : 0);
        return noise.map((own, e) => {
          const { logDeterminant, product } = solutions[shiftOf(s, e)]!;
          const square = wide ? product / variance : Math.max(total - product, 0) / own;
          const sum = (freedom - k) * log(own) + k * log(variance) + logDeterminant + square;
          return prior + logBelief(own, belief.noise) - sum / 2;
        });
      }),
    mean: (weights) => {
      const z = new Float64Array(k);
      weights.forEach((weight, at) => {
        const shift = shiftOf(Math.floor(at / noise.length), at % noise.length);
        solutions[shift]!.z.forEach((value, t) => (z[t]! += weight * value));
      });
      const solution = form.turnedBack(z);
      return wide ? timesTransposed(a, solution, n, q) : solution;
    },
  };
};

/** A^T v, [q]. */
function timesTransposed(a: Float64Array, v: Float64Array, n: number, q: number): Float64Array {
  const out = new Float64Array(q);
  for (let row = 0; row < n; row++) {
    for (let c = 0; c < q; c++) out[c]! += a[row * q + c]! * v[row]!;
  }
  return out;
}

function dot(x: Float64Array, y: Float64Array): number {
  let sum = 0;
  for (let k = 0; k < x.length; k++) sum += x[k]! * y[k]!;
  return sum;
}
