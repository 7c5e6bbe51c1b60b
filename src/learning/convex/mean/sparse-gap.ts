/**
 * The duality gap of `MeanGap` for tasks with sparse rows: slopes, gradients and their corrections of every task lie in the
 * columns that it uses, since its rows, centred or not, are 0 in the others.
 *
 * The system of all rows is solved by conjugate gradients; slopes of the logistic loss that this leaves beyond the ends of
 * their range, as where all rows of a column have one label, are set to the ends. The bound holds if what the gradients' sum
 * is off 0 by then is no more than their rounding: else there is no bound.
 * @module
 */
import type { Gap } from "../certificates/duality-gap.js";
import type { LossName } from "../../tasks/losses.js";
import { marginLoss } from "../../tasks/margin-losses.js";
import { addScattered, timesTransposed } from "../../tasks/own-models/compact-rows.js";
import type { CentredRows } from "./centred-rows.js";
import { conjugateGradients } from "./conjugate-gradients.js";
import type { EliminatedTask } from "./sparse-task.js";
import { dot } from "../../../linalg/dot.js";
import { norm } from "../../../linalg/norm.js";

/** Of the gradients' sizes summed over tasks: what their sum may be off 0, and what is aimed at. */
const ROUNDING = 1e-13;
const AIM = 3e-14;

/**
 * The gap at the tasks' present models; moves their intercepts to the minimisers given the weights.
 * @param rows of these tasks. @param scales c of every task, [m].
 */
export function sparseGap(
  tasks: readonly EliminatedTask[],
  rows: CentredRows,
  scales: ArrayLike<number>,
): Gap {
  const m = tasks.length;
  const { d, diagonal } = rows;
  const { lambda } = tasks[0]!.given;
  const [total, sizes, mean] = [new Float64Array(d), new Float64Array(d), new Float64Array(d)];
  let [objective, interceptResidual, squares] = [0, 0, 0];
  const gradients = tasks.map((task) => {
    const { used, rows: own } = task.given;
    interceptResidual = Math.max(interceptResidual, task.polishIntercept());
    objective += task.loss(task.margins);
    squares += dot(task.u, task.u);
    const gradient = timesTransposed(own, task.slopes());
    addScattered(1, gradient, used, total);
    addScattered(1, gradient.map(Math.abs), used, sizes);
    addScattered(1 / m, task.u, used, mean);
    return gradient;
  });
  objective += lambda * (squares - m * dot(mean, mean));

  const size = norm(sizes);
  const times = (v: Float64Array) => rows.squares(v);
  const distance = AIM * size;
  const { x: v, residual } = conjugateGradients({
    times,
    b: total,
    distance,
    most: 10 * d,
    diagonal,
  });
  let [dual, price] = [0, 0];
  const [left, moved] = [new Float64Array(d), new Float64Array(d)];
  tasks.forEach((task, i) => {
    const { factors, loss, y, used, rows: own } = task.given;
    const { conjugate } = marginLoss(loss);
    const { moves, squares: correction } = rows.along(i, v);
    const set = task.slopes().map((slope, j) => {
      const factor = factors[j]!;
      if (!(factor > 0)) return 0;
      const wanted = slope / factor - moves[j]! / scales[i]!;
      const taken = withinRange(loss, wanted, y[j]!);
      dual -= factor * conjugate(taken, y[j]!);
      return factor * (taken - wanted);
    });
    const changes = timesTransposed(own, set);
    addScattered(1, changes, used, moved);
    const entries = gradients[i]!.map((entry, c) => entry - correction[c]! + changes[c]!);
    price += dot(entries, entries);
    addScattered(1 / m, entries, used, left);
  });
  price = (price - m * dot(left, left)) / (4 * lambda);
  const bound = residual + norm(moved) <= ROUNDING * size ? Math.max(0, dual - price) : 0;
  const relative = objective === 0 ? 0 : Math.max(0, (objective - bound) / objective);
  return { objective, relative, interceptResidual };
}

/** The slope, or the end of the loss's range of slopes that is next to it. */
function withinRange(loss: LossName, slope: number, y: number): number {
  return loss === "logistic" ? -y * Math.min(1, Math.max(0, -slope * y)) : slope;
}
