/**
 * Every task's average of posterior modes of logistic regressions under several normal priors, each weighted by Laplace's
 * approximation of its evidence: at a mode w of a prior of variances V
 *   log evidence = -sum_j s_j log(1 + exp(-y_j x_j w)) - w^T V^-1 w / 2 - log det(I + V^1/2 X^T D X V^1/2) / 2,
 * D the rows' curvatures. A prior has one variance for all columns but the last, which stands for the intercept and is 1 in
 * every row.
 *
 * A mode is surer of rows that it has not seen than the posterior around it: their log-odds have a variance v, and are moderated to
 * log-odds / sqrt(1 + pi v / 8). One v serves a task: that of its own rows if each had been left out, on the average,
 *   v = (f / (n - f)) / mean D, f = tr(X^T D X (X^T D X + V^-1)^-1),
 * exact of a single row. A part of that, `moderation`, is taken: a mode lies nearer to zero than the mean.
 *
 * With fewer rows than columns the determinant is that of I + D^1/2 X V X^T D^1/2, whose X X^T all priors share. Pivots of
 * the Cholesky factor are 1 or more, and sixteen of them share a logarithm.
 * Cost of a task and prior: 2 n q + 2 k^3 / 3 flops, k = min(n, q), and n q (q + 1) where n >= q.
 *
 * Sources: MacKay (1992), "The evidence framework applied to classification networks", for the evidence and moderated log-odds; Craven and
 * Wahba (1979), "Smoothing noisy data with spline functions", for leaving out on the average.
 */
import { at } from "../address";
import { NARROW } from "../blas/narrow-gram";
import { syrk, syrkWorkspace } from "../blas/symmetric";
import { transpose } from "../blas/transpose";
import { addScaled, dot, scale } from "../blas/vector";
import { cholesky } from "../cholesky";
import { predictRows } from "./row-products";
import { rowsAt } from "./wide-rows";
import { firstRow, rowCount, targetAt, TaskData, weightsAt } from "./task-data";
import { weightedTerms } from "./weighted-loss";

const LOG_EVERY: i32 = 16;

/** As src/learning/tasks/own-models/laplace-average.ts writes it. */
@unmanaged
export class LaplaceAverage {
  /** What power of the factor that moderates log-odds models are multiplied by; 0: modes as they are. */
  moderation: f64;
  /** Dense rows of q columns, labels -1 and 1; scales are not read. */
  data: TaskData;
  /** How many priors. */
  count: i32;
  /** f64[count, m, q]. */
  modes: usize;
  /** f64[count] each: variances of the slopes and, or 0, of the last column; log priors of the priors. */
  slopes: usize;
  levels: usize;
  priors: usize;
  /** f64[m, q]: the averages, and f64[m]: logarithms of their weights' sums. */
  averages: usize;
  evidence: usize;
  /** `laplaceAverageWorkspace` bytes. */
  work: usize;
}

@inline function after(base: usize, n: i32): usize {
  return (at(base, n) + 15) & ~15;
}

/** Bytes of scratch for tasks of at most n rows, of q columns. */
export function laplaceAverageWorkspace(n: i32, q: i32, count: i32): f64 {
  const k = <f64>min(n, q);
  const own = 2.0 * <f64>count + 3.0 * <f64>n + <f64>n * <f64>q + 2.0 * k * k;
  return 8.0 * own + 16.0 * 9.0 + Math.max(gramWorkspace(n, q), gramWorkspace(q, min(n, q)));
}

/** Of at most n columns: narrow ones have a way of their own. */
function gramWorkspace(m: i32, n: i32): f64 {
  return Math.max(syrkWorkspace(m, n), syrkWorkspace(m, min(n, NARROW)));
}

/** All tasks' averages; 0, or 1 + the task whose evidence is not finite. */
export function laplaceAverage(job: LaplaceAverage): i32 {
  for (let i = 0; i < job.data.m; i++) if (!averageOne(job, i)) return i + 1;
  return 0;
}

