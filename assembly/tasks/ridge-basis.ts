/**
 * One task's ridge problems of all weights from one tridiagonal matrix, without eigenvectors:
 *   argmin_w (1/2) ||X w - t||^2 + (r/2) ||w||^2,  X f64[n, d] and t centred where there is an intercept.
 *
 * n >= d: X^T X = Q T Q^T, B = X Q. n < d (dual): K = X X^T = Q T Q^T, B = Q. With T + r I = L D L^T, L with ones
 * on its diagonal, the rows of S = B L^-T D^(-1/2) have
 *   n >= d: S S^T = X (X^T X + r I)^-1 X^T, which makes fits of targets;
 *   dual:   S S^T = (K + r I)^-1, which makes residuals over r.
 * The matrix that makes residuals of rows, targets and a level not penalised is
 *   n >= d: I - S S^T - 1 1^T / n;   dual: r S S^T - 1 1^T / n.
 * K has the null vector 1 then, which the last term takes away again: K + v 1 1^T / n, v its mean
 * eigenvalue, stands in for it, and r / (v + r) of the term is left, so that little cancels.
 *
 * Source: Elden (1977), with the Gram matrix in place of a bidiagonal form of X.
 * Rounding: 2^-53 of the largest eigenvalue of T; r is taken as at least 1e-12 of T's norm, which keeps all
 * pivots positive.
 */
import { at } from "../address";
import { combineRows } from "../blas/combine";
import { product, productWorkspace } from "../blas/gemm";
import { mirrorUpper, syrk, syrkWorkspace } from "../blas/symmetric";
import { OVERWRITE } from "../blas/tile";
import { transpose } from "../blas/transpose";
import { dot, maxAbs, scale, unitScale } from "../blas/vector";
import { formTransposedQ } from "../eigen/form-q";
import { tridiagonalise, tridiagonaliseWorkspace } from "../eigen/tridiagonalise";
import { combine } from "../proximal";
import { fitsAndLeverages } from "./leverages";

@inline function after(base: usize, n: i32): usize {
  return (at(base, n) + 15) & ~15;
}

/** The least part of a row's residual that is not its own doing from which a leave-one-out error is told. */
export const LEAST_LEFT: f64 = 1e-13;

/** A task's decomposition: sizes, and where its parts lie. Lengths s4 and n8 are s and n rounded up. */
@unmanaged
export class RidgeBasis {
  n: i32;
  d: i32;
  /** min(n, d). */
  s: i32;
  s4: i32;
  n8: i32;
  dual: bool;
  /** 1 / n with an intercept, else 0. */
  share: f64;
  /** v of the module's comment. */
  lift: f64;
  /** X f64[n, d], t f64[n]. */
  rows: usize;
  targets: usize;
  /** Q^T f64[s4, s4]. */
  turn: usize;
  /** B^T f64[s, n8], zeros after column n. */
  columns: usize;
  /** S^T f64[s, n8] and S f64[n8, s]. */
  whiteColumns: usize;
  white: usize;
  /** T: f64[s] each. */
  diagonal: usize;
  off: usize;
  /** The least r. */
  least: f64;
  /** B^T t and S^T t, f64[s] each. */
  projected: usize;
  coordinates: usize;
  /** For every k the entry of L left of the diagonal, 1 / D_k and (D^-1 L^-1 B^T t)_k: f64[s, 3]. */
  factors: usize;
  /** f64[n8] each: fits of the targets (dual: residuals over r) and the diagonal of S S^T. */
  fits: usize;
  leverages: usize;
  /** f64[max(2 s4, n8)]. */
  scratch: usize;
  /** What follows. */
  work: usize;
}

/** Sizes and places for a task; `rows` and `targets` are for the caller to fill. */
export function layOut(basis: RidgeBasis, n: i32, d: i32, intercept: bool, base: usize): void {
  const s = min(n, d);
  const s4 = (s + 3) & ~3;
  const n8 = (n + 7) & ~7;
  basis.n = n;
  basis.d = d;
  basis.s = s;
  basis.s4 = s4;
  basis.n8 = n8;
  basis.dual = n < d;
  basis.share = intercept ? 1.0 / <f64>n : 0.0;
  basis.rows = base;
  basis.targets = after(basis.rows, n * d);
  basis.turn = after(basis.targets, n);
  basis.columns = after(basis.turn, s4 * s4);
  basis.whiteColumns = after(basis.columns, s * n8);
  basis.white = after(basis.whiteColumns, s * n8);
  basis.diagonal = after(basis.white, s * n8);
  basis.off = after(basis.diagonal, s);
  basis.projected = after(basis.off, s);
  basis.coordinates = after(basis.projected, s);
  basis.factors = after(basis.coordinates, s);
  basis.fits = after(basis.factors, 3 * s);
  basis.leverages = after(basis.fits, n8);
  basis.scratch = after(basis.leverages, n8);
  basis.work = after(basis.scratch, max(2 * s4, n8));
}

