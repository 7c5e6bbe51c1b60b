/**
 * Every task's Bayesian logistic regression: the average of posterior modes over a public grid of prior
 * deviations, each weighted by its evidence on the task's own rows (Laplace's approximation).
 * @see MacKay (1992), "The evidence framework applied to classification networks"
 * @module
 */
import type { Pointer } from "../../../core/index.js";
import { solveEach } from "../local-solves.js";
import type { ResidentTasks } from "../resident-tasks.js";
import { hypothesesOf, type Hypothesis } from "./logistic-grid.js";
import { laplaceAverage } from "./laplace-average.js";
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
  const all = hypothesesOf(intercept);
  const modes = modesOf(placed, all, intercept);
  const averages = laplaceAverage(placed, all, modes, intercept);
  arena.release(mark);
  const result = { weights: new Float64Array(m * d), intercepts: new Float64Array(m) };
  for (let i = 0; i < m; i++) {
    let level = intercept ? averages[i * q + d]! : 0;
    for (let j = 0; j < d; j++) {
      const w = averages[i * q + j]! * factors[i * d + j]!;
      result.weights[i * d + j] = w;
      level -= w * centers[i * d + j]!;
    }
    result.intercepts[i] = level;
  }
  return result;
}

/**
 * The modes of all tasks under every hypothesis, [hypotheses, m, q] in the core, each found from the one before. The last
 * column is scaled for the time so that one penalty serves it and the slopes, which Newton's method has a shorter way for.
 */
function modesOf(
  tasks: ResidentTasks,
  hypotheses: readonly Hypothesis[],
  intercept: boolean,
): Pointer {
  const { core, m, d: q, rows } = tasks;
  const { arena } = core;
  const modes = arena.f64(hypotheses.length * m * q);
  const weights = arena.zeros(m * q);
  const scaleLast = (at: Pointer, count: number, factor: number) => {
    const values = arena.view(at, count * q);
    for (let k = q - 1; k < values.length; k += q) values[k]! *= factor;
  };
  const fillLast = (value: number) => {
    const x = arena.view(tasks.x, rows * q);
    for (let k = q - 1; k < x.length; k += q) x[k] = value;
  };
  hypotheses.forEach(({ slopes, intercept: own }, h) => {
    const ratio = intercept ? own / slopes : 1;
    if (intercept) {
      fillLast(ratio);
      scaleLast(weights, m, 1 / ratio);
    }
    solveEach(tasks, new Float64Array(m).fill(1 / slopes ** 2), { weights, intercepts: 0 });
    if (intercept) scaleLast(weights, m, ratio);
    arena.view(modes + 8 * h * m * q, m * q).set(arena.view(weights, m * q));
  });
  if (intercept) fillLast(1);
  return modes;
}
