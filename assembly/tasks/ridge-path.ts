/**
 * Ridge with a weight that each task chooses by leave-one-out on its own rows, all candidates from
 * one eigendecomposition:
 *   argmin_{w, b} (c/2) sum_j (x_j w + b - y_j)^2 + (lambda/2) ||w||^2, b not penalised.
 *
 * With centred rows (uncentred without intercepts) and r = lambda / c: n >= d decomposes
 * X^T X = U L U^T and puts Z = X U; n < d decomposes X X^T = V L V^T and puts Z = V L^(1/2). Either way
 * the fit is f = Z (Z^T t / (L + r)) and the leverage h_j = sum_k Z_jk^2 / (L_k + r), plus 1/n for the
 * intercept; the leave-one-out residual is (t_j - f_j) / (1 - h_j). A candidate costs 4 n min(n, d).
 * The models without a fold of the rows come from the same decomposition (`ridge-folds.ts`).
 *
 * Source: Golub, Heath, Wahba (1979); the decomposition as in Elden (1977).
 * Rounding: Z^T Z = L to the accuracy of the eigendecomposition; small eigenvalues of X^T X lose
 * accuracy against lambda below 1e-14 times the largest, where no candidate is.
 */
import { gemm, gemmWorkspace } from "../blas/gemm";
import { syrk, syrkWorkspace } from "../blas/symmetric";
import { transpose } from "../blas/transpose";
import { addScaled, dot } from "../blas/vector";
import { eigh, eighWorkspace } from "../eigen/eigh";
import { foldsOf } from "./folds";
import { rowMean } from "./ridge";
import { foldCoefficients, foldCoefficientsWorkspace } from "./ridge-folds";
import { rowGram } from "./systems";

@inline function at(base: usize, i: i32): usize {
  return base + ((<usize>i) << 3);
}
@inline function after(base: usize, n: usize): usize {
  return (base + (n << 3) + 15) & ~15;
}

/** Bytes of scratch for tasks of at most n rows. */
export function taskRidgePathWorkspace(n: i32, d: i32): f64 {
  const rows = <f64>n;
  const side = <f64>min(n, d);
  const blocks = rows * <f64>d + 2.0 * side * side + 2.0 * rows * side + 2.0 * rows + 4.0 * side + <f64>d;
  const inner = Math.max(
    eighWorkspace(min(n, d)),
    Math.max(gemmWorkspace(n, d, d), syrkWorkspace(n, d)),
  );
  return 8.0 * blocks + 256.0 + Math.max(inner, foldCoefficientsWorkspace(n, min(n, d)));
}

/**
 * For every task the candidate with the smallest mean squared leave-one-out error, the first of
 * equals: weights[m, d], intercepts[m] (or 0), chosen f64[m] (its position), errors f64[m].
 *
 * penalties f64[count], > 0. `parts` > 0: also every task's models with that weight (the same r) without
 * the rows j, j + parts, ... for j < min(parts, n), none if n = 1, one after another in foldWeights [, d]
 * and foldIntercepts (with intercepts). Returns 0, or 1 + the task whose decomposition failed.
 */
export function taskRidgePath(
  x: usize, y: usize, offsets: usize, scales: usize, penalties: usize, count: i32,
  weights: usize, intercepts: usize, chosen: usize, errors: usize,
  parts: i32, foldWeights: usize, foldIntercepts: usize, m: i32, d: i32, work: usize,
): i32 {
  for (let i = 0; i < m; i++) {
    const first = load<u32>(offsets + ((<usize>i) << 2));
    const n = <i32>(load<u32>(offsets + ((<usize>i + 1) << 2)) - first);
    const failed = chooseOne(
      x + ((<usize>first * <usize>d) << 3), y + ((<usize>first) << 3), n, d,
      load<f64>(at(scales, i)), penalties, count,
      weights + ((<usize>i * <usize>d) << 3), intercepts ? at(intercepts, i) : 0,
      at(chosen, i), at(errors, i), parts, foldWeights, foldIntercepts, work,
    );
    if (failed) return i + 1;
    const folds = foldsOf(n, parts);
    foldWeights += (<usize>folds * <usize>d) << 3;
    foldIntercepts += intercepts ? <usize>folds << 3 : 0;
  }
  return 0;
}