/** Bytes that `layOut` and `decompose` take. */
export function ridgeBasisWorkspace(n: i32, d: i32): f64 {
  const s = min(n, d);
  const side = <f64>((s + 3) & ~3);
  const length = <f64>((n + 7) & ~7);
  const blocks = <f64>n * <f64>(d + 1) + side * side + 3.0 * length * <f64>s + 7.0 * <f64>s;
  const vectors = 2.0 * length + max(2.0 * side, length);
  const inner = max(syrkWorkspace(n, d), max(productWorkspace(s, d, n), tridiagonaliseWorkspace(s)));
  return 8.0 * (blocks + vectors + side * (side + 1.0)) + 16.0 * 15.0 + inner;
}

/** T, Q and B of the rows, and B^T t. Cost: n s (s + 1) + 8 s^3 / 3 flops, and 2 n s^2 unless dual. */
export function decompose(basis: RidgeBasis): void {
  const n = basis.n, d = basis.d, s = basis.s, s4 = basis.s4, n8 = basis.n8;
  const rows = basis.rows;
  const reflectors = basis.work;
  const tau = after(reflectors, s4 * s4);
  const rest = after(tau, s);
  const gram = basis.white;
  if (basis.dual) {
    product(rows, d, 1, rows, 1, d, gram, n, n, d, n, OVERWRITE, true, rest);
    mirrorUpper(gram, n);
    liftNull(basis, gram);
  } else syrk(rows, gram, n, d, rest);
  const factor = unitScale(maxAbs(gram, s * s));
  memory.fill(reflectors, 0, (<usize>(s4 * s4)) << 3);
  for (let k = 0; k < s; k++) {
    memory.copy(at(reflectors, k * s4), at(gram, k * s), (<usize>s) << 3);
  }
  scale(factor, reflectors, s4 * s4);
  tridiagonalise(reflectors, s, s4, basis.diagonal, basis.off, tau, rest);
  formTransposedQ(reflectors, s4, tau, s, basis.turn, basis.scratch);
  scale(1.0 / factor, basis.diagonal, s);
  scale(1.0 / factor, basis.off, s);
  let norm = 0.0, before = 0.0;
  for (let k = 0; k < s; k++) {
    const next = Math.abs(load<f64>(at(basis.off, k)));
    norm = Math.max(norm, before + Math.abs(load<f64>(at(basis.diagonal, k))) + next);
    before = next;
  }
  basis.least = 1e-12 * norm;
  memory.fill(basis.columns, 0, (<usize>(s * n8)) << 3);
  if (basis.dual) {
    for (let k = 0; k < s; k++) {
      memory.copy(at(basis.columns, k * n8), at(basis.turn, k * s4), (<usize>n) << 3);
    }
  } else product(basis.turn, s4, 1, rows, 1, d, basis.columns, n8, s, s, n, OVERWRITE, false, rest);
  for (let k = 0; k < s; k++) {
    store<f64>(at(basis.projected, k), dot(at(basis.columns, k * n8), basis.targets, n));
  }
}

/** Adds v 1 1^T / n to K[n, n]. */
function liftNull(basis: RidgeBasis, gram: usize): void {
  const n = basis.n;
  basis.lift = 0.0;
  if (basis.share == 0.0) return;
  for (let j = 0; j < n; j++) basis.lift += load<f64>(at(gram, j * (n + 1)));
  basis.lift /= <f64>n;
  const each = basis.lift / <f64>n;
  for (let k = 0; k < n * n; k++) store<f64>(at(gram, k), load<f64>(at(gram, k)) + each);
}

/** What stands before -1 1^T in the matrix that makes residuals. */
@inline export function levelTerm(basis: RidgeBasis, r: f64): f64 {
  return basis.dual ? (basis.share * r) / (basis.lift + r) : basis.share;
}

/** L, D and D^-1 L^-1 B^T t for this r; false if the matrix is not positive definite. */
export function factorise(basis: RidgeBasis, r: f64): bool {
  const weight = Math.max(r, basis.least);
  let inverse = 0.0, coupling = 0.0, value = 0.0;
  let to = basis.factors;
  for (let k = 0; k < basis.s; k++, to += 24) {
    const left = coupling * inverse;
    const pivot = load<f64>(at(basis.diagonal, k)) + weight - left * coupling;
    // Written so that NaN is refused too.
    if (!(pivot > 0.0)) return false;
    value = load<f64>(at(basis.projected, k)) - left * value;
    inverse = 1.0 / pivot;
    coupling = load<f64>(at(basis.off, k));
    store<f64>(to, left);
    store<f64>(to, inverse, 8);
    store<f64>(to, value * inverse, 16);
  }
  return true;
}

