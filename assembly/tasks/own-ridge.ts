/**
 * Every task's Bayesian ridge model, averaged over a grid of variances of slopes and noise (and of ratios of the intercept's
 * variance to the slopes'), each point weighted by its evidence times prior:
 *   r = A v + e,  v ~ N(0, slopes I), e ~ N(0, noise I),  A the task's rows on their own scale, with a column of
 *   sqrt(ratio) for an intercept that is not centred away.
 *
 * With G = A A^T (fewer rows than columns) or A^T A, k its order, t = noise / slopes:
 *   -2 log evidence = (freedom - k) log noise + k log slopes + log det(G + t I) + square,
 *   square = r^T (A A^T + t I)^-1 r / slopes = (|r - A v|^2 + t |v|^2) / noise,
 * where v = (A^T A + t I)^-1 A^T r = A^T (A A^T + t I)^-1 r is the mean. Of A^T A that is done for the least t, and the
 * others follow: the sum grows by (t - t_0) v . v_0 (the resolvent's identity), so that nothing cancels. Variances are of equal steps on a scale of
 * logarithms, so that the t are few: one for each difference of positions.
 *
 * Where a feature's offset makes another scale of it, the model is the average over both scales, by the evidence of each
 * (`averagedScales` of src/learning/tasks/own-models/own-scale.ts).
 *
 * Cost of a task: n d min(n, d) + 4/3 min(n, d)^3 flops a ratio. Source: MacKay (1992), "Bayesian interpolation".
 */
import { at } from "../address";
import { NARROW } from "../blas/narrow-gram";
import { combineRows } from "../blas/combine";
import { syrk, syrkWorkspace } from "../blas/symmetric";
import { transpose } from "../blas/transpose";
import { addScaled, copy, dot, scale } from "../blas/vector";
import { OwnRidge } from "./own-ridge-job";
import { writeEvidence } from "./own-ridge-evidence";
import { OwnRows, takeOwnRows } from "./own-rows";
import { OwnTargets, takeOwnTargets } from "./own-targets";
import {
  combineSolutions, crossSolutions, layOutSystems, ShiftedSystems, shiftedSystemsBytes, solveSystems,
  solveSystemsWorkspace,
} from "./shifted-systems";
import { takeLeftRows } from "./left-rows";
import { firstRow, FoldEntries, rowCount, targetAt, TaskData, weightsAt } from "./task-data";

const rows = changetype<OwnRows>(memory.data(<i32>offsetof<OwnRows>(), 16));

/** As in src/learning/tasks/own-models/own-scale.ts, which says why. */
const PLAIN_ROWS = 8.0;

/** Logarithm of the evidence of what was averaged last. */
let told: f64 = 0.0;

/** Where the parts of the workspace lie, what is known of a task among them: static memory is not wiped. */
let targets: OwnTargets = changetype<OwnTargets>(0);
let target: usize = 0;
let sums: usize = 0;
let product: usize = 0;
let model: usize = 0;
let other: usize = 0;
let logs: usize = 0;
let coefficients: usize = 0;
let turned: usize = 0;
let gram: usize = 0;
let systemsAt: usize = 0;
let systemsBytes: usize = 0;
let scratch: usize = 0;

@inline function after(base: usize, n: i32): usize {
  return (at(base, n) + 15) & ~15;
}

/** Bytes of scratch for tasks of at most n rows, of d features. */
export function ownRidgeWorkspace(n: i32, d: i32, ratioCount: i32, points: i32, shiftCount: i32): f64 {
  const k = min(n, d + 1), side = <f64>k;
  const own = <f64>n * <f64>d * 2.0 + <f64>(2 * n + 7 * d + 10) + <f64>points + <f64>shiftCount + side * side;
  const gramWork = Math.max(gramWorkspace(n, d), gramWorkspace(d, min(n, d)));
  return 8.0 * own + 18.0 * 16.0 + <f64>ratioCount * shiftedSystemsBytes(k, shiftCount) +
    Math.max(gramWork, solveSystemsWorkspace(k, shiftCount));
}

/** Of at most n columns: narrow ones have a way of their own. */
function gramWorkspace(m: i32, n: i32): f64 {
  return Math.max(syrkWorkspace(m, n), syrkWorkspace(m, min(n, NARROW)));
}

/** The models of all tasks, or entries; 0, or 1 + the one whose rows or targets have products that are not finite. */
export function ownRidge(job: OwnRidge): i32 {
  if (!job.entries) {
    for (let i = 0; i < job.data.m; i++) if (!solveOne(job, job.data, i, i)) return i + 1;
    return 0;
  }
  const count = changetype<FoldEntries>(job.entries).count;
  for (let e = 0; e < count; e++) if (!solveEntry(job, e)) return e + 1;
  return 0;
}

