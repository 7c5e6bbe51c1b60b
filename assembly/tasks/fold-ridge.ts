/**
 * `ownRidge` of tasks without a fold of their rows, for choices among models only: in single precision, four folds of one order
 * side by side in the lanes of vectors. A fold's model is a matter of its own rows only, whoever its neighbours are.
 *
 * A fold has the model of `ownRidge` in doubles where single precision is not good enough: where points of the grid whose shifts
 * are small beside rounding (`fold-evidence.ts`) weigh more than `MOST_DOUBT`, where a number is not finite or a system not positive
 * definite; and where the rows of four would not stay in a second-level cache. What is then left of rounding moves a fold's mean loss by far
 * less than its rows' standard error, on which choices turn.
 */
import { at } from "../address";
import { dot } from "../blas/vector";
import { entryOf, lane, LANES, smaller } from "../blas/lanes";
import { averageFolds, foldEvidence } from "./fold-evidence";
import { FoldLanes, foldLanesBytes, layOutFolds, multiplyFolds, writeFold } from "./fold-lanes";
import { heldOut } from "./folds";
import { clearLanes, placeRows, takeFold } from "./fold-rows";
import { solveEntry } from "./own-ridge";
import { OwnRidge } from "./own-ridge-job";
import { OwnTargets } from "./own-targets";
import { FoldEntries, rowCount } from "./task-data";

/** Numbers of a fold's rows up to which it lies in a lane; the order is then at most 128. */
const MOST_NUMBERS: i32 = 1 << 14;
const MOST_DOUBT: f64 = 1e-2;

const group = changetype<FoldLanes>(memory.data(<i32>offsetof<FoldLanes>(), 16));
/** Entries of the lanes, and whether they need a system. */
const members = memory.data(16, 4);
const live = memory.data(16, 4);

@inline function word(base: usize, i: i32): usize {
  return base + ((<usize>i) << 2);
}

@inline function targetsOf(l: i32): OwnTargets {
  return changetype<OwnTargets>(group.targets + <usize>l * offsetof<OwnTargets>());
}

/** Bytes of `lanes` for tasks of at most n rows, of d features. */
export function foldRidgeWorkspace(n: i32, d: i32, ratioCount: i32, points: i32, shiftCount: i32): f64 {
  const most = min(n, max(MOST_NUMBERS / d, 1));
  return foldLanesBytes(most, d, ratioCount, points, shiftCount, 4.0 * <f64>LANES);
}

/** The models of all entries; 0, or 1 + the one whose rows or targets have products that are not finite. */
export function foldRidge(job: OwnRidge): i32 {
  if (ASC_FEATURE_SIMD) return solveAll<v128>(job);
  return solveAll<f32>(job);
}

/** Order by order, the least first; order 0 is what lanes do not take. */
function solveAll<T>(job: OwnRidge): i32 {
  const entries = changetype<FoldEntries>(job.entries);
  for (let k = 0, next = 0; k < i32.MAX_VALUE; k = next) {
    next = i32.MAX_VALUE;
    let count = 0;
    for (let e = 0; e < entries.count; e++) {
      const own = orderOf(job, entries, e);
      if (own > k) next = min(next, own);
      if (own != k) continue;
      if (k == 0) {
        if (!solveEntry(job, e)) return e + 1;
        continue;
      }
      store<i32>(word(members, count++), e);
      if (count < LANES) continue;
      const failed = solveGroup<T>(job, entries, k, count);
      if (failed > 0) return failed;
      count = 0;
    }
    if (count > 0) {
      const failed = solveGroup<T>(job, entries, k, count);
      if (failed > 0) return failed;
    }
  }
  return 0;
}

/** Rows of an entry. */
function rowsLeft(job: OwnRidge, entries: FoldEntries, e: i32): i32 {
  const n = rowCount(job.data, load<i32>(word(entries.owners, e)));
  return n - heldOut(n, load<i32>(word(entries.folds, e)), entries.parts);
}

/** Order of its systems, or 0. */
function orderOf(job: OwnRidge, entries: FoldEntries, e: i32): i32 {
  const n = rowsLeft(job, entries, e), d = job.data.d;
  const k = min(n, load<f64>(job.ratios) > 0.0 ? d + 1 : d);
  return n <= MOST_NUMBERS / d ? k : 0;
}

/** The first `count` members, of order k; 0, or as above. */
function solveGroup<T>(job: OwnRidge, entries: FoldEntries, k: i32, count: i32): i32 {
  let longest = 0;
  for (let l = 0; l < count; l++) longest = max(longest, rowsLeft(job, entries, load<i32>(word(members, l))));
  layOutFolds<T>(group, job, job.lanes, longest, k);
  clearLanes();
  for (let l = 0; l < count; l++) {
    const e = load<i32>(word(members, l));
    store<i32>(word(live, l), i32(takeFold<T>(group, job, entries, e, l, targetsOf(l))));
  }
  placeRows<T>(group);
  multiplyFolds<T>(group);
  store<T>(group.pivots, foldEvidence<T>(group, job, 0));
  for (let r = 1; r < job.ratioCount; r++) {
    store<T>(group.pivots, smaller<T>(load<T>(group.pivots), foldEvidence<T>(group, job, r)));
  }
  store<T>(group.doubts, averageFolds<T>(group, job));
  for (let l = 0; l < count; l++) {
    const e = load<i32>(word(members, l));
    if (load<i32>(word(live, l)) && !writeSound<T>(job, e, l) && !solveEntry(job, e)) return e + 1;
  }
  return 0;
}

/** Writes the model of a lane; false, and nothing is to be read, where it is not good enough. */
function writeSound<T>(job: OwnRidge, e: i32, l: i32): bool {
  if (!(lane(group.pivots, l) > 0.0 && lane(group.doubts, l) <= MOST_DOUBT)) return false;
  const d = group.d, w = at(job.weights, e * d);
  const intercept = writeFold<T>(group, targetsOf(l), l, w);
  if (job.intercepts) store<f64>(at(job.intercepts, e), intercept);
  return dot(w, w, d) + intercept * intercept < Infinity;
}
