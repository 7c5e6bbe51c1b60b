/**
 * Squared losses as the quadratics they are, one per task:
 *   L_i(w) = (1/2) w^T H_i w - h_i^T w + const,  H_i = c_i X_i^T S_i X_i,  h_i = c_i X_i^T S_i y_i,
 * S_i the weights of the rows (X_i, y_i centred where a free intercept is minimised over), and their proximal steps, which need
 * (H_i + rho I)^-1 only: once these matrices are there, a round costs 2 d^2 flops a task, whatever n_i.
 * Matrices are row-major.
 */
import { at } from "../address";
import { roundUp4 } from "../blas/gemm";
import { addScaled } from "../blas/vector";
import { combineRows } from "../blas/combine";
import { scaledInverse } from "../blocked-inverse";
import { cholesky } from "../cholesky";
import { addRows } from "./row-products";
import { rowMean } from "./ridge";
import { addOuters, solveLower, solveUpper } from "./systems";
import { rowsAt } from "./wide-rows";
import { firstRow, rowCount, scaleOf, targetAt, TaskData, weightsAt } from "./task-data";

const coefficients: usize = memory.data(64, 16); // f64[4] weights of rows, f64[4] weights of targets

/** Weighted mean of n rows, into mean f64[d], and of targets f64[n]; s f64[n], whose sum is not 0. */
function weightedMean(x: usize, y: usize, s: usize, n: i32, mean: usize, d: i32): f64 {
  let mass = 0.0, level = 0.0;
  memory.fill(mean, 0, (<usize>d) << 3);
  for (let j = 0; j < n; j++) {
    const weight = load<f64>(at(s, j));
    addScaled(weight, x + ((<usize>j * <usize>d) << 3), mean, d);
    level += weight * load<f64>(at(y, j));
    mass += weight;
  }
  for (let k = 0; k < d; k++) store<f64>(at(mean, k), load<f64>(at(mean, k)) / mass);
  return level / mass;
}

/** Lower triangle of h f64[d, d] and g f64[d] of one task; s f64[n] or 0; rows f64[4, d] and mean f64[d] scratch. */
function gram(
  x: usize, y: usize, s: usize, n: i32, c: f64, centred: bool, h: usize, g: usize, d: i32, mean: usize,
  rows: usize,
): void {
  const stride = (<usize>d) << 3;
  const targets = coefficients + 32;
  memory.fill(h, 0, <usize>d * stride);
  memory.fill(g, 0, stride);
  let level = 0.0;
  if (centred && s) {
    level = weightedMean(x, y, s, n, mean, d);
  } else if (centred) {
    rowMean(x, mean, n, d);
    for (let j = 0; j < n; j++) level += load<f64>(at(y, j));
    level /= <f64>n;
  }
  for (let j = 0; j < n; j += 4) {
    const count = min(4, n - j);
    let block = x + <usize>j * stride;
    if (centred) {
      memory.copy(rows, block, <usize>count * stride);
      for (let r = 0; r < count; r++) addScaled(-1.0, mean, rows + <usize>r * stride, d);
      block = rows;
    }
    for (let r = 0; r < count; r++) {
      const weighted = s ? c * load<f64>(at(s, j + r)) : c;
      store<f64>(at(coefficients, r), weighted);
      store<f64>(at(targets, r), weighted * (load<f64>(at(y, j + r)) - level));
    }
    addRows<f64>(targets, block, g, count, d);
    addOuters(coefficients, block, count, h, d);
  }
}

/**
 * grams f64[m, d, d] <- H_i (lower triangles; zeros above), moments f64[m, d] <- h_i; of centred data
 * if `centred` is 1. Cost: N d (d + 1) flops. work: 5 d f64.
 */
export function taskGrams(
  data: TaskData, centred: i32, grams: usize, moments: usize, work: usize,
): void {
  const m = data.m, d = data.d;
  const stride = (<usize>d) << 3;
  for (let i = 0; i < m; i++) {
    const from = firstRow(data, i);
    const n = rowCount(data, i);
    gram(
      rowsAt(data, from, n), targetAt(data, from), weightsAt(data, from), n, scaleOf(data, i),
      centred != 0 && n > 0, grams + <usize>i * <usize>d * stride, moments + <usize>i * stride, d,
      work, work + stride,
    );
  }
}
export function taskGramsWorkspace(d: i32): f64 {
  return 40.0 * <f64>d;
}

