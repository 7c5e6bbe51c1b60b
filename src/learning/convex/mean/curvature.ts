/**
 * Hessian of F(a) = sum_i min_{w,b} L_i(w, b) + lambda ||w - a||^2, the losses with the tasks
 * eliminated.
 *
 * With H_i the Hessian of L_i (the intercept eliminated: rows centred by their curvatures) and
 * Z_i^T Z_i = H_i, task i adds the parallel sum of H_i and 2 lambda I:
 * 2 lambda (H_i + 2 lambda I)^-1 H_i = Z_i^T (I + Z_i Z_i^T / (2 lambda))^-1 Z_i,
 * by the smaller of the two systems.
 * @module
 */
import type { Pointer } from "../../../core/index.js";
import { marginLoss } from "../../tasks/margin-losses.js";
import type { ResidentTasks } from "../../tasks/resident-tasks.js";

/**
 * @param weights W, [m, d], the minimisers at a; with their intercepts.
 * @returns the Hessian, [d, d].
 */
export function meanCurvature(
  tasks: ResidentTasks,
  weights: Pointer,
  intercepts: Pointer,
  lambda: number,
): Float64Array {
  const { m, d, core, rows } = tasks;
  const { arena, kernels } = core;
  const mark = arena.mark();
  const sizes = arena.words(tasks.offsets, m + 1).slice();
  const most = sizes.reduce((max, end, i) => Math.max(max, i > 0 ? end - sizes[i - 1]! : 0), 1);
  const side = Math.min(most, d);
  const z = arena.f64(most * d);
  const transposed = arena.f64(most * d);
  const solved = arena.f64(Math.max(side * d, d * d));
  const system = arena.f64(Math.max(side * side, d * d));
  const term = arena.f64(d * d);
  const total = arena.zeros(d * d);
  const margins = arena.f64(rows);
  const work = arena.bytes(
    Math.max(
      kernels.syrkWorkspace(most, d),
      kernels.syrkWorkspace(d, most),
      kernels.gemmWorkspace(d, most, d),
    ),
  );
  kernels.taskPredict(tasks.at, weights, intercepts, margins);
  for (let i = 0; i < m; i++) {
    const from = sizes[i]!;
    const n = sizes[i + 1]! - from;
    curvatureRows(tasks, from, n, arena.view(tasks.scales, m)[i]!, margins, z);
    if (n < d) {
      kernels.transpose(z, transposed, n, d);
      kernels.syrk(transposed, system, d, n, work);
      addScaledIdentity(arena.view(system, n * n), n, 1 / (2 * lambda), 1);
      kernels.cholesky(system, n);
      arena.view(solved, n * d).set(arena.view(z, n * d));
      kernels.choleskySolve(system, solved, n, d);
      kernels.gemm(transposed, solved, term, d, n, d, work);
      kernels.axpy(1, term, total, d * d);
    } else {
      kernels.syrk(z, solved, n, d, work);
      arena.view(system, d * d).set(arena.view(solved, d * d));
      addScaledIdentity(arena.view(system, d * d), d, 1, 2 * lambda);
      kernels.cholesky(system, d);
      kernels.choleskySolve(system, solved, d, d);
      kernels.axpy(2 * lambda, solved, total, d * d);
    }
  }
  const result = symmetrized(arena.view(total, d * d), d);
  arena.release(mark);
  return result;
}

/** Z[n,d]: rows sqrt(c s_j loss'') x, s_j their weights, centred with those weights where there is an intercept. */
function curvatureRows(
  tasks: ResidentTasks,
  from: number,
  n: number,
  c: number,
  margins: Pointer,
  z: Pointer,
): void {
  const { core, d, intercept, loss } = tasks;
  const { arena, kernels } = core;
  const p = arena.view(margins, tasks.rows).subarray(from, from + n);
  const own = tasks.weights === 0 ? undefined : arena.view(tasks.weights + 8 * from, n);
  const weights = Float64Array.from(
    p,
    (margin, j) => (own?.[j] ?? 1) * (c * marginLoss(loss).secondDerivative(margin)),
  );
  const out = arena.view(z, n * d);
  out.set(arena.view(tasks.x + 8 * from * d, n * d));
  if (intercept) {
    const total = weights.reduce((sum, weight) => sum + weight, 0);
    const mean = new Float64Array(d);
    for (let j = 0; j < n; j++) {
      for (let k = 0; k < d; k++) mean[k]! += (weights[j]! / total) * out[j * d + k]!;
    }
    for (let j = 0; j < n; j++) for (let k = 0; k < d; k++) out[j * d + k]! -= mean[k]!;
  }
  for (let j = 0; j < n; j++) {
    const row = z + 8 * j * d;
    kernels.axpy(Math.sqrt(weights[j]!) - 1, row, row, d);
  }
}

/** A <- scale A + shift I. */
function addScaledIdentity(a: Float64Array, n: number, scale: number, shift: number): void {
  if (scale !== 1) for (let k = 0; k < n * n; k++) a[k]! *= scale;
  for (let k = 0; k < n * n; k += n + 1) a[k]! += shift;
}

function symmetrized(a: Float64Array, d: number): Float64Array {
  const out = new Float64Array(d * d);
  for (let i = 0; i < d; i++) {
    for (let j = 0; j < d; j++) out[i * d + j] = (a[i * d + j]! + a[j * d + i]!) / 2;
  }
  return out;
}
