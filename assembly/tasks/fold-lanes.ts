/**
 * Own models of several folds at once: where their rows lie in lanes (`blas/lanes.ts`), and the systems made of these.
 * All are of one order k: rows, where there are fewer of these than columns, else columns, with rows of zeros below shorter ones.
 */
import { at } from "../address";
import { add, addLanes, entryOf, every, lane, LANES, mul } from "../blas/lanes";
import { gramLanes } from "../blas/lane-gram";
import { LaneSystems, laneSystemsBytes } from "./lane-systems";
import { leftRowsBytes } from "./left-rows";
import { OwnRidge } from "./own-ridge-job";
import { OwnTargets } from "./own-targets";

/** A group of folds. Arrays are of T where nothing else is said. */
@unmanaged
export class FoldLanes {
  /** Order; rows of the longest; features; and whether there is a column of ones behind them. */
  k: i32;
  n: i32;
  d: i32;
  widened: bool;
  /** Whether the systems are of rows, A A^T. */
  wide: bool;
  /** Entries from row to row and from column to column: those that the systems are of lie side by side. */
  rowStep: i32;
  columnStep: i32;
  /** A, that is A^T[columns, k4] or A[n, k4], and r[n4]; n4, k4 are filled up to a multiple of four. */
  rows: usize;
  target: usize;
  /** A A^T or A^T A, [k4, k4], and A^T r[k4]. */
  gram: usize;
  product: usize;
  /** What the evidence subtracts from degrees of freedom: those of each less k, [1]. */
  rest: usize;
  /** Shifts of every ratio, [ratios, shiftCount], and systems, `systemsBytes` apart. */
  shifts: usize;
  systems: usize;
  systemsBytes: usize;
  /** Log evidence, then weights, of the grid's points; weights of the shifts [shiftCount]. */
  logs: usize;
  coefficients: usize;
  /** Averages: [max(d, k4)] each of the models of a ratio, or solutions, and of all; the intercept [1]. */
  model: usize;
  mean: usize;
  constant: usize;
  /** Least pivots and doubts; the largest log evidence of a point, and the sum of all in units of that: [1] each. */
  pivots: usize;
  doubts: usize;
  most: usize;
  total: usize;
  /** Scratch, [max(k4, shiftCount)]. */
  work: usize;
  /** Of every lane, in doubles [4, d] each: as `OwnRows` has them, factors also without offsets; targets of one fold, [n]; where their rows lie,
   * usize[4, n]; and room for rows and targets that are widened, [4, n (d + 1)]. */
  centers: usize;
  factors: usize;
  plain: usize;
  own: usize;
  places: usize;
  /** `OwnTargets` of every lane. */
  targets: usize;
  left: usize;
}

@inline function padded(n: i32): i32 {
  return (n + 3) & ~3;
}

/** Bytes for folds of at most n rows, without the record; entries of `size` bytes. */
export function foldLanesBytes(n: i32, d: i32, ratioCount: i32, points: i32, shiftCount: i32, size: f64): f64 {
  const k = min(n, d + 1), k4 = <f64>padded(k), n4 = <f64>padded(n), longest = <f64>padded(d + 1);
  const entries = n4 * (longest + 1.0) + k4 * k4 + k4 + 1.0 + <f64>ratioCount * <f64>shiftCount + <f64>points +
    <f64>shiftCount + 2.0 * longest + 5.0 + Math.max(k4, <f64>shiftCount);
  const doubles = 12.0 * <f64>d + <f64>n + <f64>LANES * (<f64>n + leftRowsBytes(n, d) / 8.0);
  return size * entries + <f64>ratioCount * laneSystemsBytes(k, shiftCount, size) + 8.0 * doubles +
    <f64>LANES * <f64>offsetof<OwnTargets>() + 64.0;
}

