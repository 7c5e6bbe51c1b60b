/**
 * Damped Newton in the kernel's coordinates, for n < d: with P = L L^T and whitened rows Y = X L^-T every
 * Newton point is w = a + L^-T Y^T alpha, and each iteration costs n^3 / 3 in the n x n kernel K = Y Y^T (the
 * form of Rasmussen and Williams 2006, Algorithm 3.1); the given weights w0 enter the first damped steps as
 * w = a + L^-T (s v0 + Y^T alpha), v0 = L^T (w0 - a), s from 1 to 0.
 */
import { combineRows } from "../blas/combine";
import { addScaled, dot, scale } from "../blas/vector";
import { cholesky } from "../cholesky";
import { addRows } from "./row-products";
import { accepted, LEAST_CURVATURE, MOST_HALVINGS, NewtonTask } from "./newton-task";
import { rowGram, solveLower, solveUpper } from "./systems";
import { weightedSlopes, weightedTerms } from "./weighted-loss";

@inline function get(base: usize, i: i32): f64 {
  return load<f64>(base + ((<usize>i) << 3));
}
@inline function set(base: usize, i: i32, value: f64): void {
  store<f64>(base + ((<usize>i) << 3), value);
}

/** Upper triangle of k f64[n, n] <- the lower one. */
function mirrorLower(k: usize, n: i32): void {
  const stride = (<usize>n) << 3;
  for (let i = 1; i < n; i++) {
    for (let j = 0; j < i; j++) set(k + <usize>j * stride, i, get(k + <usize>i * stride, j));
  }
}

/** v <- L^-1 v, or what takes its place. */
@inline function whiten(task: NewtonTask, v: usize): void {
  if (task.factor) solveLower(task.factor, v, task.d);
  else scale(1.0 / task.root, v, task.d);
}

/** Solves the task; rows f64[n, d], k and system f64[n, n], vectors f64[12 d] are scratch. Whether it converged. */
export function newtonDual(
  task: NewtonTask, rows: usize, k: usize, system: usize, vectors: usize,
): bool {
  const loss = task.loss, n = task.n, d = task.d, c = task.c;
  const x = task.x, y = task.y, w = task.w, b = task.b, center = task.center;
  const stride = (<usize>d) << 3;
  const kernelStride = (<usize>n) << 3;
  const u0 = vectors, p = u0 + stride, next = p + stride, offset = next + stride;
  const q0 = offset + stride, alpha = q0 + stride, change = alpha + stride;
  const weight = change + stride, root = weight + stride, beta = root + stride;
  const unit = beta + stride, scratch = unit + stride;

  memory.copy(rows, x, <usize>n * stride);
  for (let j = 0; j < n; j++) whiten(task, rows + <usize>j * stride);
  rowGram(rows, k, n, d);
  mirrorLower(k, n);
  let intercept = b ? load<f64>(b) : 0.0;
  memory.copy(u0, w, stride);
  if (center) addScaled(-1.0, center, u0, d);
  memory.fill(p, 0, stride);
  if (task.factor) {
    for (let i = 0; i < d; i++) addScaled(get(u0, i), task.factor + <usize>i * stride, p, i + 1);
  } else {
    addScaled(task.root, u0, p, d);
  }
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

  for (let iteration = 0; iteration < task.maxIterations && !converged; iteration++) {
    // Newton's target: alpha' = M (D (p - o) - r) - b' e, M = I - S B^-1 S K, e = M D 1 = S B^-1 S 1,
    // with B = I + S K S, S = D^(1/2), and 1^T alpha' = 0 when there is an intercept.
    let value = c * weightedTerms(loss, p, y, task.s, beta, weight, n, c);
    for (let j = 0; j < n; j++) {
      const weighted = Math.max(get(weight, j), c * LEAST_CURVATURE);
      set(weight, j, weighted);
      set(root, j, Math.sqrt(weighted));
      set(beta, j, weighted * (get(p, j) - get(offset, j)) - get(beta, j));
    }
    for (let i = 0; i < n; i++) {
      const from = k + <usize>i * kernelStride, to = system + <usize>i * kernelStride;
      const ri = get(root, i);
      for (let j = 0; j <= i; j++) set(to, j, ri * get(root, j) * get(from, j));
      set(to, i, get(to, i) + 1.0);
    }
    if (cholesky(system, n) != 0) return false;
    combineRows(1.0, 0, beta, k, scratch, n, n);
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
    combineRows(1.0, 0, change, k, next, n, n); // K alpha'
    // From here on `change` is alpha' - alpha.
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
    converged = 0.5 * decrement <= task.tolerance * (1.0 + value);
    if (!converged) {
      let halvings = 0;
      while (true) {
        memory.copy(scratch, p, kernelStride);
        addScaled(t, next, scratch, n);
        const losses = c * weightedSlopes(loss, scratch, y, task.s, n, 1.0);
        const trial = losses + 0.5 * size + t * (along + 0.5 * t * squares);
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
  addRows<f64>(alpha, rows, w, n, d);
  if (task.factor) solveUpper(task.factor, w, d);
  else scale(1.0 / task.root, w, d);
  if (s != 0.0) addScaled(s, u0, w, d);
  if (center) addScaled(1.0, center, w, d);
  if (b) store<f64>(b, intercept);
  return converged;
}
