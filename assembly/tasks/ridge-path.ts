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
import { rowsAt } from "./wide-rows";
import { firstRow, rowCount, scaleOf, targetAt, TaskData } from "./task-data";

/** As src/learning/tasks/solves/ridge-path.ts writes it. */
@unmanaged
export class RidgePath {
  data: TaskData;
  /** f64[count], > 0. */
  penalties: usize;
  count: i32;
  /** f64[m, d] and f64[m], or 0 for no intercepts. */
  weights: usize;
  intercepts: usize;
  /** f64[m] each: the position of the chosen penalty, and its error. */
  chosen: usize;
  errors: usize;
  /** Folds; 0 for none. */
  parts: i32;
  /** f64[., d] and f64[.] (with intercepts): models without a fold, task by task. */
  foldWeights: usize;
  foldIntercepts: usize;
  /** `taskRidgePathWorkspace` bytes. */
  work: usize;
}

const basis = changetype<RidgeBasis>(memory.data(<i32>offsetof<RidgeBasis>(), 16));

/** Bytes of scratch for tasks of at most n rows. */
export function taskRidgePathWorkspace(n: i32, d: i32): f64 {
  const s = min(n, d);
  const own = 8.0 * <f64>(d + s) + 32.0;
  return own + ridgeBasisWorkspace(n, d) + foldCoordinatesWorkspace(n, s);
}

/**
 * For every task the candidate with the smallest mean squared leave-one-out error, the first of
 * equals: its model, position and error. With `parts` > 0 also every task's models with that weight (the same r) without
 * the rows j, j + parts, ... for j < min(parts, n), none if n = 1. Returns 0, or 1 + the task whose decomposition failed.
 */
export function taskRidgePath(job: RidgePath): i32 {
  const d = job.data.d;
  let foldW = job.foldWeights, foldB = job.foldIntercepts;
  for (let i = 0; i < job.data.m; i++) {
    if (!chooseOne(job, i, foldW, foldB)) return i + 1;
    const folds = foldsOf(rowCount(job.data, i), job.parts);
    foldW += (<usize>folds * <usize>d) << 3;
    foldB += job.intercepts ? <usize>folds << 3 : 0;
  }
  return 0;
}

/** Task i; its models without folds go to foldW and foldB. Whether its decomposition served. */
function chooseOne(job: RidgePath, i: i32, foldW: usize, foldB: usize): bool {
  const data = job.data, work = job.work, penalties = job.penalties, parts = job.parts;
  const n = rowCount(data, i), d = data.d, c = scaleOf(data, i);
  const from = firstRow(data, i);
  const w = at(job.weights, i * d), b = job.intercepts ? at(job.intercepts, i) : 0;
  const stride = (<usize>d) << 3;
  const mean = work;
  const u = (mean + stride + 15) & ~15;
  layOut(basis, n, d, b != 0, (at(u, min(n, d)) + 15) & ~15);
  const level = centre(rowsAt(data, from, n), targetAt(data, from), mean, b != 0);
  decompose(basis);
  let least = Infinity;
  let best = 0;
  for (let q = 0; q < job.count; q++) {
    const r = load<f64>(at(penalties, q)) / c;
    if (!factorise(basis, r)) return false;
    const found = leaveOneOutError(basis, r);
    if (found < least) {
      least = found;
      best = q;
    }
  }
  store<f64>(at(job.errors, i), least);
  store<f64>(at(job.chosen, i), <f64>best);
  const r = load<f64>(at(penalties, best)) / c;
  if (!factorise(basis, r)) return false;
  whiten(basis);
  modelFrom(basis, basis.coordinates, w);
  if (b) store<f64>(b, level - dot(mean, w, d));
  const folds = foldsOf(n, parts);
  for (let fold = 0; fold < folds; fold++) {
    const shift = foldCoordinates(basis, r, fold, parts, u, basis.work);
    if (shift != shift) return false;
    modelFrom(basis, u, foldW);
    if (b) {
      store<f64>(foldB, level + shift - dot(mean, foldW, d));
      foldB += 8;
    }
    foldW += stride;
  }
  return true;
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