/** Lays a group out behind `base`, which is aligned to 16 bytes. */
export function layOutFolds<T>(group: FoldLanes, job: OwnRidge, base: usize, n: i32, k: i32): void {
  const d = job.data.d, k4 = padded(k);
  group.n = n;
  group.d = d;
  group.k = k;
  group.widened = load<f64>(job.ratios) > 0.0;
  const columns = group.widened ? d + 1 : d;
  group.wide = k < columns;
  group.rowStep = group.wide ? 1 : k4;
  group.columnStep = group.wide ? k4 : 1;
  const longest = max(d, k4), numbers = (group.wide ? columns : padded(n)) * k4;
  group.systemsBytes = <usize>laneSystemsBytes(k, job.shiftCount, <f64>sizeof<T>());
  group.systemsBytes = (group.systemsBytes + 15) & ~15;
  group.systems = base;
  group.rows = base + <usize>job.ratioCount * group.systemsBytes;
  group.target = entryOf<T>(group.rows, numbers);
  group.gram = entryOf<T>(group.target, padded(n));
  group.product = entryOf<T>(group.gram, k4 * k4);
  group.rest = entryOf<T>(group.product, k4);
  group.shifts = entryOf<T>(group.rest, 1);
  group.logs = entryOf<T>(group.shifts, job.ratioCount * job.shiftCount);
  group.coefficients = entryOf<T>(group.logs, job.ratioCount * job.slopeCount * job.noiseCount);
  group.model = entryOf<T>(group.coefficients, job.shiftCount);
  group.mean = entryOf<T>(group.model, longest);
  group.constant = entryOf<T>(group.mean, longest);
  group.pivots = entryOf<T>(group.constant, 1);
  group.doubts = entryOf<T>(group.pivots, 1);
  group.most = entryOf<T>(group.doubts, 1);
  group.total = entryOf<T>(group.most, 1);
  group.work = entryOf<T>(group.total, 1);
  group.centers = (entryOf<T>(group.work, max(k4, job.shiftCount)) + 15) & ~15;
  group.factors = at(group.centers, 4 * d);
  group.plain = at(group.factors, 4 * d);
  group.targets = at(group.plain, 4 * d);
  group.own = group.targets + <usize>LANES * offsetof<OwnTargets>();
  group.places = at(group.own, n);
  group.left = at(group.places, LANES * n);
  // What is not written to: rows that are not there, columns that fill up, and lanes.
  memory.fill(group.rows, 0, <usize>(numbers + padded(n)) * sizeof<T>());
  store<T>(group.rest, every<T>(0.0));
  memory.fill(group.centers, 0, (<usize>(12 * d)) << 3);
}

/** G of the rows; of A^T A with a column of ones where there is one, and A^T r. */
export function multiplyFolds<T>(group: FoldLanes): void {
  const k4 = padded(group.k);
  gramLanes<T>(group.rows, group.gram, k4, group.wide ? group.d : group.n);
  if (group.wide) return;
  memory.fill(group.product, 0, <usize>k4 * sizeof<T>());
  for (let j = 0; j < group.n; j++) {
    addLanes<T>(load<T>(entryOf<T>(group.target, j)), entryOf<T>(group.rows, j * k4), group.product, k4);
  }
}

/** G and b of a ratio, whose intercept's column is of its root. */
export function placeFolds<T>(group: FoldLanes, systems: LaneSystems, ratio: f64): void {
  const k = group.k, k4 = systems.k4, size = sizeof<T>();
  memory.copy(systems.matrix, group.gram, <usize>(k4 * k4) * size);
  memory.copy(systems.right, group.wide ? group.target : group.product, <usize>k4 * size);
  if (ratio == 0.0) return;
  if (group.wide) {
    for (let i = 0; i < k; i++) {
      for (let j = i & ~3; j < k; j++) {
        const entry = entryOf<T>(systems.matrix, i * k4 + j);
        store<T>(entry, add<T>(load<T>(entry), every<T>(ratio)));
      }
    }
    return;
  }
  const d = k - 1, root = every<T>(Math.sqrt(ratio));
  timesLanes<T>(root, entryOf<T>(systems.right, d));
  for (let c = 0; c < d; c++) {
    timesLanes<T>(root, entryOf<T>(systems.matrix, c * k4 + d));
    if (c >= (d & ~3)) timesLanes<T>(root, entryOf<T>(systems.matrix, d * k4 + c));
  }
  timesLanes<T>(every<T>(ratio), entryOf<T>(systems.matrix, d * k4 + d));
}

@inline function timesLanes<T>(factor: T, entry: usize): void {
  store<T>(entry, mul<T>(factor, load<T>(entry)));
}

/** The trace of G. */
export function traceOf<T>(systems: LaneSystems): T {
  let sum = every<T>(0.0);
  for (let i = 0; i < systems.k; i++) sum = add<T>(sum, load<T>(entryOf<T>(systems.matrix, i * (systems.k4 + 1))));
  return sum;
}

/** w f64[d] <- the mean of a lane, on the scale of the given rows and targets; returns its intercept. */
export function writeFold<T>(group: FoldLanes, targets: OwnTargets, l: i32, w: usize): f64 {
  const d = group.d, factors = at(group.factors, l * d), centers = at(group.centers, l * d);
  let shift = 0.0;
  for (let c = 0; c < d; c++) {
    const own = lane(entryOf<T>(group.mean, c), l) * load<f64>(at(factors, c)) * targets.unit;
    store<f64>(at(w, c), own);
    shift += own * load<f64>(at(centers, c));
  }
  return targets.level + lane(group.constant, l) * targets.unit - shift;
}
