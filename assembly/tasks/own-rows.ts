/**
 * A task's rows as its own model sees them: times the root of their weight, centred if asked, and on a scale of about
 * one, as src/learning/tasks/own-models/own-scale.ts says and does for single tasks.
 */
import { at } from "../address";
import { combineRows } from "../blas/combine";
import { dot, scale } from "../blas/vector";
import { scaleColumns } from "../proximal";
import { copyRows } from "./wide-rows";
import { firstRow, rowAt, rowCount, TaskData, weightsAt } from "./task-data";

/** Where a task's rows go. */
@unmanaged
export class OwnRows {
  n: i32;
  d: i32;
  /** f64[n, d]: root_j (x_j - center) factors, and f64[n]: the roots. */
  rows: usize;
  roots: usize;
  /** f64[d] each. */
  center: usize;
  factors: usize;
  /** Whether a feature's offset makes another scale of it. */
  apart: bool;
}

/**
 * The rows of task i, for a record whose places are set.
 * @param centred whether their mean is taken from them; @param declared f64[d], by what features of declared ranges are multiplied in the
 * place of their own deviations, or 0; @param place whether features' offsets count. Cost: about 6 n d flops.
 */
export function takeOwnRows(
  out: OwnRows, data: TaskData, i: i32, centred: bool, declared: usize, place: bool,
): void {
  const n = rowCount(data, i), d = data.d;
  const from = firstRow(data, i);
  const weights = weightsAt(data, from);
  const center = out.center, factors = out.factors;
  out.n = n;
  out.d = d;
  let given = out.rows;
  if (data.wide) copyRows(data, from, n, given);
  else given = rowAt(data, from);
  for (let j = 0; j < n; j++) {
    store<f64>(at(out.roots, j), weights ? Math.sqrt(load<f64>(at(weights, j))) : 1.0);
  }
  if (centred) {
    // Roots of weights that are all 1 are these.
    combineRows(1.0, 0, weights ? weights : out.roots, given, center, n, d);
    scale(1.0 / <f64>n, center, d);
  } else memory.fill(center, 0, (<usize>d) << 3);
  memory.fill(factors, 0, (<usize>d) << 3);
  for (let j = 0; j < n; j++) {
    takeRow(at(given, j * d), center, load<f64>(at(out.roots, j)), at(out.rows, j * d), factors, d);
  }
  takeFactors(out, centred, declared, place);
  scaleColumns(out.rows, factors, out.rows, n, d);
}

/** The factors from the sums of squares that lie in their place. */
export function takeFactors(out: OwnRows, centred: bool, declared: usize, place: bool): void {
  out.apart = false;
  const size = declared ? meanSquare(out, centred, declared) : ownDeviations(out, centred, place);
  // A task whose rows say nothing, or more than a number holds, has the model 0.
  const unit = size > 0.0 && size < Infinity ? 1.0 / Math.sqrt(size) : 0.0;
  for (let k = 0; k < out.d; k++) {
    const factor = at(out.factors, k);
    store<f64>(factor, load<f64>(declared ? at(declared, k) : factor) * unit);
  }
}

/** out <- (row - center) root, and its squares are added. */
function takeRow(row: usize, center: usize, root: f64, out: usize, squares: usize, d: i32): void {
  let k = 0;
  if (ASC_FEATURE_SIMD) {
    const roots = f64x2.splat(root);
    for (const even = d & ~1; k < even; k += 2) {
      const x = f64x2.mul(f64x2.sub(v128.load(at(row, k)), v128.load(at(center, k))), roots);
      v128.store(at(out, k), x);
      v128.store(at(squares, k), f64x2.add(v128.load(at(squares, k)), f64x2.mul(x, x)));
    }
  }
  for (; k < d; k++) {
    const x = (load<f64>(at(row, k)) - load<f64>(at(center, k))) * root;
    store<f64>(at(out, k), x);
    store<f64>(at(squares, k), load<f64>(at(squares, k)) + x * x);
  }
}

/**
 * The mean square of a row of features times their multiples, to which so many rows are added that have a square of 1 in every feature that
 * varies, or is not 0; 0 where it is what rounding leaves of rows that are all the same.
 */