function chooseOne(
  x: usize, y: usize, n: i32, d: i32, c: f64, penalties: usize, count: i32,
  w: usize, b: usize, chosen: usize, error: usize,
  parts: i32, foldW: usize, foldB: usize, work: usize,
): bool {
  const primal = n >= d;
  const s = primal ? d : n;
  const side = <usize>s;
  const stride = (<usize>d) << 3;
  const rows = work; // centred rows, n x d
  const t = after(rows, <usize>n * <usize>d); // centred targets, n
  const gram = after(t, <usize>n); // s x s
  const vectors = after(gram, side * side);
  const z = after(vectors, side * side); // n x s
  const turned = after(z, <usize>n * side); // s x n: columns of Z in a row each
  const values = after(turned, <usize>n * side);
  const projected = after(values, side); // Z^T t
  const factor = after(projected, side); // 1 / (L + r), then a coefficient
  const mean = after(factor, side);
  const inner = after(mean, <usize>d);

  memory.copy(rows, x, <usize>n * stride);
  memory.copy(t, y, (<usize>n) << 3);
  let level = 0.0;
  if (b) {
    rowMean(x, mean, n, d);
    for (let j = 0; j < n; j++) level += load<f64>(at(t, j));
    level /= <f64>n;
    for (let j = 0; j < n; j++) {
      addScaled(-1.0, mean, rows + <usize>j * stride, d);
      store<f64>(at(t, j), load<f64>(at(t, j)) - level);
    }
  }
  if (primal) syrk(rows, gram, n, d, inner);
  else {
    rowGram(rows, gram, n, d);
    for (let j = 0; j < n; j++) {
      for (let k = 0; k < j; k++) {
        store<f64>(at(gram, k * n + j), load<f64>(at(gram, j * n + k)));
      }
    }
  }
  if (eigh(gram, values, vectors, s, inner)) return true;
  if (primal) {
    gemm(rows, vectors, z, n, d, d, inner);
    transpose(z, turned, n, s);
  } else {
    transpose(vectors, turned, s, s);
    for (let k = 0; k < s; k++) {
      const root = Math.sqrt(Math.max(0.0, load<f64>(at(values, k))));
      scaleRow(root, turned + (<usize>k * side << 3), n);
    }
    transpose(turned, z, s, n);
  }
  for (let k = 0; k < s; k++) {
    store<f64>(at(projected, k), dot(turned + ((<usize>k * <usize>n) << 3), t, n));
  }
  let least = Infinity;
  let best = 0;
  for (let q = 0; q < count; q++) {
    const found = leaveOneOutError(
      z, t, values, projected, factor, n, s, load<f64>(at(penalties, q)) / c, b != 0,
    );
    if (found < least) {
      least = found;
      best = q;
    }
  }
  store<f64>(error, least);
  store<f64>(chosen, <f64>best);
  const r = load<f64>(at(penalties, best)) / c;
  for (let k = 0; k < s; k++) {
    store<f64>(at(factor, k), load<f64>(at(projected, k)) / (Math.max(0.0, load<f64>(at(values, k))) + r));
  }
  inFeatures(factor, vectors, values, rows, w, n, d);
  if (b) store<f64>(b, level - dot(mean, w, d));
  const folds = foldsOf(n, parts);
  for (let fold = 0; fold < folds; fold++) {
    const shift = foldCoefficients(
      z, t, values, projected, r, n, s, fold, parts, b != 0, factor, inner,
    );
    if (shift != shift) return true;
    inFeatures(factor, vectors, values, rows, foldW, n, d);
    if (b) {
      store<f64>(foldB, level + shift - dot(mean, foldW, d));
      foldB += 8;
    }
    foldW += stride;
  }
  return false;
}

/** w f64[d] <- the model whose predictions are Z u; u f64[min(n, d)] is overwritten. */
function inFeatures(
  u: usize, vectors: usize, values: usize, rows: usize, w: usize, n: i32, d: i32,
): void {
  if (n >= d) {
    for (let j = 0; j < d; j++) {
      store<f64>(at(w, j), dot(vectors + ((<usize>j * <usize>d) << 3), u, d));
    }
    return;
  }
  // Z = V L^(1/2) and w = X^T V L^(-1/2) u.
  for (let k = 0; k < n; k++) {
    const root = Math.sqrt(Math.max(0.0, load<f64>(at(values, k))));
    store<f64>(at(u, k), root > 0 ? load<f64>(at(u, k)) / root : 0.0);
  }
  const stride = (<usize>d) << 3;
  memory.fill(w, 0, stride);
  for (let j = 0; j < n; j++) {
    addScaled(dot(vectors + ((<usize>j * <usize>n) << 3), u, n), rows + <usize>j * stride, w, d);
  }
}

/** Mean squared leave-one-out residual of one candidate r = lambda / c. */
function leaveOneOutError(
  z: usize, t: usize, values: usize, projected: usize, factor: usize, n: i32, s: i32, r: f64,
  intercept: bool,
): f64 {
  for (let k = 0; k < s; k++) {
    store<f64>(at(factor, k), 1.0 / (Math.max(0.0, load<f64>(at(values, k))) + r));
  }
  let sum = 0.0;
  for (let j = 0; j < n; j++) {
    const row = z + ((<usize>j * <usize>s) << 3);
    let fit = 0.0;
    let leverage = intercept ? 1.0 / <f64>n : 0.0;
    for (let k = 0; k < s; k++) {
      const weighted = load<f64>(at(row, k)) * load<f64>(at(factor, k));
      fit += weighted * load<f64>(at(projected, k));
      leverage += weighted * load<f64>(at(row, k));
    }
    const left = 1.0 - leverage;
    // One row and an intercept: nothing is left out that could be predicted.
    const residual = left > 1e-13 ? (load<f64>(at(t, j)) - fit) / left : 0.0;
    sum += residual * residual;
  }
  return sum / <f64>n;
}

@inline function scaleRow(alpha: f64, row: usize, n: i32): void {
  for (let j = 0; j < n; j++) store<f64>(at(row, j), alpha * load<f64>(at(row, j)));
}