/**
 * In place: grams <- R_i = rho (H_i + rho I)^-1, both triangles; moments <- (H_i + rho I)^-1 h_i. With
 * them prox of L_i / rho at t is R_i t + moments_i. rho > 0.
 * Cost: m d^3 flops. Returns 0, or 1 + the first task whose matrix is not finite, or had no factor. work: 2 ld^2 + ld f64, ld = d
 * rounded up to a multiple of 4.
 */
export function taskResolvents(
  grams: usize, moments: usize, rho: f64, m: i32, d: i32, work: usize,
): i32 {
  const stride = (<usize>d) << 3;
  const ld = roundUp4(d);
  const square = ld * ld;
  const rows = at(work, square);
  const point = at(rows, square);
  memory.fill(point, 0, (<usize>ld) << 3);
  for (let i = 0; i < m; i++) {
    const a = grams + <usize>i * <usize>d * stride;
    const h = moments + <usize>i * stride;
    let trace = 0.0;
    for (let j = 0; j < ld; j++) {
      const pivot = at(work, j * (ld + 1));
      if (j < d) {
        memory.copy(at(work, j * ld), a + <usize>j * stride, stride);
        trace += load<f64>(pivot);
        store<f64>(pivot, load<f64>(pivot) + rho);
      } else {
        memory.fill(at(work, j * ld), 0, (<usize>ld) << 3);
        store<f64>(pivot, 1);
      }
    }
    if (!(trace < Infinity) || cholesky(work, ld) != 0) return i + 1;
    memory.copy(point, h, stride);
    solveLower(work, point, ld);
    solveUpper(work, point, ld);
    memory.copy(h, point, stride);
    scaledInverse(work, rho, a, d, ld, rows);
  }
  return 0;
}
export function taskResolventsWorkspace(d: i32): f64 {
  const ld = <f64>roundUp4(d);
  return 8.0 * ld * (2.0 * ld + 1.0);
}

/**
 * The local half of a Douglas-Rachford round, all f64[m, d]: given z = prox of the penalty at v,
 *   w <- prox of L_i / rho at 2 z - v,   v <- v + relaxation (w - z).
 * resolvents and points from `taskResolvents`. Cost: 2 m d^2 flops. work: d f64.
 */
export function reflectedSteps(
  resolvents: usize, points: usize, z: usize, v: usize, w: usize, relaxation: f64, m: i32, d: i32,
  work: usize,
): void {
  const stride = (<usize>d) << 3;
  for (let i = 0; i < m; i++) {
    reflect(z, v, work, d);
    combineRows(1.0, points, work, resolvents, w, d, d);
    addScaled(relaxation, w, v, d);
    addScaled(-relaxation, z, v, d);
    resolvents += <usize>d * stride;
    points += stride;
    z += stride;
    v += stride;
    w += stride;
  }
}

/** out f64[n] <- 2 z - v. */
function reflect(z: usize, v: usize, out: usize, n: i32): void {
  for (const end = z + ((<usize>n) << 3); z < end; z += 8, v += 8, out += 8) {
    store<f64>(out, 2.0 * load<f64>(z) - load<f64>(v));
  }
}

/**
 * How far a round, just done by `reflectedSteps`, was from a fixed point: adds to residuals f64[5]
 *   ||w - z||^2, ||z - before||^2, ||w||^2, ||z||^2, ||u||^2,
 * u = v - relaxation (w - z) - z the dual variable over rho; all f64[n].
 */
export function addResiduals(
  z: usize, before: usize, v: usize, w: usize, relaxation: f64, residuals: usize, n: i32,
): void {
  let apart = 0.0, moved = 0.0, sizeW = 0.0, sizeZ = 0.0, dual = 0.0;
  for (const end = z + ((<usize>n) << 3); z < end; z += 8, before += 8, v += 8, w += 8) {
    const zi = load<f64>(z), wi = load<f64>(w);
    const difference = wi - zi, step = zi - load<f64>(before);
    const u = load<f64>(v) - relaxation * difference - zi;
    apart += difference * difference;
    moved += step * step;
    sizeW += wi * wi;
    sizeZ += zi * zi;
    dual += u * u;
  }
  store<f64>(residuals, load<f64>(residuals) + apart);
  store<f64>(residuals, load<f64>(residuals, 8) + moved, 8);
  store<f64>(residuals, load<f64>(residuals, 16) + sizeW, 16);
  store<f64>(residuals, load<f64>(residuals, 24) + sizeZ, 24);
  store<f64>(residuals, load<f64>(residuals, 32) + dual, 32);
}
