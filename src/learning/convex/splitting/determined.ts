/**
 * Whether a group-sparse minimiser is the only one.
 *
 * Another one, W + V, has the same predictions, X_i v_i = 0 for every task, and rows in the directions of the rows of W, since the
 * norm of a row is strictly convex but along itself: V = diag(c) W. So there is none where M = sum_i diag(w_i) X_i^T X_i diag(w_i)
 * is positive definite on the rows of W that are not zero. Tasks are added until it is, which takes a few but where features
 * are tied to each other within every task.
 * @module
 */
import type { Task, TaskSet } from "../../../data/index.js";
import { eigh } from "../../../linalg/index.js";

/**
 * Least eigenvalue that is not taken for zero, of M scaled to a diagonal of ones. Models are within the certificate's tolerance of a
 * minimiser, so that what is zero there need not be zero here.
 */
const LEAST = 1e-3;

/**
 * @param weights W [m, d] of a minimiser, nearly.
 * @param intercept whether every task has a free intercept, which takes up what is constant within it.
 */
export function isDetermined(data: TaskSet, weights: Float64Array, intercept: boolean): boolean {
  const { m, d } = data;
  const used = Array.from({ length: d }, (_, j) => j).filter((j) => {
    for (let i = 0; i < m; i++) if (weights[i * d + j] !== 0) return true;
    return false;
  });
  const sum = new Float64Array(used.length ** 2);
  for (let i = 0, next = 1, rank = 0; i < m; i++) {
    const task = data.task(data.names[i]!);
    addTask(sum, used, task, weights.subarray(i * d, (i + 1) * d), intercept);
    rank += intercept ? Math.max(task.n - 1, 0) : task.n;
    if (i + 1 < next && i + 1 < m) continue;
    next *= 2;
    // Of fewer rows than features it cannot be.
    if (rank >= used.length && isDefinite(sum, used.length)) return true;
  }
  return used.length === 0;
}

/** M <- M + diag(w) X^T X diag(w), of the rows and columns that are used: its lower triangle. */
function addTask(
  sum: Float64Array,
  used: readonly number[],
  { x, n }: Task,
  w: Float64Array,
  intercept: boolean,
): void {
  const d = w.length;
  const k = used.length;
  const mean = new Float64Array(d);
  if (intercept) x.forEach((value, at) => (mean[at % d]! += value / n));
  const z = new Float64Array(k);
  for (let row = 0; row < n; row++) {
    used.forEach((j, at) => (z[at] = (x[row * d + j]! - mean[j]!) * w[j]!));
    for (let a = 0; a < k; a++) {
      for (let b = 0; b <= a; b++) sum[a * k + b]! += z[a]! * z[b]!;
    }
  }
}

/** Whether the symmetric [k, k] matrix with this lower triangle is positive definite, with room for rounding. */
function isDefinite(sum: Float64Array, k: number): boolean {
  const roots = Float64Array.from({ length: k }, (_, a) => Math.sqrt(sum[a * (k + 1)]!));
  if (k === 0 || roots.some((root) => !(root > 0 && root < Infinity))) return false;
  const scaled = sum.map((_, at) => {
    const [a, b] = [Math.floor(at / k), at % k];
    return sum[Math.max(a, b) * k + Math.min(a, b)]! / (roots[a]! * roots[b]!);
  });
  return Math.min(...eigh(scaled, k).values) > LEAST;
}
