/**
 * The rows that folds leave, read where they lie and put into lanes on their own scale: that of `own-rows.ts`, with sums in doubles.
 */
import { at } from "../address";
import { entryOf, LANES, setLane } from "../blas/lanes";
import { FoldLanes } from "./fold-lanes";
import { takeLeftRows } from "./left-rows";
import { OwnRidge } from "./own-ridge-job";
import { OwnRows, takeFactors } from "./own-rows";
import { OwnTargets, takeOwnTargets } from "./own-targets";
import { firstRow, FoldEntries, rowAt, rowCount, targetAt } from "./task-data";

const own = changetype<OwnRows>(memory.data(<i32>offsetof<OwnRows>(), 16));
/** Rows of every lane. */
const counts = memory.data(16, 4);

@inline function countOf(l: i32): usize {
  return counts + ((<usize>l) << 2);
}

/** Where it is written where row j of a lane lies. */
@inline function placeOf(group: FoldLanes, l: i32, j: i32): usize {
  return group.places + <usize>(l * group.n + j) * sizeof<usize>();
}

/** Lanes are without rows. */
export function clearLanes(): void {
  memory.fill(counts, 0, 16);
}

/**
 * Takes level, scales and targets of entry e into lane l; false where its model needs no system and is written: the lane is then zero.
 * `isApart` says whether its model is an average over two scales.
 */
export function takeFold<T>(
  group: FoldLanes, job: OwnRidge, entries: FoldEntries, e: i32, l: i32, targets: OwnTargets,
): bool {
  const d = group.d, n = findRows(group, job, entries, e, l), centred = job.centred != 0;
  if (!takeOwnTargets(targets, job, group.own, 0, n, e)) return false;
  store<i32>(countOf(l), n);
  own.n = n;
  own.d = d;
  own.center = at(group.centers, l * d);
  own.factors = at(group.factors, l * d);
  takeMoments(placeOf(group, l, 0), centred);
  const plain = at(group.plain, l * d);
  memory.copy(plain, own.factors, (<usize>d) << 3);
  takeFactors(own, centred, job.declared, true);
  if (own.apart) {
    own.factors = plain;
    takeFactors(own, centred, 0, false);
  }
  const scale = 1.0 / targets.unit;
  for (let j = 0; j < n; j++) {
    setLane(entryOf<T>(group.target, j), l, (load<f64>(at(group.own, j)) - targets.level) * scale);
    if (!group.wide && group.widened) setLane(entryOf<T>(group.rows, j * group.rowStep + d), l, 1.0);
  }
  setLane(group.rest, l, <f64>(targets.freedom - group.k));
  return true;
}

/** Of the fold that was taken last. */
export function isApart(): bool {
  return own.apart;
}

/** Rows of lane l. */
export function rowsOf(l: i32): i32 {
  return load<i32>(countOf(l));
}

/** Places and targets of the rows that entry e leaves, whose number it returns; rows in f32 are widened. */
function findRows(group: FoldLanes, job: OwnRidge, entries: FoldEntries, e: i32, l: i32): i32 {
  const owner = load<u32>(entries.owners + ((<usize>e) << 2));
  let data = job.data, first = firstRow(data, owner), rows = rowCount(data, owner);
  let held = load<i32>(entries.folds + ((<usize>e) << 2)), n = 0;
  if (data.wide) {
    data = takeLeftRows(data, entries, e, at(group.left, l * group.n * (group.d + 1)));
    first = 0;
    rows = rowCount(data, 0);
    held = rows;
  }
  for (let row = 0; row < rows; row++) {
    if (row == held) {
      held += entries.parts;
      continue;
    }
    store<usize>(placeOf(group, l, n), rowAt(data, first + row));
    store<f64>(at(group.own, n++), load<f64>(targetAt(data, first + row)));
  }
  return n;
}

/**
 * Means and sums of squares about them, in one pass around the first row: that is one of those whose deviations are squared, so
 * that what is taken off again is at most n times what is left.
 */
function takeMoments(places: usize, centred: bool): void {
  const d = own.d, n = own.n, share = centred ? 1.0 / <f64>n : 0.0;
  const base = load<usize>(places), end = places + <usize>n * sizeof<usize>();
  let c = 0;
  if (ASC_FEATURE_SIMD) {
    // Four columns at a time, so that sums do not wait for one another; the last four may overlap those before.
    for (; d >= 4 && c < d; c += 4) takeFour(places, end, centred, share, min(c, d - 4));
  }
  for (; c < d; c++) {
    const shift = centred ? load<f64>(at(base, c)) : 0.0;
    let sum = 0.0, squares = 0.0;
    for (let place = places; place < end; place += sizeof<usize>()) {
      const off = load<f64>(at(load<usize>(place), c)) - shift;
      sum += off;
      squares += off * off;
    }
    const mean = share * sum;
    store<f64>(at(own.center, c), shift + mean);
    store<f64>(at(own.factors, c), max(squares - mean * sum, 0.0));
  }
}

