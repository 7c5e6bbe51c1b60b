/**
 * Damped Newton for every task under a quadratic prior:
 *   argmin_{w, b} F = c sum_j s_j loss(x_j w + b, y_j) + (1/2) (w - a)^T P (w - a), b not penalised.
 *
 * n_i >= d: Newton in (w, b), ./newton-primal; n_i < d: in the kernel's coordinates, ./newton-dual.
 *
 * A task is done when half the squared Newton decrement (Boyd and Vandenberghe 2004, section 9.5:
 * an estimate of F - F*) is at most tolerance (1 + F); that last step is still taken, in full.
 */
import { at } from "../address";
import { cholesky } from "../cholesky";
import { newtonDual } from "./newton-dual";
import { newtonPrimal } from "./newton-primal";
import { NewtonTask } from "./newton-task";
import { rowsAt } from "./wide-rows";
import { firstRow, rowCount, scaleOf, targetAt, TaskData, weightsAt } from "./task-data";

/** As src/learning/tasks/solves/local-solves.ts writes it. */
@unmanaged
export class QuadraticPrior {
  /** P f64[d, d] symmetric, lower triangle read; not read with `penalties`. */
  precision: usize;
  /** f64[m] > 0: P is penalties[i] I; or 0. */
  penalties: usize;
  /** a f64[d], or 0 for the origin. */
  center: usize;
}

const TASK: usize = memory.data(offsetof<NewtonTask>(), 16);

/**
 * weights f64[m, d] (and intercepts f64[m], or 0 for none): the start, and on return the solution of
 * every task. Loss codes as in `loss.ts`.
 *
 * Returns 0, or 1 + the first task that failed: its system is not positive definite, no step
 * decreases F, or maxIterations did not suffice. The tasks after it are still solved.
 * work: `taskNewtonWorkspace(d)` bytes.
 */
export function taskNewton(
  data: TaskData, prior: QuadraticPrior, weights: usize, intercepts: usize, tolerance: f64,
  maxIterations: i32, work: usize,
): i32 {
  const precision = prior.precision, penalties = prior.penalties;
  const m = data.m, d = data.d;
  const square = (<usize>d * <usize>d) << 3;
  const task = changetype<NewtonTask>(TASK);
  task.loss = data.loss;
  task.d = d;
  task.tolerance = tolerance;
  task.maxIterations = maxIterations;
  task.precision = penalties ? work : precision;
  task.center = prior.center;
  task.factor = 0;
  task.root = 0.0;
  if (penalties) {
    memory.fill(work, 0, square);
  } else {
    memory.copy(work, precision, square);
    if (cholesky(work, d) == 0) task.factor = work;
  }
  let failed = 0;
  for (let i = 0; i < m; i++) {
    const from = firstRow(data, i);
    task.n = rowCount(data, i);
    task.c = scaleOf(data, i);
    task.x = rowsAt(data, from, task.n);
    task.y = targetAt(data, from);
    task.s = weightsAt(data, from);
    task.w = weights + ((<usize>i * <usize>d) << 3);
    task.b = intercepts ? at(intercepts, i) : 0;
    if (penalties) task.root = Math.sqrt(load<f64>(at(penalties, i)));
    if (!solve(task, penalties ? at(penalties, i) : 0, work + square) && failed == 0) failed = i + 1;
  }
  return failed;
}
export function taskNewtonWorkspace(d: i32): f64 {
  const size = <f64>d;
  return 8.0 * (4.0 * size * size + 12.0 * size);
}

/** One task, with its own penalty there or 0; work: three squares and the vectors. Whether it converged. */
function solve(task: NewtonTask, penalty: usize, work: usize): bool {
  const d = task.d;
  if (task.n == 0 || task.c == 0.0) {
    if (task.center) memory.copy(task.w, task.center, (<usize>d) << 3);
    else memory.fill(task.w, 0, (<usize>d) << 3);
    if (task.b) store<f64>(task.b, 0.0);
    return true;
  }
  const square = (<usize>d * <usize>d) << 3;
  const k = work + square, system = k + square, vectors = system + square;
  if (task.n < d && (task.factor != 0 || task.root > 0.0)) {
    return newtonDual(task, work, k, system, vectors);
  }
  if (penalty) {
    for (let j = 0; j < d; j++) memory.copy(at(task.precision, j * (d + 1)), penalty, 8);
  }
  return newtonPrimal(task, work, vectors);
}
