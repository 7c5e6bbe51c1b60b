/**
 * Every task's Bayesian logistic regression: the average of posterior modes over a public grid of prior
 * deviations, each moderated as unseen rows ask for and weighted by its evidence on the task's own rows (Laplace's approximation).
 * @see MacKay (1992), "The evidence framework applied to classification networks"
 * @module
 */
import type { Pointer } from "../../../core/index.js";
import { solveEach, type TaskRange } from "../local-solves.js";
import type { ResidentTasks } from "../resident-tasks.js";
import { hypothesesOf, type Hypothesis } from "./logistic-grid.js";
import { laplaceAverage } from "./laplace-average.js";
import type { Unsolved } from "./own-ridge.js";
import { ownRows } from "./own-scale.js";
import type { LocalModels } from "../local-models.js";

/** Bytes of the modes of tasks that are solved together. */
const MODES_BYTES = 2 ** 22;

/** Models of all tasks, whose rows are dense. */
export function logisticModels(tasks: ResidentTasks, unsolved: Unsolved = "refuse"): LocalModels {
  const { core, m, d, rows, intercept, known } = tasks;
  const { arena } = core;
  const mark = arena.mark();
  const offsets = arena.words(tasks.offsets, m + 1).slice();
  const given = arena.view(tasks.wideRows(0, rows), rows * d).slice();
  const s = tasks.sampleWeights();
  const q = intercept ? d + 1 : d;
  const x = new Float64Array(rows * q).fill(1);
  const factors = new Float64Array(m * d);
  const centers = new Float64Array(m * d);
  for (let i = 0; i < m; i++) {
    const [from, to] = [offsets[i]!, offsets[i + 1]!];
    const own = ownRows(
      { x: given.subarray(from * d, to * d), n: to - from, d, s: s?.subarray(from, to) },
      { centered: intercept && !known.features, declared: known.features },
    );
    factors.set(own.factors, i * d);
    centers.set(own.center, i * d);
    for (let row = from; row < to; row++) {
      for (let j = 0; j < d; j++) x[row * q + j] = own.z[(row - from) * d + j]!;
    }
  }
  const placed = tasks.summed(arena.copyOf(x), q);
  const averages = averagesOf(placed, offsets, intercept, unsolved);
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

/** Every task's average of modes, [m, q], by some tasks at a time; where one of these cannot be had, and is not refused, one by one. */
function averagesOf(
  tasks: ResidentTasks,
  offsets: Uint32Array,
  intercept: boolean,
  unsolved: Unsolved,
): Float64Array {
  const { core, m, d: q } = tasks;
  const hypotheses = hypothesesOf(intercept);
  const averages = new Float64Array(m * q);
  const most = Math.max(1, Math.floor(MODES_BYTES / (8 * hypotheses.length * q)));
  const average = (range: TaskRange): void => {
    const { first, count } = range;
    const mark = core.arena.mark();
    try {
      const modes = modesOf(tasks, range, offsets, hypotheses, intercept);
      averages.set(laplaceAverage(tasks, range, hypotheses, modes, intercept), first * q);
    } catch (error) {
      if (unsolved === "refuse" || !(error instanceof RangeError)) throw error;
      if (count > 1) for (let i = 0; i < count; i++) average({ first: first + i, count: 1 });
    } finally {
      core.arena.release(mark);
    }
  };
  for (let first = 0; first < m; first += most)
    average({ first, count: Math.min(most, m - first) });
  return averages;
}

/**
 * The modes of a range's tasks under every hypothesis, [hypotheses, count, q] in the core, each found from the one before.
 * The last column is scaled for the time so that one penalty serves it and the slopes, which Newton's method has a shorter
 * way for.
 */
function modesOf(
  tasks: ResidentTasks,
  range: TaskRange,
  offsets: Uint32Array,
  hypotheses: readonly Hypothesis[],
  intercept: boolean,
): Pointer {
  const { core, d: q } = tasks;
  const { arena } = core;
  const { first, count } = range;
  const [from, to] = [offsets[first]!, offsets[first + count]!];
  const modes = arena.f64(hypotheses.length * count * q, "the tasks' logistic models");
  const weights = arena.zeros(count * q);
  const scaleLast = (factor: number) => {
    const values = arena.view(weights, count * q);
    for (let k = q - 1; k < values.length; k += q) values[k]! *= factor;
  };
  const fillLast = (value: number) => {
    const x = arena.view(tasks.x + 8 * from * q, (to - from) * q);
    for (let k = q - 1; k < x.length; k += q) x[k] = value;
  };
  hypotheses.forEach(({ slopes, intercept: own }, h) => {
    const ratio = intercept ? own / slopes : 1;
    if (intercept) {
      fillLast(ratio);
      scaleLast(1 / ratio);
    }
    const penalties = new Float64Array(count).fill(1 / slopes ** 2);
    solveEach(tasks, penalties, { weights, intercepts: 0 }, range);
    if (intercept) scaleLast(ratio);
    arena.view(modes + 8 * h * count * q, count * q).set(arena.view(weights, count * q));
  });
  if (intercept) fillLast(1);
  return modes;
}
