/**
 * How well each task's model under a prior predicts its own rows when they are left out.
 * @module
 */
import * as math from "../../core/elementary.js";
import type { Pointer } from "../../core/index.js";
import type { ResidentTasks } from "../resident-tasks.js";

/** Smallest weight of a row in the quadratic model of the logistic loss. */
const LEAST_WEIGHT = 1e-12;

/** What rounding leaves of the objective under a prior that is nearly singular. */
const TOLERANCE = 1e-11;

/**
 * Solves every task as `ResidentTasks.solve` does and returns each row's loss under the model
 * without that row, [N]: squared errors in closed form (Golub, Heath, Wahba 1979); log-losses by
 * one Newton step from the solution (Rad and Maleki 2020), exact for a quadratic loss.
 *
 * @param weights [m, d], start and result; `intercepts` [m] or 0.
 */
export function solveLeavingOneOut(
  tasks: ResidentTasks,
  precision: Pointer,
  center: Pointer,
  weights: Pointer,
  intercepts: Pointer,
): Float64Array {
  const { arena } = tasks.core;
  const mark = arena.mark();
  const margins = arena.f64(tasks.rows);
  if (tasks.loss === "squared") {
    tasks.ridge(precision, center, weights, intercepts, margins);
  } else {
    tasks.solve(precision, center, weights, intercepts, TOLERANCE);
    newtonStepWithoutRow(tasks, precision, center, weights, intercepts, margins);
  }
  const y = arena.view(tasks.y, tasks.rows);
  const losses = arena.view(margins, tasks.rows).slice();
  for (let j = 0; j < losses.length; j++) losses[j] = rowLoss(tasks, losses[j]!, y[j]!);
  arena.release(mark);
  return losses;
}

/** Squared error, or log-loss of a label in {-1, +1}. */
function rowLoss({ loss }: ResidentTasks, margin: number, y: number): number {
  if (loss === "squared") return (margin - y) ** 2;
  const z = -y * margin;
  return z > 0 ? z + math.log1p(math.exp(-z)) : math.log1p(math.exp(z));
}

/**
 * At the optimum the logistic problem is the ridge problem of rows sqrt(o) x and targets
 * sqrt(o) (p - loss'/o), o = loss''(p): leaving a row out of that one is the Newton step.
 */
function newtonStepWithoutRow(
  tasks: ResidentTasks,
  precision: Pointer,
  center: Pointer,
  weights: Pointer,
  intercepts: Pointer,
  margins: Pointer,
): void {
  const { m, d, rows, core } = tasks;
  const { arena, kernels } = core;
  const width = tasks.intercept ? d + 1 : d;
  const x = arena.f64(rows * width);
  const y = arena.f64(rows);
  const penalty = arena.zeros(width * width);
  const origin = center === 0 ? 0 : arena.zeros(width);
  const solution = arena.zeros(m * width);
  const work = arena.bytes(kernels.taskRidgeWorkspace(width));
  kernels.taskPredict(tasks.x, tasks.offsets, weights, intercepts, margins, m, d);

  const given = arena.view(tasks.x, rows * d);
  const labels = arena.view(tasks.y, rows);
  const predicted = arena.view(margins, rows);
  const scaled = arena.view(x, rows * width);
  const targets = arena.view(y, rows);
  const roots = new Float64Array(rows);
  for (let j = 0; j < rows; j++) {
    const label = labels[j]!;
    const right = 1 / (1 + math.exp(-label * predicted[j]!));
    const weight = Math.max(right * (1 - right), LEAST_WEIGHT);
    const root = Math.sqrt(weight);
    roots[j] = root;
    targets[j] = root * (predicted[j]! + (label * (1 - right)) / weight);
    for (let k = 0; k < d; k++) scaled[j * width + k] = root * given[j * d + k]!;
    if (width > d) scaled[j * width + d] = root;
  }
  const matrix = arena.view(penalty, width * width);
  const from = arena.view(precision, d * d);
  for (let k = 0; k < d; k++) matrix.set(from.subarray(k * d, (k + 1) * d), k * width);
  if (origin !== 0) arena.view(origin, width).set(arena.view(center, d));
  const failed = kernels.taskRidge(
    x,
    y,
    tasks.offsets,
    tasks.scales,
    penalty,
    origin,
    solution,
    0,
    margins,
    m,
    width,
    work,
  );
  if (failed !== 0) {
    throw new RangeError(`task ${failed - 1}: its leave-one-out errors are not defined`);
  }
  for (let j = 0; j < rows; j++) predicted[j]! /= roots[j]!;
}
