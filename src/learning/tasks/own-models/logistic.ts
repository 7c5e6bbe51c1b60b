/**
 * Every task's Bayesian logistic regression: the average of posterior modes over a public grid of prior
 * deviations, each moderated as unseen rows ask for and weighted by its evidence on the task's own rows (Laplace's approximation).
 * @see MacKay (1992), "The evidence framework applied to classification networks"
 * @module
 */
import type { Pointer } from "../../../core/index.js";
import { solveEach, type TaskRange } from "../solves/local-solves.js";
import type { ResidentTasks } from "../resident-tasks.js";
import { hypothesesOf, type Hypothesis } from "./logistic-grid.js";
import { laplaceAverage } from "./laplace-average.js";
import type { Unsolved } from "./own-ridge.js";
import { ownRows, plainPart } from "./own-scale.js";
import type { LocalModels } from "../local-models.js";
import { isUnsolved } from "../solves/unsolved-task.js";

/** Bytes of the modes of tasks that are solved together. */
const MODES_BYTES = 2 ** 22;

/** Models of all tasks, with dense rows; where offsets of features matter, averages by evidence over scales with and without them. */
export function logisticModels(tasks: ResidentTasks, unsolved: Unsolved): LocalModels {
  const { m, d } = tasks;
  const all = Array.from({ length: m }, (_, i) => i);
  const models = modelsOnScale(tasks, all, true, unsolved);
  const apart = all.filter((i) => models.apart[i]);
  if (apart.length === 0) return models;
  const plain = modelsOnScale(tasks, apart, false, unsolved);
  for (const i of apart) {
    const more = plain.evidence[i]! - models.evidence[i]!;
    const part = plainPart(models.sizes[i]!, Number.isNaN(more) ? -Infinity : more);
    for (let k = i * d; k < (i + 1) * d; k++) {
      models.weights[k]! += part * (plain.weights[k]! - models.weights[k]!);
    }
    models.intercepts[i]! += part * (plain.intercepts[i]! - models.intercepts[i]!);
  }
  return models;
}

/** Models on one scale; zeros for tasks that were not asked for or could not be solved. */
interface ScaledModels extends LocalModels {
  /** Rows of every task. */
  readonly sizes: Uint32Array;
  /** Logarithms of the evidence, [m]; NaN of a task without a model. */
  readonly evidence: Float64Array;
  /** Whether features' offsets make another scale, [m]. */
  readonly apart: Uint8Array;
}

function modelsOnScale(
  tasks: ResidentTasks,
  wanted: readonly number[],
  place: boolean,
  unsolved: Unsolved,
): ScaledModels {
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
  const apart = new Uint8Array(m);
  for (const i of wanted) {
    const [from, to] = [offsets[i]!, offsets[i + 1]!];
    const own = ownRows(
      { x: given.subarray(from * d, to * d), n: to - from, d, s: s?.subarray(from, to) },
      { centered: intercept && !known.features, declared: known.features, place },
    );
    factors.set(own.factors, i * d);
    centers.set(own.center, i * d);
    apart[i] = +own.apart;
    for (let row = from; row < to; row++) {
      for (let j = 0; j < d; j++) x[row * q + j] = own.z[(row - from) * d + j]!;
    }
  }
  const placed = tasks.summed(arena.copyOf(x), q);
  const { averages, evidence } = averagesOf(placed, offsets, wanted, intercept, unsolved);
  arena.release(mark);
  const result = { weights: new Float64Array(m * d), intercepts: new Float64Array(m) };
  for (const i of wanted) {
    let level = intercept ? averages[i * q + d]! : 0;
    for (let j = 0; j < d; j++) {
      const w = averages[i * q + j]! * factors[i * d + j]!;
      result.weights[i * d + j] = w;
      level -= w * centers[i * d + j]!;
    }
    result.intercepts[i] = level;
  }
  const sizes = Uint32Array.from({ length: m }, (_, i) => offsets[i + 1]! - offsets[i]!);
  return { ...result, sizes, evidence, apart };
}

/** Averages of modes, [m, q], several tasks at a time; if one of them fails and that is allowed, each of these by itself. */
function averagesOf(
  tasks: ResidentTasks,
  offsets: Uint32Array,
  wanted: readonly number[],
  intercept: boolean,
  unsolved: Unsolved,
) {
  const { core, m, d: q } = tasks;
  const hypotheses = hypothesesOf(intercept);
  const averages = new Float64Array(m * q);
  const evidence = new Float64Array(m).fill(NaN);
  const most = Math.max(1, Math.floor(MODES_BYTES / (8 * hypotheses.length * q)));
  const average = (range: TaskRange): void => {
    const { first, count } = range;
    const mark = core.arena.mark();
    try {
      const modes = modesOf(tasks, range, offsets, hypotheses, intercept);
      const found = laplaceAverage(tasks, range, hypotheses, modes, intercept);
      averages.set(found.averages, first * q);
      evidence.set(found.evidence, first);
    } catch (error) {
      if (unsolved === "refuse" || !isUnsolved(error)) throw error;
      if (count > 1) for (let i = 0; i < count; i++) average({ first: first + i, count: 1 });
    } finally {
      core.arena.release(mark);
    }
  };
  for (let k = 0; k < wanted.length;) {
    const first = wanted[k]!;
    let count = 1;
    while (count < most && wanted[k + count] === first + count) count++;
    average({ first, count });
    k += count;
  }
  return { averages, evidence };
}

/**
 * The modes of a range's tasks under every hypothesis, [hypotheses, count, q] in the core, each found from the one before.
 * Meanwhile the last column is scaled so that one penalty serves it and the slopes, for which Newton's method has a shorter way.
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