function takeFour(places: usize, end: usize, centred: bool, share: f64, c: i32): void {
  const base = at(load<usize>(places), c), none = f64x2.splat(0);
  const left = centred ? v128.load(base) : none, right = centred ? v128.load(base, 16) : none;
  let leftSum = none, leftSquares = none, rightSum = none, rightSquares = none;
  for (let place = places; place < end; place += sizeof<usize>()) {
    const row = at(load<usize>(place), c);
    let off = f64x2.sub(v128.load(row), left);
    leftSum = f64x2.add(leftSum, off);
    leftSquares = f64x2.add(leftSquares, f64x2.mul(off, off));
    off = f64x2.sub(v128.load(row, 16), right);
    rightSum = f64x2.add(rightSum, off);
    rightSquares = f64x2.add(rightSquares, f64x2.mul(off, off));
  }
  putMoments(share, left, leftSum, leftSquares, c);
  putMoments(share, right, rightSum, rightSquares, c + 2);
}

@inline function putMoments(share: f64, shift: v128, sum: v128, squares: v128, c: i32): void {
  const mean = f64x2.mul(f64x2.splat(share), sum);
  const spread = f64x2.sub(squares, f64x2.mul(mean, sum));
  v128.store(at(own.center, c), f64x2.add(shift, mean));
  v128.store(at(own.factors, c), f64x2.max(spread, f64x2.splat(0)));
}

/** Rows of all lanes <- (row - center) factors. */
export function placeRows<T>(group: FoldLanes): void {
  const d = group.d;
  // A lane without that row reads another, and is then zero.
  const any = load<usize>(placeOf(group, 0, 0));
  for (let j = 0; j < group.n; j++) {
    const to = entryOf<T>(group.rows, j * group.rowStep);
    for (let l = 0; l < LANES; l++) {
      if (j >= load<i32>(countOf(l))) store<usize>(placeOf(group, l, j), any);
    }
    let c = 0;
    if (ASC_FEATURE_SIMD) c = placePairs(group, j, to);
    for (; c < d; c++) {
      for (let l = 0; l < LANES; l++) setLane(entryOf<T>(to, c * group.columnStep), l, scaled(group, l, j, c));
    }
    for (let l = 0; l < LANES; l++) {
      if (j < load<i32>(countOf(l))) continue;
      for (c = 0; c < d; c++) setLane(entryOf<T>(to, c * group.columnStep), l, 0.0);
    }
  }
}

/** Two columns at a time, of four lanes; returns how many there are. */
function placePairs(group: FoldLanes, j: i32, to: usize): i32 {
  const d = group.d, even = d & ~1, span = (<usize>d) << 3, step = entryOf<v128>(0, group.columnStep);
  let a = load<usize>(placeOf(group, 0, j)), b = load<usize>(placeOf(group, 1, j));
  let c = load<usize>(placeOf(group, 2, j)), e = load<usize>(placeOf(group, 3, j));
  let center = group.centers, factor = group.factors;
  for (const end = at(center, even); center < end; center += 16) {
    const p = scaledPair(a, center, factor), q = scaledPair(b, center + span, factor + span);
    const r = scaledPair(c, center + 2 * span, factor + 2 * span);
    const s = scaledPair(e, center + 3 * span, factor + 3 * span);
    const left = v128.shuffle<f32>(p, q, 0, 4, 1, 5), right = v128.shuffle<f32>(r, s, 0, 4, 1, 5);
    v128.store(to, v128.shuffle<f64>(left, right, 0, 2));
    v128.store(to + step, v128.shuffle<f64>(left, right, 1, 3));
    to += 2 * step;
    a += 16;
    b += 16;
    c += 16;
    e += 16;
    factor += 16;
  }
  return even;
}

@inline function scaledPair(x: usize, center: usize, factor: usize): v128 {
  const off = f64x2.sub(v128.load(x), v128.load(center));
  return f32x4.demote_f64x2_zero(f64x2.mul(off, v128.load(factor)));
}

function scaled(group: FoldLanes, l: i32, j: i32, c: i32): f64 {
  const lane = l * group.d + c;
  const off = load<f64>(at(load<usize>(placeOf(group, l, j)), c)) - load<f64>(at(group.centers, lane));
  return off * load<f64>(at(group.factors, lane));
}
