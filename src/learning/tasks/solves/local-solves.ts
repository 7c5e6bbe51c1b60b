/**
 * Every task alone, solved exactly: by Cholesky factors for the squared loss, by damped Newton steps for others.
 * @module
 */
import type { Arena, Pointer } from "../../../core/index.js";
import { KernelRecord } from "../kernel-record.js";
import type { ResidentTasks } from "../resident-tasks.js";
import { noUniqueMinimum } from "./unsolved-task.js";
import type { PlacedModels } from "../local-models.js";

/** (1/2) (w - a)^T P (w - a), in the core. */
export interface QuadraticPrior {
  /** P[d,d], symmetric positive definite. */
  readonly precision: Pointer;
  /** a[d], or 0 for the origin. */
  readonly center: Pointer;
}

/** Consecutive tasks. */
export interface TaskRange {
  readonly first: number;
  readonly count: number;
}

const NEWTON_TOLERANCE = 1e-14;
const NEWTON_ITERATIONS = 100;

/**
 * argmin L_i(w, b) + (1/2)(w - a)^T P (w - a) for every task, from and into `models`.
 *
 * @throws UnsolvedTask naming the task whose system is singular.
 */
export function solveTasks(
  tasks: ResidentTasks,
  prior: QuadraticPrior,
  models: PlacedModels,
): void {
  const all = { first: 0, count: tasks.m };
  const failed = hasRidge(tasks)
    ? solveRidge(tasks, prior, models)
    : tryNewton(tasks, { ...prior, penalties: 0 }, models, all, NEWTON_TOLERANCE);
  refuse(tasks, failed);
}

/** Whether the tasks' problems are those that `taskRidge` solves; the squared loss of weighted rows is Newton's in one step. */
const hasRidge = ({ loss, weights }: ResidentTasks) => loss === "squared" && weights === 0;

/**
 * `solveTasks` with P_i = penalties[i] I around the origin, by Newton's method.
 * @param penalties of the tasks of the range, > 0.
 * @param models those of the range.
 * @param range default all tasks.
 * @param unsolved "keep": a task whose system is singular has the model to which the method came.
 */
export function solveEach(
  tasks: ResidentTasks,
  penalties: Float64Array,
  models: PlacedModels,
  range: TaskRange = { first: 0, count: tasks.m },
  unsolved: "refuse" | "keep" = "refuse",
): void {
  const { arena } = tasks.core;
  const mark = arena.mark();
  const prior = { precision: 0, penalties: arena.copyOf(penalties), center: 0 };
  const failed = tryNewton(tasks, prior, models, range, NEWTON_TOLERANCE);
  if (unsolved === "refuse") refuse(tasks, failed && failed + range.first);
  arena.release(mark);
}

/**
 * `solveTasks` for one task.
 * @throws as that.
 */
export function solveTask(
  tasks: ResidentTasks,
  task: number,
  prior: QuadraticPrior,
  model: PlacedModels,
): void {
  if (!trySolve(tasks, task, prior, model)) refuse(tasks, task + 1);
}

/**
 * `solveTask` without its end, for tasks of whose rows nobody else may learn anything.
 * @param prior its precision may be semidefinite where the loss makes up for it.
 * @param model w[d], the start and the result, and b[1] or 0.
 * @returns whether its system has a solution in double precision; where not, the model is undefined.
 */
export function trySolve(
  tasks: ResidentTasks,
  task: number,
  prior: QuadraticPrior,
  model: PlacedModels,
): boolean {
  const one = { first: task, count: 1 };
  const failed = hasRidge(tasks)
    ? solveRidge(tasks, prior, model, 0, one)
    : tryNewton(tasks, { ...prior, penalties: 0 }, model, one, NEWTON_TOLERANCE);
  return failed === 0;
}

/**
 * `solveTasks` for the squared loss of the targets, whatever the tasks' loss is.
 * @param leaveOneOut f64[N] for the prediction of each row by the model without it, or 0.
 * @returns 0, or 1 + the position of a task, from the first on, whose system is singular.
 */
export function solveRidge(
  tasks: ResidentTasks,
  { precision, center }: QuadraticPrior,
  { weights, intercepts }: PlacedModels,
  leaveOneOut: Pointer = 0,
  { first, count }: TaskRange = { first: 0, count: tasks.m },
): number {
  const { arena, kernels } = tasks.core;
  const mark = arena.mark();
  const range = tasks.placeWhole({ first, count });
  const work = arena.bytes(kernels.taskRidgeWorkspace(tasks.d));
  const failed = kernels.taskRidge(
    range,
    precision,
    center,
    weights,
    intercepts,
    leaveOneOut,
    work,
  );
  arena.release(mark);
  return failed;
}

/** A prior as the kernel reads it: with a penalty of each task's own, or with 0. */
export type PenaltyPrior = QuadraticPrior & { readonly penalties: Pointer };

/** @returns 0, or 1 + the position in the range of the first task that did not get to the tolerance. */
export function tryNewton(
  tasks: ResidentTasks,
  prior: PenaltyPrior,
  { weights, intercepts }: PlacedModels,
  { first, count }: TaskRange,
  tolerance: number,
): number {
  const { arena, kernels } = tasks.core;
  const mark = arena.mark();
  const range = tasks.placeWhole({ first, count });
  const placed = new KernelRecord(tasks.core, 0, ["precision", "penalties", "center"]);
  placed.write([], prior);
  const work = arena.bytes(kernels.taskNewtonWorkspace(tasks.d));
  const failed = kernels.taskNewton(
    range,
    placed.at,
    weights,
    intercepts,
    tolerance,
    NEWTON_ITERATIONS,
    work,
  );
  arena.release(mark);
  return failed;
}

/** lambda I, [d, d], in the arena. */
export function scaledIdentity(arena: Arena, d: number, lambda: number): Pointer {
  const at = arena.zeros(d * d);
  const matrix = arena.view(at, d * d);
  for (let j = 0; j < d; j++) matrix[j * (d + 1)] = lambda;
  return at;
}

/** @throws UnsolvedTask if a kernel returned 1 + the position of a task, not 0. */
export function refuse({ names }: ResidentTasks, failed: number): void {
  if (failed !== 0) throw noUniqueMinimum(names[failed - 1]!);
}
