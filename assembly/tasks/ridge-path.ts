/**
 * Ridge with a weight that each task chooses by leave-one-out on its own rows, all candidates from
 * one decomposition (`ridge-basis.ts`):
 *   argmin_{w, b} (c/2) sum_j (x_j w + b - y_j)^2 + (lambda/2) ||w||^2, b not penalised.
 *
 * With r = lambda / c, fits f and leverages h, which are h_j + 1/n with an intercept, the leave-one-out residual
 * is (t_j - f_j) / (1 - h_j). A candidate costs 8 n min(n, d) flops. The models without a fold of the rows come
 * from the same decomposition (`ridge-folds.ts`).
 *
 * Source: Golub, Heath, Wahba (1979).
 */
import { at } from "../address";
import { addScaled, dot } from "../blas/vector";
import { foldsOf } from "./folds";
import { rowMean } from "./ridge";
import {
  decompose, factorise, layOut, leaveOneOutError, modelFrom, RidgeBasis, ridgeBasisWorkspace, whiten,
} from "./ridge-basis";
import { foldCoordinates, foldCoordinatesWorkspace } from "./ridge-folds";

const basis = changetype<RidgeBasis>(memory.data(<i32>offsetof<RidgeBasis>(), 16));

/** Bytes of scratch for tasks of at most n rows. */
export function taskRidgePathWorkspace(n: i32, d: i32): f64 {
  const s = min(n, d);
  const own = 8.0 * <f64>(d + s) + 32.0;
  return own + ridgeBasisWorkspace(n, d) + foldCoordinatesWorkspace(n, s);
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
  const stride = (<usize>d) << 3;
  const mean = work;
  const u = (mean + stride + 15) & ~15;
  layOut(basis, n, d, b != 0, (at(u, min(n, d)) + 15) & ~15);
  const level = centre(x, y, mean, b != 0);
  decompose(basis);
  let least = Infinity;
  let best = 0;
  for (let q = 0; q < count; q++) {
    const r = load<f64>(at(penalties, q)) / c;
    if (!factorise(basis, r)) return true;
    const found = leaveOneOutError(basis, r);
    if (found < least) {
      least = found;
      best = q;
    }
  }
  store<f64>(error, least);
  store<f64>(chosen, <f64>best);
  const r = load<f64>(at(penalties, best)) / c;
  if (!factorise(basis, r)) return true;
  whiten(basis);
  modelFrom(basis, basis.coordinates, w);
  if (b) store<f64>(b, level - dot(mean, w, d));
  const folds = foldsOf(n, parts);
  for (let fold = 0; fold < folds; fold++) {
    const shift = foldCoordinates(basis, r, fold, parts, u, basis.work);
    if (shift != shift) return true;
    modelFrom(basis, u, foldW);
    if (b) {
      store<f64>(foldB, level + shift - dot(mean, foldW, d));
      foldB += 8;
    }
    foldW += stride;
  }
  return false;
}

/** The basis's rows and targets <- those given, less their means with an intercept; returns the targets' mean. */
function centre(x: usize, y: usize, mean: usize, intercept: bool): f64 {
  const n = basis.n, d = basis.d;
  const rows = basis.rows, t = basis.targets;
  memory.copy(rows, x, (<usize>n * <usize>d) << 3);
  memory.copy(t, y, (<usize>n) << 3);
  if (!intercept) return 0.0;
  rowMean(x, mean, n, d);
  let level = 0.0;
  for (let j = 0; j < n; j++) level += load<f64>(at(t, j));
  level /= <f64>n;
  for (let j = 0; j < n; j++) {
    addScaled(-1.0, mean, rows + ((<usize>j * <usize>d) << 3), d);
    store<f64>(at(t, j), load<f64>(at(t, j)) - level);
  }
  return level;
}
