/**
 * Every task's Bayesian logistic regression: the average of posterior modes over a public grid of prior
 * deviations, each weighted by its evidence on the task's own rows (Laplace's approximation).
 * @see MacKay (1992), "The evidence framework applied to classification networks"
 * @module
 */
import { exp, log } from "../../../core/elementary.js";
import { marginError } from "../margin-losses.js";
import { solveTasks } from "../local-solves.js";
import type { ResidentTasks } from "../resident-tasks.js";
import { hypothesesOf } from "./logistic-grid.js";
import { laplacePivots, type Rows } from "./determinants.js";
import { ownRows } from "./own-scale.js";
import { LOGISTIC } from "./settings.js";
import type { LocalModels } from "../local-models.js";

/** Models of all tasks, whose rows are dense. */
export function logisticModels(tasks: ResidentTasks): LocalModels {
  const { core, m, d, rows, intercept, known } = tasks;
  const { arena } = core;
  const mark = arena.mark();
  const offsets = arena.words(tasks.offsets, m + 1).slice();
  const given = arena.view(tasks.x, rows * d).slice();
  const y = arena.view(tasks.y, rows).slice();
  const s = tasks.sampleWeights();
  const q = intercept ? d + 1 : d;
  const x = new Float64Array(rows * q).fill(1);
  const factors = new Float64Array(m * d);
  const centers = new Float64Array(m * d);
  // A feature of mean square 1/3 keeps the slope that the grid is about.
  const size = Math.sqrt(tasks.features * LOGISTIC.meanSquare);
  for (let i = 0; i < m; i++) {
    const [from, to] = [offsets[i]!, offsets[i + 1]!];
    const own = ownRows(
      { x: given.subarray(from * d, to * d), n: to - from, d, s: s?.subarray(from, to) },
      { centered: intercept && !known.features, declared: known.features },
    );
    factors.set(
      own.factors.map((g) => g * size),
      i * d,
    );
    centers.set(own.center, i * d);
    for (let row = from; row < to; row++) {
      for (let j = 0; j < d; j++) x[row * q + j] = own.z[(row - from) * d + j]! * size;
    }
  }
  const placed = tasks.summed(arena.copyOf(x), q);
  const weights = arena.zeros(m * q);
  const precision = arena.zeros(q * q);
  const all = hypothesesOf(intercept);
  const ownOf = Array.from({ length: m }, (_, i) => {
    const [from, to] = [offsets[i]!, offsets[i + 1]!];
    const own = { x: x.subarray(from * q, to * q), n: to - from, q };
    return { ...own, y: y.subarray(from, to), s: s?.subarray(from, to) };
  });
  const modes: Float64Array[] = [];
  const logs = all.map((hypothesis) => {
    const variances = new Float64Array(q).fill(hypothesis.slopes ** 2);
    if (intercept) variances[d] = hypothesis.intercept ** 2;
    const diagonal = arena.view(precision, q * q);
    for (let c = 0; c < q; c++) diagonal[c * q + c] = 1 / variances[c]!;
    solveTasks(placed, { precision, center: 0 }, { weights, intercepts: 0 });
    const found = arena.view(weights, m * q).slice();
    modes.push(found);
    return Float64Array.from(ownOf, (own, i) => {
      const mode = found.subarray(i * q, (i + 1) * q);
      return hypothesis.prior + evidence(own, mode, variances);
    });
  });
  arena.release(mark);
  const result = { weights: new Float64Array(m * d), intercepts: new Float64Array(m) };
  for (let i = 0; i < m; i++) {
    const most = Math.max(...logs.map((of) => of[i]!));
    const parts = logs.map((of) => exp(of[i]! - most));
    const total = parts.reduce((a, b) => a + b, 0);
    modes.forEach((mode, h) => {
      const part = parts[h]! / total;
      for (let j = 0; j < d; j++) {
        const w = part * mode[i * q + j]! * factors[i * d + j]!;
        result.weights[i * d + j]! += w;
        result.intercepts[i]! -= w * centers[i * d + j]!;
      }
      if (intercept) result.intercepts[i]! += part * mode[i * q + d]!;
    });
  }
  return result;
}

/** Laplace's log evidence at the mode: log-likelihood, prior, and -1/2 log det(I + V^1/2 X^T D X V^1/2). */
function evidence(
  own: Rows & { readonly y: Float64Array; readonly s: Float64Array | undefined },
  mode: Float64Array,
  variances: Float64Array,
): number {
  const { x, n, q, y, s } = own;
  let value = 0;
  for (let c = 0; c < q; c++) value -= mode[c]! ** 2 / (2 * variances[c]!);
  const roots = new Float64Array(n);
  for (let row = 0; row < n; row++) {
    let margin = 0;
    for (let c = 0; c < q; c++) margin += x[row * q + c]! * mode[c]!;
    const weight = s?.[row] ?? 1;
    value -= weight * marginError("logistic", margin, y[row]!);
    const p = 1 / (1 + exp(-margin));
    roots[row] = Math.sqrt(weight * (p * (1 - p)));
  }
  for (const pivot of laplacePivots(own, roots, variances)) value -= log(pivot);
  return value;
}
