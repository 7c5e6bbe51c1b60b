/**
 * F of tasks with sparse rows: every task in the columns that it uses, the Hessian by its products with vectors.
 *
 * Outside those columns a task's model is the mean, so no more is worked with than a number for each of them; where rows
 * connect many columns, `SparseSystem` holds these rows dense, of one task each.
 * @module
 */
import type { Pointer } from "../../../core/index.js";
import { sparseRows } from "../../tasks/compact-task.js";
import { addScattered, compactOf } from "../../tasks/own-models/compact-rows.js";
import type { ResidentTasks } from "../../tasks/resident-tasks.js";
import { CentredRows } from "./centred-rows.js";
import { conjugateGradients } from "./conjugate-gradients.js";
import type { MeanProblem } from "./problem.js";
import { sparseGap } from "./sparse-gap.js";
import { EliminatedTask } from "./sparse-task.js";
import { norm } from "../../../linalg/norm.js";

/** Of the gradient: what a Newton step may leave of it. */
const INEXACT = 1e-6;

/** Such a problem, and the models in the core of its tasks: W, [m, d], and intercepts, [m], or 0. */
export interface SparseMean extends MeanProblem {
  models(): { readonly weights: Pointer; readonly intercepts: Pointer };
}

/** @param start the mean that Newton's method starts from, [d]. */
export function sparseMean(tasks: ResidentTasks, lambda: number, start: Float64Array): SparseMean {
  const { m, d, core, intercept, loss } = tasks;
  const { arena } = core;
  const ends = arena.words(tasks.offsets, m + 1).slice();
  const targets = arena.view(tasks.y, tasks.rows).slice();
  const scales = arena.view(tasks.scales, m).slice();
  const sampleWeights = tasks.sampleWeights();
  const all = sparseRows(tasks);
  const own = Array.from({ length: m }, (_, position) => {
    const [from, to] = [ends[position]!, ends[position + 1]!];
    const factors = new Float64Array(to - from).fill(scales[position]!);
    sampleWeights?.subarray(from, to).forEach((weight, j) => (factors[j]! *= weight));
    const y = targets.subarray(from, to);
    const given = { ...compactOf(all, from, to), y, factors, loss, intercept, lambda, position };
    return new EliminatedTask(given);
  });
  const rows = new CentredRows(
    own.map(({ given }) => given),
    d,
    scales,
  );
  let mean = start;
  return {
    evaluate(a) {
      mean = a.slice();
      const gradient = new Float64Array(d);
      let value = 0;
      for (const task of own) {
        value += task.minimise(a);
        addScattered(-2 * lambda, task.u, task.given.used, gradient);
      }
      return { value, gradient };
    },
    newtonStep(gradient) {
      const times = (v: Float64Array) => {
        const out = new Float64Array(d);
        for (const task of own) task.addCurvatureTimes(v, out);
        return out;
      };
      const diagonal = new Float64Array(d);
      for (const task of own) task.addCurvatureSizes(diagonal);
      // A column that no row uses has the gradient 0.
      for (let j = 0; j < d; j++) diagonal[j] ||= 1;
      const distance = INEXACT * norm(gradient);
      return conjugateGradients({ times, b: gradient, distance, most: 10 * d, diagonal }).x;
    },
    gap: () => sparseGap(own, rows, scales),
    models() {
      const weights = arena.f64(m * d);
      const intercepts = intercept ? arena.f64(m) : 0;
      // Of all means that the rows do not tell apart, the one that is nearest to the start; intercepts make up for the move.
      const moved = mean.map((value, j) => value - start[j]!);
      const least = rows.seen(moved);
      const shift = moved.map((value, j) => value - least[j]!);
      own.forEach((task, i) => {
        const row = arena.view(weights + 8 * i * d, d);
        for (let j = 0; j < d; j++) row[j] = start[j]! + least[j]!;
        addScattered(1, task.u, task.given.used, row);
        if (intercept) arena.view(intercepts, m)[i] = task.b + rows.level(i, shift);
      });
      return { weights, intercepts };
    },
  };
}
