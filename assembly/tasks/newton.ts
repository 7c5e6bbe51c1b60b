/**
 * Damped Newton for every task under one quadratic prior:
 *   argmin_{w, b} F = c sum_j loss(x_j w + b, y_j) + (1/2) (w - a)^T P (w - a), b not penalised.
 *
 * n_i >= d: Newton in (w, b). n_i < d: with P = L L^T and whitened rows Y = X L^-T every Newton point
 * is w = a + L^-T Y^T alpha, and each iteration costs n^3 / 3 in the n x n kernel K = Y Y^T (the form
 * of Rasmussen and Williams 2006, Algorithm 3.1); the given weights w0 enter the first damped steps
 * as w = a + L^-T (s v0 + Y^T alpha), v0 = L^T (w0 - a), s from 1 to 0.
 *
 * A task is done when half the squared Newton decrement (Boyd and Vandenberghe 2004, section 9.5:
 * an estimate of F - F*) is at most tolerance (1 + F); that last step is still taken, in full.
 */
import { addScaled, dot } from "../blas/vector";
import { cholesky } from "../cholesky";
import { addOuters, rowGram, solveLower, solveUpper, symmetricTimes } from "./systems";
import { addRows } from "./gradients";
import { lossCurvature, lossSlope, lossValue } from "./loss";

// A saturated margin has no curvature left; this floor keeps the system solvable there.
const LEAST_CURVATURE: f64 = 1e-13;
const MOST_HALVINGS: i32 = 60;
const ARMIJO: f64 = 1e-4;
const ROUNDING: f64 = 1e-14;

@inline function at(base: usize, i: i32): usize {
  return base + ((<usize>i) << 3);
}
@inline function get(base: usize, i: i32): f64 {
  return load<f64>(base + ((<usize>i) << 3));
}
@inline function set(base: usize, i: i32, value: f64): void {
  store<f64>(base + ((<usize>i) << 3), value);
}
@inline function firstRow(offsets: usize, i: i32): u32 {
  return load<u32>(offsets + ((<usize>i) << 2));
}
@inline function curvature(loss: i32, p: f64): f64 {
  return Math.max(lossCurvature(loss, p), LEAST_CURVATURE);
}

/** Sufficient decrease, with allowance for the rounding of F. */
@inline function accepted(value: f64, trial: f64, t: f64, decrement: f64): bool {
  return trial <= value - ARMIJO * t * decrement + ROUNDING * (1.0 + Math.abs(value));
}

/** F at w + t dw, b + t db; `u` f64[d] and `pu` f64[d] are scratch. */
function objective(
  loss: i32, x: usize, y: usize, n: i32, c: f64, precision: usize, center: usize, w: usize, b: f64,
  dw: usize, db: f64, t: f64, d: i32, u: usize, pu: usize,
): f64 {
  const stride = (<usize>d) << 3;
  memory.copy(u, w, stride);
  addScaled(t, dw, u, d);
  const intercept = b + t * db;
  let value = 0.0;
  for (let j = 0; j < n; j++) {
    value += lossValue(loss, dot(x + <usize>j * stride, u, d) + intercept, get(y, j));
  }
  if (center) addScaled(-1.0, center, u, d);
  symmetricTimes(precision, u, pu, d, stride);
  return c * value + 0.5 * dot(u, pu, d);
}

const weights: usize = memory.data(32, 16); // f64[4]

