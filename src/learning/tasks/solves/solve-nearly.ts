/**
 * Newton's method where a prior is nearly singular, so that rounding may keep a task from the tolerance.
 * @module
 */
import { tryNewton, type QuadraticPrior } from "./local-solves.js";
import type { ResidentTasks } from "../resident-tasks.js";
import type { PlacedModels } from "../local-models.js";

/** Of the objective above its minimum, relative to 1 + F: what a task is solved to that rounding stops before the tolerance. */
const ROUGHER = [1e-8, 1e-5];

/**
 * As `solveTasks`, but a task that cannot get to the tolerance is solved to the next rougher one that it gets to. From the first such task on each is
 * solved by itself, from where it started, so that no task's model depends, in its last bits, on whether another got there. One that gets
 * to none of them keeps where it started: an end of the fit would tell of its rows.
 */
export function solveNearly(
  tasks: ResidentTasks,
  prior: QuadraticPrior,
  { weights, intercepts }: PlacedModels,
  tolerance: number,
): void {
  const { m, d, core } = tasks;
  const { arena } = core;
  const starts = {
    models: arena.view(weights, m * d).slice(),
    levels: intercepts === 0 ? undefined : arena.view(intercepts, m).slice(),
  };
  const noPenalty = { ...prior, penalties: 0 };
  const all = { first: 0, count: m };
  const failed = tryNewton(tasks, noPenalty, { weights, intercepts }, all, tolerance);
  for (let i = failed === 0 ? m : failed - 1; i < m; i++) {
    const one = { weights: weights + 8 * i * d, intercepts: intercepts && intercepts + 8 * i };
    const range = { first: i, count: 1 };
    const solvedTo = (to: number) => {
      arena.view(one.weights, d).set(starts.models.subarray(i * d, (i + 1) * d));
      if (starts.levels) arena.view(one.intercepts, 1)[0] = starts.levels[i]!;
      return tryNewton(tasks, noPenalty, one, range, to) === 0;
    };
    if ([tolerance, ...ROUGHER].some(solvedTo)) continue;
    arena.view(one.weights, d).set(starts.models.subarray(i * d, (i + 1) * d));
    if (starts.levels) arena.view(one.intercepts, 1)[0] = starts.levels[i]!;
  }
}