/** The model of an entry; false as above. */
export function solveEntry(job: OwnRidge, e: i32): bool {
  return solveOne(job, takeLeftRows(job.data, changetype<FoldEntries>(job.entries), e, job.left), 0, e);
}

function layOut(job: OwnRidge, n: i32, d: i32, k: i32): void {
  targets = changetype<OwnTargets>(job.work);
  rows.center = (job.work + offsetof<OwnTargets>() + 15) & ~15;
  rows.factors = after(rows.center, d);
  rows.roots = after(rows.factors, d);
  rows.rows = after(rows.roots, n);
  target = after(rows.rows, n * d);
  sums = after(target, n);
  product = after(sums, d);
  model = after(product, d + 1);
  other = after(model, d + 1);
  logs = after(other, d + 1);
  coefficients = after(logs, job.ratioCount * job.slopeCount * job.noiseCount);
  turned = after(coefficients, job.shiftCount);
  gram = after(turned, n * d);
  systemsAt = after(gram, k * k);
  systemsBytes = <usize>shiftedSystemsBytes(k, job.shiftCount);
  scratch = systemsAt + <usize>job.ratioCount * systemsBytes;
}

@inline function systemsOf(ratio: i32): ShiftedSystems {
  return changetype<ShiftedSystems>(systemsAt + <usize>ratio * systemsBytes);
}

/** Task i of `data`, whose model goes to place `to`. */
function solveOne(job: OwnRidge, data: TaskData, i: i32, to: i32): bool {
  const n = rowCount(data, i), d = data.d;
  const w = at(job.weights, to * d);
  const widened = load<f64>(job.ratios) > 0.0;
  const columns = widened ? d + 1 : d;
  const wide = n < columns;
  const k = wide ? n : columns;
  layOut(job, n, d, k);
  const from = firstRow(data, i), y = targetAt(data, from);
  if (!takeOwnTargets(targets, job, y, weightsAt(data, from), n, to)) return true;
  takeOwnRows(rows, data, i, job.centred != 0, job.declared, true);
  for (let j = 0; j < n; j++) {
    const off = load<f64>(at(y, j)) - targets.level;
    store<f64>(at(target, j), load<f64>(at(rows.roots, j)) * off / targets.unit);
  }
  let constant = solveScaled(job, k, wide, widened, w);
  if (constant != constant) return false;
  if (rows.apart) {
    const first = told;
    takeOwnRows(rows, data, i, job.centred != 0, job.declared, false);
    memory.fill(other, 0, (<usize>d) << 3);
    const without = solveScaled(job, k, wide, widened, other);
    if (without != without) return false;
    const part = partWithoutOffsets(n, told - first);
    scale(1.0 - part, w, d);
    addScaled(part, other, w, d);
    constant = (1.0 - part) * constant + part * without;
  }
  if (job.intercepts) {
    store<f64>(at(job.intercepts, to), targets.level + constant * targets.unit - dot(w, rows.center, d));
  }
  return true;
}

/** Weight of the scale without offsets in a model of n rows whose evidence there is so much more, in logarithms. */
export function partWithoutOffsets(n: i32, more: f64): f64 {
  const odds = <f64>n / PLAIN_ROWS * Math.exp(more);
  return odds < Infinity ? odds / (1.0 + odds) : 1.0;
}

/** w f64[d], zeros, <- the model of `rows`, whose logarithm of evidence is `told`; returns the intercept's part, NaN where something is not finite. */
function solveScaled(job: OwnRidge, k: i32, wide: bool, widened: bool, w: usize): f64 {
  multiply(wide, widened);
  for (let r = 0; r < job.ratioCount; r++) {
    const systems = layOutSystems(systemsAt + <usize>r * systemsBytes, k, job.shifts, job.shiftCount);
    const root = Math.sqrt(load<f64>(at(job.ratios, r)));
    place(systems, root, wide);
    if (!solveSystems(systems, scratch)) return NaN;
    writeEvidence(job, r, systems, <f64>(targets.freedom - k), wide ? -1.0 : leastOf(systems, root), logs);
  }
  const constant = average(job, w, wide);
  scaleModel(w, targets.unit);
  return constant;
}

/** G of the rows without a column for the intercept; of A^T A also A^T r and, where there is that column, A^T of it, without
 * sqrt(ratio).
 */