/** `fits` <- the residuals and `leverages` <- 1 less the leverages for the r that is factorised. Cost: 8 n s flops. */
export function leaveOneOut(basis: RidgeBasis, r: f64): void {
  const weight = Math.max(r, basis.least);
  const share = levelTerm(basis, weight);
  fitsAndLeverages(basis.columns, basis.factors, basis.s, basis.n8, basis.fits, basis.leverages);
  for (let j = 0; j < basis.n; j++) {
    const fit = load<f64>(at(basis.fits, j));
    const leverage = load<f64>(at(basis.leverages, j));
    const residual = basis.dual ? weight * fit : load<f64>(at(basis.targets, j)) - fit;
    store<f64>(at(basis.fits, j), residual);
    store<f64>(at(basis.leverages, j), (basis.dual ? weight * leverage : 1.0 - leverage) - share);
  }
}

/** Mean squared leave-one-out residual for the r that is factorised. */
export function leaveOneOutError(basis: RidgeBasis, r: f64): f64 {
  leaveOneOut(basis, r);
  let sum = 0.0;
  for (let j = 0; j < basis.n; j++) {
    const left = load<f64>(at(basis.leverages, j));
    // One row and an intercept: nothing is left out that could be predicted.
    const error = left > LEAST_LEFT ? load<f64>(at(basis.fits, j)) / left : 0.0;
    sum += error * error;
  }
  return sum / <f64>basis.n;
}

/** z f64[s] <- (T + r I)^-1 B^T t for the r that is factorised; returns the square of the model's norm. */
export function solution(basis: RidgeBasis, z: usize): f64 {
  const s = basis.s;
  let value = 0.0, left = 0.0;
  for (let k = s - 1; k >= 0; k--) {
    const factor = at(basis.factors, 3 * k);
    value = load<f64>(factor, 16) - left * value;
    left = load<f64>(factor);
    store<f64>(at(z, k), value);
  }
  if (!basis.dual) return dot(z, z, s);
  // z^T T z
  let sum = 0.0, before = 0.0;
  for (let k = 0; k < s; k++) {
    const now = load<f64>(at(z, k));
    const across = k > 0 ? load<f64>(at(basis.off, k - 1)) * before : 0.0;
    sum += now * (load<f64>(at(basis.diagonal, k)) * now + 2.0 * across);
    before = now;
  }
  return Math.max(0.0, sum);
}

/** S and S^T t for the r that is factorised. */
export function whiten(basis: RidgeBasis): void {
  const s = basis.s, n8 = basis.n8;
  let last = 1.0;
  for (let k = 0; k < s; k++) {
    const factor = at(basis.factors, 3 * k);
    const root = Math.sqrt(load<f64>(factor, 8));
    const to = at(basis.whiteColumns, k * n8);
    const before = k > 0 ? at(to, -n8) : at(basis.columns, k * n8);
    combine(root, at(basis.columns, k * n8), (-root * load<f64>(factor)) / last, before, to, n8);
    store<f64>(at(basis.coordinates, k), dot(to, basis.targets, basis.n));
    last = root;
  }
  transpose(basis.whiteColumns, basis.white, s, n8);
}

/** w f64[d] <- the model with these coordinates f64[s]: that of S^T t is the model of all rows. */
export function modelFrom(basis: RidgeBasis, coordinates: usize, w: usize): void {
  const s = basis.s, s4 = basis.s4, scratch = basis.scratch;
  if (basis.dual) {
    combineRows(1.0, 0, coordinates, basis.whiteColumns, scratch, s, basis.n8);
    combineRows(1.0, 0, scratch, basis.rows, w, basis.n, basis.d);
    return;
  }
  // Q L^-T D^(-1/2)
  let value = 0.0, left = 0.0;
  for (let k = s - 1; k >= 0; k--) {
    const factor = at(basis.factors, 3 * k);
    value = Math.sqrt(load<f64>(factor, 8)) * load<f64>(at(coordinates, k)) - left * value;
    left = load<f64>(factor);
    store<f64>(at(scratch, k), value);
  }
  combineRows(1.0, 0, scratch, basis.turn, at(scratch, s4), s, s4);
  memory.copy(w, at(scratch, s4), (<usize>s) << 3);
}
