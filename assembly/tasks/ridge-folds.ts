/**
 * A task's ridge model without a fold of its rows, from the decomposition of all of them.
 *
 * With S of `ridge-basis.ts` and S_B its rows B that are held out, the coordinates u = S^T t of the model
 * become without the rows B
 *   u - S_B^T g,   R_BB g = t_B - S_B u (dual: r S_B u),
 * R the matrix there that makes residuals: a b x b system (Woodbury; dual: a block of the inverse). With an
 * intercept the level changes by -1^T g / n. With more rows in B than
 * columns in S, which are then not dual, the s x s system of the rows that are left is smaller:
 *   (I - S_B^T S_B - n' z z^T) u' = u - S_B^T t_B - n' z t',    n' = n - b,
 * z and t' the means of the rows left. Cost: b s min(b, s) + min(b, s)^3 / 3 flops.
 */
import { at } from "../address";
import { addScaled, dot } from "../blas/vector";
import { cholesky } from "../cholesky";
import { heldOut } from "./folds";
import { addRows } from "./row-products";
import { levelTerm, RidgeBasis } from "./ridge-basis";
import { addOuters, rowGram, solveLower, solveUpper } from "./systems";

/** Bytes of scratch: at least two folds. */
export function foldCoordinatesWorkspace(n: i32, s: i32): f64 {
  const rows = <f64>((n + 1) / 2);
  return 8.0 * (rows * <f64>s + <f64>s * <f64>s + <f64>s + rows);
}

const minusOnes: usize = memory.data(32, 16); // f64[4]

/**
 * u f64[s] <- the coordinates without rows fold, fold + parts, ..., for the r that S is of; returns what is to
 * be added to the level, 0 without an intercept, or NaN if the system is not positive definite.
 */
export function foldCoordinates(
  basis: RidgeBasis, r: f64, fold: i32, parts: i32, u: usize, work: usize,
): f64 {
  const s = basis.s;
  const stride = (<usize>s) << 3;
  const b = heldOut(basis.n, fold, parts);
  const system = work;
  const mean = system + <usize>s * stride; // of the rows left
  const held = mean + stride; // S_B, b x s
  const residual = held + <usize>b * stride; // f64[b]
  for (let j = 0; j < b; j++) {
    const row = fold + j * parts;
    memory.copy(held + <usize>j * stride, basis.white + <usize>row * stride, stride);
    store<f64>(at(residual, j), load<f64>(at(basis.targets, row)));
  }
  memory.copy(u, basis.coordinates, stride);
  if (b > s) return reducedSystem(basis, held, residual, b, u, system, mean);
  const weight = Math.max(r, basis.least);
  for (let j = 0; j < b; j++) {
    const fit = dot(held + <usize>j * stride, u, s);
    const residue = basis.dual ? weight * fit : load<f64>(at(residual, j)) - fit;
    store<f64>(at(residual, j), residue);
  }
  rowGram(held, system, b, s);
  const factor = basis.dual ? weight : -1.0;
  const share = levelTerm(basis, weight);
  for (let j = 0; j < b; j++) {
    const row = system + ((<usize>j * <usize>b) << 3);
    for (let k = 0; k <= j; k++) {
      const one = j == k && !basis.dual ? 1.0 : 0.0;
      store<f64>(at(row, k), one + factor * load<f64>(at(row, k)) - share);
    }
  }
  if (cholesky(system, b) != 0) return NaN;
  solveLower(system, residual, b);
  solveUpper(system, residual, b);
  let sum = 0.0;
  for (let j = 0; j < b; j++) {
    const g = load<f64>(at(residual, j));
    sum += g;
    store<f64>(at(residual, j), -g);
  }
  addRows<f64>(residual, held, u, b, s);
  return -basis.share * sum;
}

/** The s x s system, for a fold of many rows; `rows` and `targets` are those held out. */
function reducedSystem(
  basis: RidgeBasis, rows: usize, targets: usize, b: i32, u: usize, system: usize, mean: usize,
): f64 {
  const s = basis.s;
  const stride = (<usize>s) << 3;
  const left = <f64>(basis.n - b);
  memory.fill(system, 0, <usize>s * stride);
  memory.fill(mean, 0, stride);
  for (let k = 0; k < s; k++) store<f64>(at(system, k * (s + 1)), 1.0);
  for (let q: usize = 0; q < 32; q += 8) store<f64>(minusOnes + q, -1.0);
  for (let j = 0; j < b; j += 4) {
    addOuters(minusOnes, rows + <usize>j * stride, min(4, b - j), system, s);
  }
  let level = 0.0;
  for (let j = 0; j < b; j++) {
    const target = load<f64>(at(targets, j));
    addScaled(-target, rows + <usize>j * stride, u, s);
    if (basis.share == 0.0) continue;
    addScaled(-1.0 / left, rows + <usize>j * stride, mean, s);
    level -= target / left;
  }
  if (basis.share > 0.0) {
    addScaled(-left * level, mean, u, s);
    for (let k = 0; k < s; k++) {
      addScaled(-left * load<f64>(at(mean, k)), mean, system + <usize>k * stride, k + 1);
    }
  }
  if (cholesky(system, s) != 0) return NaN;
  solveLower(system, u, s);
  solveUpper(system, u, s);
  return basis.share > 0.0 ? level - dot(mean, u, s) : 0.0;
}