function multiply(wide: bool, widened: bool): void {
  const n = rows.n, d = rows.d;
  if (wide) {
    transpose(rows.rows, turned, n, d);
    syrk(turned, gram, d, n, scratch);
    return;
  }
  syrk(rows.rows, gram, n, d, scratch);
  combineRows(1.0, 0, target, rows.rows, product, n, d);
  if (widened) combineRows(1.0, 0, rows.roots, rows.rows, sums, n, d);
}

/** G and b of the root of a ratio. */
function place(systems: ShiftedSystems, root: f64, wide: bool): void {
  const n = rows.n, order = wide ? n : rows.d, k4 = systems.k4, ratio = root * root;
  for (let i = 0; i < order; i++) {
    const to = at(systems.matrix, i * k4);
    copy(at(gram, i * order), to, order);
    if (wide && ratio > 0.0) {
      // Rounded alike above and below the diagonal, because roots go first.
      for (let j = 0; j < n; j++) {
        const both = load<f64>(at(rows.roots, i)) * load<f64>(at(rows.roots, j));
        store<f64>(at(to, j), load<f64>(at(to, j)) + ratio * both);
      }
    }
  }
  if (wide) {
    memory.copy(systems.right, target, (<usize>n) << 3);
    return;
  }
  memory.copy(systems.right, product, (<usize>order) << 3);
  if (ratio == 0.0) return;
  const d = order, last = at(systems.matrix, d * k4);
  for (let c = 0; c < d; c++) {
    const value = root * load<f64>(at(sums, c));
    store<f64>(at(last, c), value);
    store<f64>(at(systems.matrix, c * k4 + d), value);
  }
  store<f64>(at(last, d), ratio * dot(rows.roots, rows.roots, n));
  store<f64>(at(systems.right, d), root * dot(rows.roots, target, n));
}

/** |r - A v|^2 + t |v|^2 at the least t, of A^T A. */
function leastOf(systems: ShiftedSystems, root: f64): f64 {
  const n = rows.n, d = rows.d;
  crossSolutions(systems, model, scratch);
  let sum = load<f64>(systems.shifts) * dot(model, model, systems.k);
  const constant = root > 0.0 ? root * load<f64>(at(model, d)) : 0.0;
  for (let j = 0; j < n; j++) {
    const fit = dot(at(rows.rows, j * d), model, d) + constant * load<f64>(at(rows.roots, j));
    const left = load<f64>(at(target, j)) - fit;
    sum += left * left;
  }
  return sum;
}

/** w f64[d] <- the average of the means; returns the intercept's, or NaN if evidence is not finite. */
function average(job: OwnRidge, w: usize, wide: bool): f64 {
  const n = rows.n, d = rows.d;
  const count = job.slopeCount * job.noiseCount, points = job.ratioCount * count;
  let most = -Infinity, total = 0.0;
  for (let p = 0; p < points; p++) most = Math.max(most, load<f64>(at(logs, p)));
  for (let p = 0; p < points; p++) {
    const weight = Math.exp(load<f64>(at(logs, p)) - most);
    store<f64>(at(logs, p), weight);
    total += weight;
  }
  // Targets beyond what squares of numbers hold.
  if (!(total > 0.0)) return NaN;
  told = most + Math.log(total);
  scale(1.0 / total, logs, points);
  let constant = 0.0;
  for (let r = 0; r < job.ratioCount; r++) {
    const root = Math.sqrt(load<f64>(at(job.ratios, r)));
    memory.fill(coefficients, 0, (<usize>job.shiftCount) << 3);
    for (let s = 0, p = r * count; s < job.slopeCount; s++, p += job.noiseCount) {
      addScaled(1.0, at(logs, p), at(coefficients, job.slopeCount - 1 - s), job.noiseCount);
    }
    if (wide) {
      // v f64[n] lies where products of columns would.
      combineSolutions(systemsOf(r), coefficients, gram, scratch);
      combineRows(1.0, 0, gram, rows.rows, model, n, d);
      if (root > 0.0) constant += root * root * dot(rows.roots, gram, n);
    } else {
      combineSolutions(systemsOf(r), coefficients, model, scratch);
      if (root > 0.0) constant += root * load<f64>(at(model, d));
    }
    addScaled(1.0, model, w, d);
  }
  return constant;
}

/** On the scale of the given rows and targets. */
function scaleModel(w: usize, unit: f64): void {
  for (let k = 0; k < rows.d; k++) {
    store<f64>(at(w, k), load<f64>(at(w, k)) * load<f64>(at(rows.factors, k)) * unit);
  }
}
