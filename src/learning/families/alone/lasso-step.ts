/**
 * One step of a task's lasso: the quadratic approximation of the loss at the model, plus the penalty, minimised over some of the features.
 * The squared loss is its own quadratic; for other losses the step is halved until the objective falls.
 * @module
 */
import type { Pointer } from "../../../core/index.js";
import { rowsOf, scaleOf } from "../../models/resident-model.js";
import { backtrack } from "../../steps/line-search.js";
import { marginLoss } from "../../tasks/margin-losses.js";
import type { ResidentTasks } from "../../tasks/resident-tasks.js";
import { minimizeLasso, type LassoLimits } from "./lasso-quadratic.js";
import type { PlacedModels } from "../../tasks/local-models.js";

const MOST_HALVINGS = 40;
/** Increase of the objective, relative to it, that may be rounding. */
const ROUNDING = 4 * Number.EPSILON;

/** The task and the model from which the step is taken. */
export interface LassoPoint {
  /** A set of one task, with dense rows. */
  readonly task: ResidentTasks;
  readonly lambda: number;
  /** The model, w[d] and b[1] or 0, with the intercept at its minimum: it is moved. */
  readonly at: PlacedModels;
  /** The loss's slopes there, [d], and the objective. */
  readonly gradient: Pointer;
  readonly objective: number;
}

/**
 * Moves the model. The caller releases what it allocates in the core.
 * @param columns the features that may move.
 * @returns how many sweeps over them that took.
 */
export function stepLasso(point: LassoPoint, columns: Uint32Array, limits: LassoLimits): number {
  const { task, lambda, at, gradient } = point;
  const { core, d } = task;
  const { arena } = core;
  const sides = columns.length;
  const { gram, means } = quadraticOf(task, at, columns);
  const pick = (from: Pointer) => {
    const all = arena.view(from, d).slice();
    return arena.copyOf(Float64Array.from(columns, (j) => all[j]!));
  };
  const [before, values, slopes] = [pick(at.weights), pick(at.weights), pick(gradient)];
  const first = arena.view(slopes, sides).slice();
  const sweeps = minimizeLasso({ core, gram, sides, lambda, values, slopes }, limits);

  // Copies: the line search allocates, which may move the core's memory.
  const [old, next] = [arena.view(before, sides).slice(), arena.view(values, sides).slice()];
  let shift = 0;
  let slope = 0;
  for (let k = 0; k < sides; k++) {
    const move = next[k]! - old[k]!;
    shift -= means[k]! * move;
    slope += first[k]! * move + lambda * (Math.abs(next[k]!) - Math.abs(old[k]!));
  }
  const place = (length: number) => {
    const weights = arena.view(at.weights, d);
    for (let k = 0; k < sides; k++) {
      const move = next[k]! - old[k]!;
      weights[columns[k]!] = length === 1 ? next[k]! : old[k]! + length * move;
    }
  };
  const start = at.intercepts === 0 ? 0 : arena.view(at.intercepts, 1)[0]!;
  const moveTo = (length: number) => {
    place(length);
    if (at.intercepts !== 0) arena.view(at.intercepts, 1)[0] = start + length * shift;
  };
  if (task.loss === "squared") moveTo(1);
  else if (!search(point, slope, moveTo)) moveTo(0);
  return sweeps;
}

/** Halves the step until the objective falls. @returns whether it did. */
function search(
  { task, lambda, at, objective }: LassoPoint,
  slope: number,
  moveTo: (length: number) => void,
): boolean {
  const { arena } = task.core;
  const loss = arena.f64(1);
  const found = backtrack(
    {
      value: objective,
      slope,
      step: 1,
      mostHalvings: MOST_HALVINGS,
      rounding: ROUNDING * objective,
    },
    (length) => {
      moveTo(length);
      task.losses(at.weights, at.intercepts, loss);
      let norm = 0;
      for (const weight of arena.view(at.weights, task.d)) norm += Math.abs(weight);
      return arena.view(loss, 1)[0]! + lambda * norm;
    },
  );
  return found !== undefined;
}

/** The Hessian of a task's loss in some columns, [a, a], with the intercept eliminated; and the weighted mean row [a], by which it moves. */
function quadraticOf(
  task: ResidentTasks,
  at: PlacedModels,
  columns: Uint32Array,
): { readonly gram: Pointer; readonly means: Float64Array } {
  const { core, d } = task;
  const { arena, kernels } = core;
  const a = columns.length;
  const { n } = rowsOf(task, 0);
  const margins = arena.f64(n);
  const rows = arena.f64(n * a);
  const gram = arena.f64(a * a);
  const work = arena.bytes(kernels.syrkWorkspace(n, a));
  const { secondDerivative } = marginLoss(task.loss);
  task.predict(at.weights, at.intercepts, margins);
  const scale = scaleOf(task, 0);
  const own = task.sampleWeights();
  const bends = arena
    .view(margins, n)
    .map((p, row) => scale * (own?.[row] ?? 1) * secondDerivative(p));
  const [x, z] = [arena.view(task.rowsAt, n * d), arena.view(rows, n * a)];
  const means = new Float64Array(a);
  if (task.intercept) {
    let total = 0;
    for (let row = 0; row < n; row++) {
      total += bends[row]!;
      for (let k = 0; k < a; k++) means[k]! += bends[row]! * x[row * d + columns[k]!]!;
    }
    for (let k = 0; k < a; k++) means[k] = total > 0 ? means[k]! / total : 0;
  }
  for (let row = 0; row < n; row++) {
    const root = Math.sqrt(bends[row]!);
    for (let k = 0; k < a; k++) z[row * a + k] = root * (x[row * d + columns[k]!]! - means[k]!);
  }
  kernels.syrk(rows, gram, n, a, work);
  return { gram, means };
}
