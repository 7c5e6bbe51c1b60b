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
import { addScaled, dot, scale } from "../blas/vector";
import { entryOf, lane, LANES, smaller } from "../blas/lanes";
import { averageFolds, foldEvidence } from "./fold-evidence";
import { FoldLanes, foldLanesBytes, layOutFolds, multiplyFolds, writeFold } from "./fold-lanes";
import { heldOut } from "./folds";
import { clearLanes, isApart, placeRows, rowsOf, takeFold } from "./fold-rows";
import { partWithoutOffsets, solveEntry } from "./own-ridge";
import { OwnRidge } from "./own-ridge-job";
import { OwnTargets } from "./own-targets";
import { FoldEntries, rowCount } from "./task-data";

/** Numbers of a fold's rows up to which it lies in a lane; the order is then at most 128. */
const MOST_NUMBERS: i32 = 1 << 14;
const MOST_DOUBT: f64 = 1e-2;

const group = changetype<FoldLanes>(memory.data(<i32>offsetof<FoldLanes>(), 16));
/** Entries of the lanes, whether they need a system, whether one of two, and whether what is written is good enough. */
const members = memory.data(16, 4);
const live = memory.data(16, 4);
const apart = memory.data(16, 4);
const sound = memory.data(16, 4);
/** Logarithms of the evidence of the first, f64[4]. */
const told = memory.data(32, 8);

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
  let two = false;
  for (let l = 0; l < count; l++) {
    const e = load<i32>(word(members, l));
    const lives = takeFold<T>(group, job, entries, e, l, targetsOf(l));
    store<i32>(word(live, l), i32(lives));
    store<i32>(word(apart, l), i32(lives && isApart()));
    two = two || (lives && isApart());
  }
  average<T>(job);
  for (let l = 0; l < count; l++) {
    if (!load<i32>(word(live, l))) continue;
    store<i32>(word(sound, l), i32(writeSound<T>(job, load<i32>(word(members, l)), l)));
    store<f64>(at(told, l), evidenceOf<T>(l));
  }
  if (two) {
    memory.copy(group.factors, group.plain, (<usize>(LANES * group.d)) << 3);
    average<T>(job);
    for (let l = 0; l < count; l++) {
      if (!load<i32>(word(apart, l)) || !load<i32>(word(sound, l))) continue;
      store<i32>(word(sound, l), i32(addPlain<T>(job, load<i32>(word(members, l)), l)));
    }
  }
  for (let l = 0; l < count; l++) {
    const e = load<i32>(word(members, l));
    if (load<i32>(word(live, l)) && !load<i32>(word(sound, l)) && !solveEntry(job, e)) return e + 1;
  }
  return 0;
}

/** The averages of all lanes, on the scale of the group's factors. */
function average<T>(job: OwnRidge): void {
  placeRows<T>(group);
  multiplyFolds<T>(group);
  store<T>(group.pivots, foldEvidence<T>(group, job, 0));
  for (let r = 1; r < job.ratioCount; r++) {
    store<T>(group.pivots, smaller<T>(load<T>(group.pivots), foldEvidence<T>(group, job, r)));
  }
  store<T>(group.doubts, averageFolds<T>(group, job));
}

/** Logarithm of the evidence of a lane's average. */
function evidenceOf<T>(l: i32): f64 {
  return lane(group.most, l) + Math.log(lane(group.total, l));
}

@inline function isSound<T>(l: i32): bool {
  return lane(group.pivots, l) > 0.0 && lane(group.doubts, l) <= MOST_DOUBT;
}

/** Writes the model of a lane; false, and nothing is to be read, where it is not good enough. */
function writeSound<T>(job: OwnRidge, e: i32, l: i32): bool {
  if (!isSound<T>(l)) return false;
  const d = group.d, w = at(job.weights, e * d);
  const intercept = writeFold<T>(group, targetsOf(l), l, w);
  if (job.intercepts) store<f64>(at(job.intercepts, e), intercept);
  return dot(w, w, d) + intercept * intercept < Infinity;
}

/** The model of a lane, which lies at its place, with that of the scale without offsets, by evidence; false as above. */
function addPlain<T>(job: OwnRidge, e: i32, l: i32): bool {
  if (!isSound<T>(l)) return false;
  const d = group.d, w = at(job.weights, e * d);
  // Its factors have been copied.
  const other = at(group.plain, l * d);
  const without = writeFold<T>(group, targetsOf(l), l, other);
  const part = partWithoutOffsets(rowsOf(l), evidenceOf<T>(l) - load<f64>(at(told, l)));
  scale(1.0 - part, w, d);
  addScaled(part, other, w, d);
  const to = job.intercepts ? at(job.intercepts, e) : 0;
  let intercept = 0.0;
  if (to) {
    intercept = (1.0 - part) * load<f64>(to) + part * without;
    store<f64>(to, intercept);
  }
  return dot(w, w, d) + intercept * intercept < Infinity;
}
