/**
 * A task's rows by the tridiagonal form of their Gram matrix: no eigenvectors, for tasks with many columns.
 * @module
 */
import { log } from "../../../core/elementary.js";
import { shiftOf, SHIFTS } from "./shifts.js";
import { syrk } from "../../../linalg/index.js";
import { transpose } from "../../../linalg/small-matrices.js";
import { TridiagonalForm } from "../../../linalg/tridiagonal.js";
import type { Decomposition, Posterior } from "./decomposition.js";
import { logBelief, SQUARED } from "./settings.js";
import { dot } from "../../../linalg/dot.js";

/**
 * By A A^T or A^T A, whichever is smaller. The grid asks of both variances nothing but their ratio, which makes one
 * shift of the matrix, and ratios repeat. Cost: n q min(n, q) + 4/3 min(n, q)^3 flops.
 */
export const byTridiagonalForm: Decomposition = (a, r, n, q) => {
  const total = r.reduce((sum, value) => sum + value * value, 0);
  if (n >= q) return fromProducts(syrk(a, n, q), timesTransposed(a, r, n, q), total, q);
  const back = (solution: Float64Array) => timesTransposed(a, solution, n, q);
  return fromForm(syrk(transpose(a, n, q), q, n), r, { k: n, total, back });
};

/**
 * By A^T A[q, q] and A^T r[q], of at least as many rows as columns.
 * @param total |r|^2.
 */
export const fromProducts = (
  gram: Float64Array,
  product: Float64Array,
  total: number,
  q: number,
): Posterior => fromForm(gram, product, { k: q, total, back: undefined });

/** @param back A^T times what is found, where the matrix is A A^T. */
function fromForm(
  gram: Float64Array,
  right: Float64Array,
  {
    k,
    total,
    back,
  }: {
    readonly k: number;
    readonly total: number;
    readonly back: ((solution: Float64Array) => Float64Array) | undefined;
  },
): Posterior {
  const form = new TridiagonalForm(gram, k);
  const observed = form.turned(right);
  const { slopes, noise } = SQUARED;
  const solutions = Array.from(SHIFTS, (shift) => {
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
          const square = back ? product / variance : Math.max(total - product, 0) / own;
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
      return back ? back(solution) : solution;
    },
  };
}

/** A^T v, [q]. */
function timesTransposed(a: Float64Array, v: Float64Array, n: number, q: number): Float64Array {
  const out = new Float64Array(q);
  for (let row = 0; row < n; row++) {
    for (let c = 0; c < q; c++) out[c]! += a[row * q + c]! * v[row]!;
  }
  return out;
}