function meanSquare(out: OwnRows, centred: bool, multiples: usize): f64 {
  const n = <f64>out.n, rounding = n * f64.EPSILON, least = rounding * rounding;
  let sum = 0.0, all = 0.0, count = 0.0;
  for (let k = 0; k < out.d; k++) {
    const spread = load<f64>(at(out.factors, k)), center = load<f64>(at(out.center, k));
    const multiple = load<f64>(at(multiples, k));
    all += spread;
    sum += multiple * multiple * spread;
    if (spread > (centred ? n * least * center * center : 0.0)) count += 1.0;
  }
  if (!(all / n > least * dot(out.center, out.center, out.d))) return 0.0;
  return (sum + PUBLIC_ROWS * count) / (n + PUBLIC_ROWS);
}

/** As in src/learning/tasks/own-models/own-scale.ts, which says why. */
const PUBLIC_ROWS = 4.0;

/** As in src/learning/tasks/own-models/own-variance.ts, which says why. */
const OFFSET_ROWS = 8.0;
const LEAST_SQUARE = 1e-8;
const APART = 0.5;

/**
 * The factors <- inverse deviations, of sums of squares about the centre to which one row of the feature's mean square
 * is added: that of the centred rows and, where place counts or nothing varies, the centre's own, which few degrees of freedom alone let
 * count in full. Returns how many features vary or are not 0.
 */
function ownDeviations(out: OwnRows, centred: bool, place: bool): f64 {
  const n = <f64>out.n;
  const freedom = Math.max(centred ? n - 1.0 : n, 1.0);
  const rounding = n * f64.EPSILON, least = n * (rounding * rounding);
  const ratio = OFFSET_ROWS / freedom, square = ratio * ratio, most = 1.0 + square * square * square;
  let count = 0.0, k = 0;
  if (ASC_FEATURE_SIMD) {
    const none = f64x2.splat(0), one = f64x2.splat(1), all = f64x2.splat(n), freedoms = f64x2.splat(freedom);
    const leasts = f64x2.splat(least), mosts = f64x2.splat(most), smallest = f64x2.splat(LEAST_SQUARE);
    const part = f64x2.splat(APART);
    let counts = none, aparts = none;
    for (const even = out.d & ~1; k < even; k += 2) {
      const factor = at(out.factors, k), spread = v128.load(factor), center = v128.load(at(out.center, k));
      const own = f64x2.mul(center, center);
      const mean = f64x2.div(spread, all);
      let offset = own;
      if (centred) {
        const held = f64x2.min(own, f64x2.add(f64x2.mul(mosts, spread), f64x2.mul(smallest, own)));
        const varies = f64x2.gt(spread, f64x2.mul(leasts, own));
        const apart = f64x2.gt(held, f64x2.mul(part, f64x2.add(spread, mean)));
        aparts = v128.or(aparts, v128.and(varies, apart));
        offset = v128.bitselect(place ? held : none, own, varies);
      }
      const variance = f64x2.div(f64x2.add(spread, f64x2.add(mean, offset)), freedoms);
      const sound = v128.and(f64x2.gt(variance, none), f64x2.lt(variance, f64x2.splat(Infinity)));
      const inverse = v128.and(f64x2.div(one, f64x2.sqrt(variance)), sound);
      v128.store(factor, inverse);
      counts = f64x2.add(counts, v128.and(one, f64x2.gt(inverse, none)));
    }
    count = f64x2.extract_lane(counts, 0) + f64x2.extract_lane(counts, 1);
    out.apart = v128.any_true(aparts);
  }
  for (; k < out.d; k++) {
    const spread = load<f64>(at(out.factors, k)), center = load<f64>(at(out.center, k));
    const own = center * center, varies = centred && spread > least * own, mean = spread / n;
    const held = varies ? Math.min(own, most * spread + LEAST_SQUARE * own) : own;
    if (varies && held > APART * (spread + mean)) out.apart = true;
    const offset = place || !varies ? held : 0.0;
    const variance = (spread + (mean + offset)) / freedom;
    const factor = variance > 0.0 && variance < Infinity ? 1.0 / Math.sqrt(variance) : 0.0;
    store<f64>(at(out.factors, k), factor);
    if (factor > 0.0) count += 1.0;
  }
  return count;
}