/** One task in (w, b); b is read and written at `b` if not 0. h f64[d, d], vectors f64[9 d]. */
function newtonPrimal(
  loss: i32, x: usize, y: usize, n: i32, c: f64, precision: usize, center: usize, w: usize,
  b: usize, d: i32, tolerance: f64, maxIterations: i32, h: usize, vectors: usize,
): bool {
  const stride = (<usize>d) << 3;
  const g = vectors, step = g + stride, mean = step + stride, u = mean + stride, pu = u + stride;
  const block = pu + stride; // f64[4, d]
  for (let iteration = 0; iteration < maxIterations; iteration++) {
    const intercept = b ? load<f64>(b) : 0.0;
    memory.copy(u, w, stride);
    if (center) addScaled(-1.0, center, u, d);
    symmetricTimes(precision, u, g, d, stride);
    let value = 0.5 * dot(u, g, d);
    let slopes = 0.0, mass = 0.0;
    memory.fill(mean, 0, stride);
    for (let j = 0; j < n; j++) {
      const at = x + <usize>j * stride;
      const p = dot(at, w, d) + intercept;
      const slope = c * lossSlope(loss, p, get(y, j));
      value += c * lossValue(loss, p, get(y, j));
      addScaled(slope, at, g, d);
      if (b == 0) continue;
      const weight = c * curvature(loss, p);
      addScaled(weight, at, mean, d);
      slopes += slope;
      mass += weight;
    }
    // Centred at the weighted mean, the intercept decouples from the weights.
    for (let k = 0; k < d && b != 0; k++) set(mean, k, get(mean, k) / mass);
    memory.copy(h, precision, <usize>d * stride);
    for (let j = 0; j < n; j += 4) {
      const count = min(4, n - j);
      memory.copy(block, x + <usize>j * stride, <usize>count * stride);
      for (let r = 0; r < count; r++) {
        const row = block + <usize>r * stride;
        set(weights, r, c * curvature(loss, dot(row, w, d) + intercept));
        if (b) addScaled(-1.0, mean, row, d);
      }
      addOuters(weights, block, count, h, d);
    }
    if (cholesky(h, d) != 0) return false;
    memory.copy(step, g, stride);
    if (b) addScaled(-slopes, mean, step, d);
    solveLower(h, step, d);
    let decrement = dot(step, step, d);
    if (b) decrement += (slopes * slopes) / mass;
    solveUpper(h, step, d);
    for (let k = 0; k < d; k++) set(step, k, -get(step, k));
    const shift = b ? -slopes / mass - dot(mean, step, d) : 0.0;

    let t = 1.0;
    const done = 0.5 * decrement <= tolerance * (1.0 + value);
    if (!done) {
      let halvings = 0;
      while (
        !accepted(
          value,
          objective(loss, x, y, n, c, precision, center, w, intercept, step, shift, t, d, u, pu),
          t, decrement,
        )
      ) {
        if (++halvings > MOST_HALVINGS) return false;
        t *= 0.5;
      }
    }
    addScaled(t, step, w, d);
    if (b) store<f64>(b, intercept + t * shift);
    if (done) return true;
  }
  return false;
}

/**
 * One task in the kernel's coordinates; n < d. l is the factor of P; rows f64[n, d], k and system
 * f64[n, n], vectors f64[12 d] are scratch.
 */
function newtonDual(
  loss: i32, x: usize, y: usize, n: i32, c: f64, l: usize, center: usize, w: usize, b: usize,
  d: i32, tolerance: f64, maxIterations: i32, rows: usize, k: usize, system: usize, vectors: usize,
): bool {
  const stride = (<usize>d) << 3;
  const kernelStride = (<usize>n) << 3;
  const u0 = vectors, p = u0 + stride, next = p + stride, offset = next + stride;
  const q0 = offset + stride, alpha = q0 + stride, change = alpha + stride;
  const weight = change + stride, root = weight + stride, beta = root + stride;
  const unit = beta + stride, scratch = unit + stride;

  memory.copy(rows, x, <usize>n * stride);
  for (let j = 0; j < n; j++) solveLower(l, rows + <usize>j * stride, d);
  rowGram(rows, k, n, d);
  let intercept = b ? load<f64>(b) : 0.0;
  memory.copy(u0, w, stride);
  if (center) addScaled(-1.0, center, u0, d);
  memory.fill(p, 0, stride);
  for (let i = 0; i < d; i++) addScaled(get(u0, i), l + <usize>i * stride, p, i + 1);
  const startSquares = dot(p, p, d); // ||v0||^2
  for (let j = 0; j < n; j++) {
    const at = x + <usize>j * stride;
    const o = center ? dot(at, center, d) : 0.0;
    const q = dot(at, u0, d);
    set(offset, j, o);
    set(q0, j, q);
    set(p, j, o + q + intercept);
    set(alpha, j, 0.0);
  }
  let s = 1.0;
  let converged = false;

  for (let iteration = 0; iteration < maxIterations && !converged; iteration++) {
    // Newton's target: alpha' = M (D (p - o) - r) - b' e, M = I - S B^-1 S K, e = M D 1 = S B^-1 S 1,
    // with B = I + S K S, S = D^(1/2), and 1^T alpha' = 0 when there is an intercept.
    let value = 0.0;
    for (let j = 0; j < n; j++) {
      const target = get(y, j);
      const predicted = get(p, j);
      const weighted = c * curvature(loss, predicted);
      value += c * lossValue(loss, predicted, target);
      set(weight, j, weighted);
      set(root, j, Math.sqrt(weighted));
      set(beta, j, weighted * (predicted - get(offset, j)) - c * lossSlope(loss, predicted, target));
    }
    for (let i = 0; i < n; i++) {
      const from = k + <usize>i * kernelStride, to = system + <usize>i * kernelStride;
      const ri = get(root, i);
      for (let j = 0; j <= i; j++) set(to, j, ri * get(root, j) * get(from, j));
      set(to, i, get(to, i) + 1.0);
    }
    if (cholesky(system, n) != 0) return false;
    symmetricTimes(k, beta, scratch, n, kernelStride);
    for (let j = 0; j < n; j++) set(scratch, j, get(scratch, j) * get(root, j));
    solveLower(system, scratch, n);
    solveUpper(system, scratch, n);
    for (let j = 0; j < n; j++) set(change, j, get(beta, j) - get(root, j) * get(scratch, j));
    let target = 0.0;
    if (b) {
      memory.copy(unit, root, kernelStride);
      solveLower(system, unit, n);
      solveUpper(system, unit, n);
      let sum = 0.0, mass = 0.0;
      for (let j = 0; j < n; j++) {
        set(unit, j, get(unit, j) * get(root, j));
        sum += get(change, j);
        mass += get(unit, j);
      }
      target = sum / mass;
      addScaled(-target, unit, change, n);
    }
    symmetricTimes(k, change, next, n, kernelStride); // K alpha'
    // From here on `change` is alpha' - alpha and `scratch` K (alpha' - alpha).
    let size = s * s * startSquares; // ||v||^2
    let along = -size; // v . dv
    let squares = size; // ||dv||^2
    let decrement = 0.0;
    for (let j = 0; j < n; j++) {
      const a = get(alpha, j), q = get(q0, j);
      const kernelAlpha = get(p, j) - get(offset, j) - intercept - s * q;
      const da = get(change, j) - a;
      const kernelChange = get(next, j) - kernelAlpha;
      const moved = get(next, j) + get(offset, j) + target - get(p, j);
      size += a * (2.0 * s * q + kernelAlpha);
      along += s * q * (da - a) + a * kernelChange;
      squares += da * (kernelChange - 2.0 * s * q);
      decrement += get(weight, j) * moved * moved;
      set(change, j, da);
      set(next, j, moved); // p' - p
    }
    value += 0.5 * size;
    decrement += Math.max(0.0, squares);
    let t = 1.0;
    converged = 0.5 * decrement <= tolerance * (1.0 + value);
    if (!converged) {
      let halvings = 0;
      while (true) {
        let trial = 0.5 * size + t * (along + 0.5 * t * squares);
        for (let j = 0; j < n; j++) {
          trial += c * lossValue(loss, get(p, j) + t * get(next, j), get(y, j));
        }
        if (accepted(value, trial, t, decrement)) break;
        if (++halvings > MOST_HALVINGS) return false;
        t *= 0.5;
      }
    }
    addScaled(t, change, alpha, n);
    addScaled(t, next, p, n);
    intercept += t * (target - intercept);
    s *= 1.0 - t;
  }
  memory.fill(w, 0, stride);
  addRows(alpha, rows, w, n, d);
  solveUpper(l, w, d);
  if (s != 0.0) addScaled(s, u0, w, d);
  if (center) addScaled(1.0, center, w, d);
  if (b) store<f64>(b, intercept);
  return converged;
}

