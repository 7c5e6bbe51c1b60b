/**
 * Every task's Bayesian ridge model in one call: `squaredModel` of each, up to rounding, for dense rows; those whose numbers are too
 * large to be squared are none, or refused.
 * @module
 */
import type { FoldEntries } from "../fold-entries.js";
import { copyModels, placeModels, type LocalModels, type PlacedModels } from "../local-models.js";
import type { ResidentTasks } from "../resident-tasks.js";
import { solveRidge } from "./ridge-kernel.js";
import { unsolvedTask } from "../solves/unsolved-task.js";

/**
 * What becomes of a task whose numbers are too large to be squared: nobody has a model, or it alone has none, but zeros. After
 * releases an end would tell all others of its rows, when their budget is spent.
 */
export type Unsolved = "refuse" | "zeros";

/**
 * Models of all tasks, each from its own rows only.
 * @param entries tasks without folds of their rows, in the places of the tasks; their rows are read where they lie. For rows
 *   without weights, whose mean would be another in what is left.
 * @throws RangeError naming a task whose numbers are too large to be squared, where that is not to be zeros.
 */
export function ownRidge(
  tasks: ResidentTasks,
  entries?: FoldEntries,
  unsolved: Unsolved = "refuse",
): LocalModels {
  const { m, d, core } = tasks;
  const { arena } = core;
  const mark = arena.mark();
  try {
    if (entries) {
      const placed = withoutFolds(tasks, entries, false, unsolved);
      return copyModels(arena, placed, entries.owners.length, d);
    }
    const all = solveRidge(tasks, {}, false);
    if (all.solved === m) return copyModels(arena, all, m, d);
    const models = none(m, d);
    for (let first = 0, found = all; ; found = solveRidge(tasks, { first }, false)) {
      const at = Uint32Array.from({ length: found.solved }, (_, k) => first + k);
      place(models, copyModels(arena, found, found.solved, d), at, d);
      arena.release(mark);
      first += found.solved;
      if (first < m) refuse(tasks, first++, unsolved);
      if (first >= m) return models;
    }
  } finally {
    arena.release(mark);
  }
}

/**
 * The models of entries for choices among models, never to be a task's own: in single precision where that is good enough. They stay in
 * the core.
 * @see assembly/tasks/fold-ridge.ts
 */
export function foldRidge(
  tasks: ResidentTasks,
  entries: FoldEntries,
  unsolved: Unsolved = "refuse",
): PlacedModels {
  return withoutFolds(tasks, entries, true, unsolved);
}

/** Models of all folds of those tasks that have one in every fold; a task without one in some fold has none at all. */
function withoutFolds(
  tasks: ResidentTasks,
  given: FoldEntries,
  inLanes: boolean,
  unsolved: Unsolved,
): PlacedModels {
  const { d, core, intercept } = tasks;
  const { arena } = core;
  const mark = arena.mark();
  const { parts, owners, folds } = given;
  const all = solveRidge(tasks, { entries: given }, inLanes);
  if (all.solved === owners.length) return all;
  let left = Uint32Array.from(owners, (_, e) => e);
  let entries = given;
  for (let found = all; ; found = solveRidge(tasks, { entries }, inLanes)) {
    if (found.solved === left.length) {
      const models = none(owners.length, d);
      place(models, copyModels(arena, found, left.length, d), left, d);
      arena.release(mark);
      return placeModels(arena, models, intercept);
    }
    arena.release(mark);
    const failed = entries.owners[found.solved]!;
    refuse(tasks, failed, unsolved);
    left = left.filter((e) => owners[e] !== failed);
    entries = { parts, owners: left.map((e) => owners[e]!), folds: left.map((e) => folds[e]!) };
  }
}

const none = (count: number, d: number): LocalModels => ({
  weights: new Float64Array(count * d),
  intercepts: new Float64Array(count),
});

/** Model k of `found` is that of place `at[k]`. */
function place(models: LocalModels, found: LocalModels, at: Uint32Array, d: number): void {
  at.forEach((to, k) => {
    models.weights.set(found.weights.subarray(k * d, (k + 1) * d), to * d);
    models.intercepts[to] = found.intercepts[k]!;
  });
}

/** @throws UnsolvedTask naming the task, where it is not to have zeros. */
function refuse({ names }: ResidentTasks, task: number, unsolved: Unsolved): void {
  if (unsolved === "zeros") return;
  throw unsolvedTask(
    names[task]!,
    "its own model needs squares of its features and targets, which are not finite; bring them to a common scale.",
  );
}
