/**
 * A task's ridge model without a fold of its rows, from the decomposition of all of them.
 *
 * With predictions Z u, Z^T Z = L diagonal, the model of all rows is u = D Z^T t, D = (L + r)^-1. Without
 * the rows B it is
 *   u - D Z_B^T g,   (I - Z_B D Z_B^T - 1 1^T / n) g = t_B - Z_B u        (b x b; Woodbury),
 * the last term of the matrix, and the level's change -1^T g / n, only with an intercept (rows and targets
 * centred). With more rows in B than columns in Z the s x s system of the rows that are left is smaller:
 *   (L + r I - Z_B^T Z_B - n' z z^T) u' = Z^T t - Z_B^T t_B - n' z t',    n' = n - b,
 * z and t' the means of the rows left. r is taken as at least 1e-12 of the largest L, which keeps both
 * systems positive definite in double precision. Cost: b s min(b, s) + min(b, s)^3 / 3 flops.
 */
import { addScaled, dot } from "../blas/vector";
import { cholesky } from "../cholesky";
import { heldOut } from "./folds";
import { addRows } from "./gradients";
import { addOuters, rowGram, solveLower, solveUpper } from "./systems";

@inline function at(base: usize, i: i32): usize {
  return base + ((<usize>i) << 3);
}

/** Bytes of scratch: at least two folds. */
export function foldCoefficientsWorkspace(n: i32, s: i32): f64 {
  const rows = <f64>((n + 1) / 2);
  return 8.0 * (rows * <f64>s + <f64>s * <f64>s + 2.0 * <f64>s + rows);
}

const minusOnes: usize = memory.data(32, 16); // f64[4]

/**
 * u f64[s] <- the coefficients without rows fold, fold + parts, ...; returns what is to be added to the
 * level, 0 without an intercept, or NaN if the system is not positive definite.
 */
export function foldCoefficients(
  z: usize, t: usize, values: usize, projected: usize, r: f64, n: i32, s: i32, fold: i32, parts: i32,
  intercept: bool, u: usize, work: usize,
): f64 {
  const stride = (<usize>s) << 3;
  const b = heldOut(n, fold, parts);
  const system = work;
  const scale = system + <usize>s * stride; // D^(1/2), then means of the rows left
  const change = scale + stride;
  const residual = change + stride; // f64[b]
  const held = residual + ((<usize>b) << 3); // Z_B, b x s
  const damped = Math.max(r, 1e-12 * load<f64>(values));
  for (let j = 0; j < b; j++) {
    const row = fold + j * parts;
    memory.copy(held + <usize>j * stride, z + <usize>row * stride, stride);
    store<f64>(at(residual, j), load<f64>(at(t, row)));
  }
  if (b > s) {
    return reducedSystem(
      held, residual, values, projected, damped, n, b, s, intercept, u, system, scale,
    );
  }
  for (let k = 0; k < s; k++) {
    const weight = 1.0 / (Math.max(0.0, load<f64>(at(values, k))) + damped);
    store<f64>(at(u, k), weight * load<f64>(at(projected, k)));
    store<f64>(at(scale, k), Math.sqrt(weight));
  }
  for (let j = 0; j < b; j++) {
    const row = held + <usize>j * stride;
    store<f64>(at(residual, j), load<f64>(at(residual, j)) - dot(row, u, s));
    for (let k = 0; k < s; k++) {
      store<f64>(at(row, k), load<f64>(at(row, k)) * load<f64>(at(scale, k)));
    }
  }
  rowGram(held, system, b, s);
  const share = intercept ? 1.0 / <f64>n : 0.0;
  for (let j = 0; j < b; j++) {
    const row = system + ((<usize>j * <usize>b) << 3);
    for (let k = 0; k <= j; k++) {
      store<f64>(at(row, k), (j == k ? 1.0 : 0.0) - load<f64>(at(row, k)) - share);
    }
  }
  if (cholesky(system, b) != 0) return NaN;
  solveLower(system, residual, b);
  solveUpper(system, residual, b);
  memory.fill(change, 0, stride);
  addRows(residual, held, change, b, s);
  let sum = 0.0;
  for (let j = 0; j < b; j++) sum += load<f64>(at(residual, j));
  for (let k = 0; k < s; k++) {
    store<f64>(at(u, k), load<f64>(at(u, k)) - load<f64>(at(scale, k)) * load<f64>(at(change, k)));
  }
  return -share * sum;
}

/** The s x s system, for a fold of many rows; `rows` and `targets` are those held out. */
function reducedSystem(
  rows: usize, targets: usize, values: usize, projected: usize, r: f64, n: i32, b: i32, s: i32,
  intercept: bool, u: usize, system: usize, mean: usize,
): f64 {
  const stride = (<usize>s) << 3;
  const left = <f64>(n - b);
  memory.fill(system, 0, <usize>s * stride);
  memory.fill(mean, 0, stride);
  for (let k = 0; k < s; k++) {
    store<f64>(at(system, k * (s + 1)), Math.max(0.0, load<f64>(at(values, k))) + r);
  }
  for (let q: usize = 0; q < 32; q += 8) store<f64>(minusOnes + q, -1.0);
  for (let j = 0; j < b; j += 4) {
    addOuters(minusOnes, rows + <usize>j * stride, min(4, b - j), system, s);
  }
  memory.copy(u, projected, stride);
  let level = 0.0;
  for (let j = 0; j < b; j++) {
    const target = load<f64>(at(targets, j));
    addScaled(-target, rows + <usize>j * stride, u, s);
    if (!intercept) continue;
    addScaled(-1.0 / left, rows + <usize>j * stride, mean, s);
    level -= target / left;
  }
  if (intercept) {
    addScaled(-left * level, mean, u, s);
    for (let k = 0; k < s; k++) {
      addScaled(-left * load<f64>(at(mean, k)), mean, system + <usize>k * stride, k + 1);
    }
  }
  if (cholesky(system, s) != 0) return NaN;
  solveLower(system, u, s);
  solveUpper(system, u, s);
  return intercept ? level - dot(mean, u, s) : 0.0;
}