/**
 * weights f64[m, d] (and intercepts f64[m], or 0 for none): the start, and on return the solution of
 * every task. Arguments as in `taskRidge`; loss codes as in `loss.ts`.
 *
 * Returns 0, or 1 + the first task that failed: its system is not positive definite, no step
 * decreases F, or maxIterations did not suffice. The tasks after it are still solved.
 * work: `taskNewtonWorkspace(d)` bytes.
 */
export function taskNewton(
  loss: i32, x: usize, y: usize, offsets: usize, scales: usize, precision: usize, center: usize,
  weights: usize, intercepts: usize, m: i32, d: i32, tolerance: f64, maxIterations: i32, work: usize,
): i32 {
  const stride = (<usize>d) << 3;
  const square = <usize>d * stride;
  const l = work, rows = l + square, k = rows + square, system = k + square;
  const vectors = system + square;
  memory.copy(l, precision, square);
  const whitened = cholesky(l, d) == 0;
  let failed = 0;
  for (let i = 0; i < m; i++) {
    const from = firstRow(offsets, i);
    const n = <i32>(firstRow(offsets, i + 1) - from);
    const c = load<f64>(at(scales, i));
    const first = x + <usize>from * stride;
    const labels = y + ((<usize>from) << 3);
    const w = weights + <usize>i * stride;
    const b = intercepts ? at(intercepts, i) : 0;
    if (n == 0 || c == 0.0) {
      if (center) memory.copy(w, center, stride);
      else memory.fill(w, 0, stride);
      if (b) store<f64>(b, 0.0);
      continue;
    }
    const solved = whitened && n < d
      ? newtonDual(
          loss, first, labels, n, c, l, center, w, b, d, tolerance, maxIterations,
          rows, k, system, vectors,
        )
      : newtonPrimal(
          loss, first, labels, n, c, precision, center, w, b, d, tolerance, maxIterations,
          rows, vectors,
        );
    if (!solved && failed == 0) failed = i + 1;
  }
  return failed;
}
export function taskNewtonWorkspace(d: i32): f64 {
  const size = <f64>d;
  return 8.0 * (4.0 * size * size + 12.0 * size);
}
