/**
 * How well each task's model under a prior predicts its own rows when they are left out.
 * @module
 */
import * as math from "../../core/elementary.js";
import type { Pointer } from "../../core/index.js";
import { marginError } from "../tasks/margin-losses.js";
import { solveRidge, type QuadraticPrior } from "../tasks/solves/local-solves.js";
import { solveNearly } from "../tasks/solves/solve-nearly.js";
import type { ResidentTasks } from "../tasks/resident-tasks.js";
import type { PlacedModels } from "../tasks/local-models.js";

/** Smallest weight of a row in the quadratic model of the logistic loss. */
const LEAST_WEIGHT = 1e-12;

/** What rounding leaves of the objective under a prior that is nearly singular. */
const TOLERANCE = 1e-11;

/** What the rows say when they are left out one at a time. */
export interface LeftOut {
  /** Each row's loss under the model without it, [N]. */
  readonly losses: Float64Array;
  /** Each row's leverage: the part of its own prediction that it makes itself, 0 to 1, [N]. */
  readonly leverages: Float64Array;
}

/**
 * Solves every task as `solveTasks` does and leaves each row out: squared errors in closed
 * form (Golub, Heath, Wahba 1979); log-losses by one Newton step from the solution (Rad and Maleki
 * 2020), exact for a quadratic loss, whose leverages are those of that step.
 */
export function solveLeavingOneOut(
  tasks: ResidentTasks,
  prior: QuadraticPrior,
  models: PlacedModels,
): LeftOut {
  const { rows, core } = tasks;
  const { arena } = core;
  const mark = arena.mark();
  const margins = arena.f64(rows);
  const fitted = arena.f64(rows);
  if (tasks.loss === "squared") {
    solveEvery(tasks, prior, models, margins);
  } else {
    solveNearly(tasks, prior, models, TOLERANCE);
    newtonStepWithoutRow(tasks, prior, models, margins);
  }
  tasks.predict(models.weights, models.intercepts, fitted);
  const y = arena.view(tasks.y, rows);
  const left = arena.view(margins, rows);
  const kept = arena.view(fitted, rows);
  const losses = new Float64Array(rows);
  const leverages = new Float64Array(rows);
  for (let j = 0; j < rows; j++) {
    if (Number.isNaN(left[j]!)) {
      [losses[j], leverages[j]] = [Infinity, 1];
      continue;
    }
    losses[j] = marginError(tasks.loss, left[j]!, y[j]!);
    // Without the row its residual grows by 1 / (1 - leverage).
    const target = tasks.loss === "squared" ? y[j]! : newtonTarget(kept[j]!, y[j]!).target;
    const residual = target - left[j]!;
    const ratio = residual === 0 ? 1 : (target - kept[j]!) / residual;
    leverages[j] = Math.min(1, Math.max(0, 1 - ratio));
  }
  arena.release(mark);
  return { losses, leverages };
}

/**
 * Ridge models and each row's prediction without it. A task whose system has no solution in double precision has the prior's center, and
 * rows that nothing predicts: an end of the fit would tell of them.
 */
function solveEvery(
  tasks: ResidentTasks,
  prior: QuadraticPrior,
  { weights, intercepts }: PlacedModels,
  margins: Pointer,
): void {
  const { m, d, offsets, core } = tasks;
  const { arena } = core;
  const failed = solveRidge(tasks, prior, { weights, intercepts }, margins);
  const starts = arena.words(offsets, m + 1).slice();
  for (let i = failed === 0 ? m : failed - 1; i < m; i++) {
    const own = { weights: weights + 8 * i * d, intercepts: intercepts && intercepts + 8 * i };
    if (solveRidge(tasks, prior, own, margins, { first: i, count: 1 }) === 0) continue;
    const model = arena.view(own.weights, d);
    if (prior.center === 0) model.fill(0);
    else model.set(arena.view(prior.center, d));
    if (intercepts !== 0) arena.view(own.intercepts, 1)[0] = 0;
    arena.view(margins, starts[m]!).fill(NaN, starts[i], starts[i + 1]);
  }
}

/** Weight loss'' and target p - loss'/loss'' of the quadratic model of the logistic loss at margin p. */
function newtonTarget(p: number, label: number): { weight: number; target: number } {
  const right = 1 / (1 + math.exp(-label * p));
  const weight = Math.max(right * (1 - right), LEAST_WEIGHT);
  return { weight, target: p + (label * (1 - right)) / weight };
}

/**
 * At the optimum the logistic problem is the ridge problem of rows sqrt(o) x and targets
 * sqrt(o) (p - loss'/o), o = loss''(p): leaving a row out of that one is the Newton step.
 */
function newtonStepWithoutRow(
  tasks: ResidentTasks,
  { precision, center }: QuadraticPrior,
  { weights, intercepts }: PlacedModels,
  margins: Pointer,
): void {
  const { m, d, rows, core } = tasks;
  const { arena } = core;
  const width = tasks.intercept ? d + 1 : d;
  const x = arena.f64(rows * width);
  const y = arena.f64(rows);
  const penalty = arena.zeros(width * width);
  const origin = center === 0 ? 0 : arena.zeros(width);
  const solution = arena.zeros(m * width);
  tasks.predict(weights, intercepts, margins);

  const given = arena.view(tasks.x, rows * d);
  const labels = arena.view(tasks.y, rows);
  const predicted = arena.view(margins, rows);
  const scaled = arena.view(x, rows * width);
  const targets = arena.view(y, rows);
  const roots = new Float64Array(rows);
  for (let j = 0; j < rows; j++) {
    const { weight, target } = newtonTarget(predicted[j]!, labels[j]!);
    const root = Math.sqrt(weight);
    roots[j] = root;
    targets[j] = root * target;
    for (let k = 0; k < d; k++) scaled[j * width + k] = root * given[j * d + k]!;
    if (width > d) scaled[j * width + d] = root;
  }
  const matrix = arena.view(penalty, width * width);
  const from = arena.view(precision, d * d);
  for (let k = 0; k < d; k++) matrix.set(from.subarray(k * d, (k + 1) * d), k * width);
  if (origin !== 0) arena.view(origin, width).set(arena.view(center, d));
  const models = { weights: solution, intercepts: 0 };
  solveEvery(tasks.withFeatures(x, width, y), { precision: penalty, center: origin }, models, margins); // prettier-ignore
  // The solve took memory, which may have grown.
  const left = arena.view(margins, rows);
  for (let j = 0; j < rows; j++) left[j]! /= roots[j]!;
}