function averageOne(job: LaplaceAverage, i: i32): bool {
  const data = job.data, q = data.d, n = rowCount(data, i), from = firstRow(data, i);
  const x = rowsAt(data, from, n), y = targetAt(data, from), s = weightsAt(data, from);
  const wide = n < q, k = min(n, q);
  const logs = job.work;
  const factors = after(logs, job.count);
  const predictions = after(factors, job.count);
  const slopes = after(predictions, n), roots = after(slopes, n), rows = after(roots, n);
  const gram = after(rows, n * q), system = after(gram, k * k), scratch = after(system, k * k);
  if (wide) {
    transpose(x, rows, n, q);
    syrk(rows, gram, q, n, scratch);
  }
  let most = -Infinity;
  for (let h = 0; h < job.count; h++) {
    const mode = modeAt(job, h, i);
    predictRows<f64>(x, (<usize>q) << 3, mode, 0.0, predictions, n, q);
    const loss = weightedTerms(1, predictions, y, s, slopes, roots, n, 1.0);
    let curvature = 0.0;
    for (let j = 0; j < n; j++) {
      const own = load<f64>(at(roots, j));
      curvature += own;
      store<f64>(at(roots, j), Math.sqrt(own));
    }
    const variance = load<f64>(at(job.slopes, h));
    const level = job.levels ? load<f64>(at(job.levels, h)) : variance;
    if (wide) scaleByRows(gram, roots, variance, level - variance, system, n);
    else {
      for (let j = 0; j < n; j++) {
        const row = at(rows, j * q);
        memory.copy(row, at(x, j * q), (<usize>q) << 3);
        scale(load<f64>(at(roots, j)), row, q);
      }
      syrk(rows, system, n, q, scratch);
      scaleByColumns(system, variance, level, q);
    }
    if (cholesky(system, k) != 0) return false;
    const last = load<f64>(at(mode, q - 1));
    const penalty = (dot(mode, mode, q - 1) / variance + (last * last) / level) / 2.0;
    const value = load<f64>(at(job.priors, h)) - loss - penalty - logOfPivots(system, k);
    store<f64>(at(logs, h), value);
    most = Math.max(most, value);
    store<f64>(at(factors, h), factorOf(job.moderation, traceOfInverse(system, k, scratch), k, n, curvature));
  }
  return weigh(job, i, logs, factors, most);
}

@inline function modeAt(job: LaplaceAverage, h: i32, i: i32): usize {
  const m = <usize>job.data.m, q = <usize>job.data.d;
  return job.modes + (((<usize>h * m + <usize>i) * q) << 3);
}

/** Lower triangle of out <- I + R (variance G + more 1 1^T) R. */
function scaleByRows(gram: usize, roots: usize, variance: f64, more: f64, out: usize, n: i32): void {
  for (let i = 0; i < n; i++) {
    const from = at(gram, i * n), to = at(out, i * n), own = load<f64>(at(roots, i));
    for (let j = 0; j <= i; j++) {
      const both = own * load<f64>(at(roots, j));
      store<f64>(at(to, j), both * (variance * load<f64>(at(from, j)) + more));
    }
    store<f64>(at(to, i), load<f64>(at(to, i)) + 1.0);
  }
}

/** Lower triangle of a <- I + V^1/2 a V^1/2. */
function scaleByColumns(a: usize, variance: f64, level: f64, q: i32): void {
  const last = Math.sqrt(variance * level);
  for (let i = 0; i < q; i++) {
    const row = at(a, i * q);
    scale(i == q - 1 ? last : variance, row, i);
    const own = i == q - 1 ? level : variance;
    store<f64>(at(row, i), own * load<f64>(at(row, i)) + 1.0);
  }
}

/** Sum of the logarithms of the diagonal of L f64[k, k]. */
function logOfPivots(l: usize, k: i32): f64 {
  let sum = 0.0, product = 1.0;
  for (let i = 0; i < k; i++) {
    product *= load<f64>(at(l, i * (k + 1)));
    if (i % LOG_EVERY == LOG_EVERY - 1 || i == k - 1) {
      sum += Math.log(product);
      product = 1.0;
    }
  }
  return sum;
}

/** tr((L L^T)^-1) of L f64[k, k], the squares of L^-1, column by column in `column`. */
function traceOfInverse(l: usize, k: i32, column: usize): f64 {
  let sum = 0.0;
  for (let j = 0; j < k; j++) {
    for (let i = j; i < k; i++) {
      const row = at(l, i * k);
      const rest = (i == j ? 1.0 : 0.0) - dot(at(row, j), at(column, j), i - j);
      const value = rest / load<f64>(at(row, i));
      store<f64>(at(column, i), value);
      sum += value * value;
    }
  }
  return sum;
}

/** @param trace of (I + D^1/2 X V X^T D^1/2)^-1, or of the same of columns: k less what the rows determine. */
function factorOf(power: f64, trace: f64, k: i32, n: i32, curvature: f64): f64 {
  const free = <f64>k - trace;
  const variance = ((free / (<f64>n - free)) * <f64>n) / curvature;
  // Where rows are sure beyond doubles there is nothing to moderate by.
  if (!(variance > 0.0) || variance == Infinity) return 1.0;
  return Math.exp(-0.5 * power * Math.log1p((Math.PI / 8.0) * variance));
}

/** The average of task i's modes, each moderated; false if evidence is not finite. */
function weigh(job: LaplaceAverage, i: i32, logs: usize, factors: usize, most: f64): bool {
  const q = job.data.d, out = at(job.averages, i * q);
  let total = 0.0;
  for (let h = 0; h < job.count; h++) {
    const part = Math.exp(load<f64>(at(logs, h)) - most);
    store<f64>(at(logs, h), part);
    total += part;
  }
  if (!(total > 0.0)) return false;
  store<f64>(at(job.evidence, i), most + Math.log(total));
  memory.fill(out, 0, (<usize>q) << 3);
  for (let h = 0; h < job.count; h++) {
    const part = (load<f64>(at(factors, h)) * load<f64>(at(logs, h))) / total;
    addScaled(part, modeAt(job, h, i), out, q);
  }
  return true;
}
