/**
 * What tasks' rows are predicted to be by models that have not seen them.
 * @module
 */
import type { TaskSet } from "../../src/data/index.js";
import { FOLDS } from "../../src/learning/local-selection/thresholds.js";
import type { FoldEntries } from "../../src/learning/tasks/fold-entries.js";
import { copyModels, type LocalModels } from "../../src/learning/tasks/local-models.js";
import { foldRidge } from "../../src/learning/tasks/own-models/own-ridge.js";
import type { ResidentTasks } from "../../src/learning/tasks/resident-tasks.js";

/** Every task without each of its folds. */
export function entriesOf({ names, offsets }: TaskSet): FoldEntries {
  const all = names.flatMap((_, i) => {
    const n = offsets[i + 1]! - offsets[i]!;
    return n > 1 ? Array.from({ length: Math.min(n, FOLDS) }, (__, fold) => [i, fold]) : [];
  });
  const column = (k: number) => Uint32Array.from(all, (entry) => entry[k]!);
  return { parts: FOLDS, owners: column(0), folds: column(1) };
}

/** `foldRidge`, out of the core. */
export function copiedFoldRidge(tasks: ResidentTasks, entries: FoldEntries): LocalModels {
  const { core, d } = tasks;
  return copyModels(core.arena, foldRidge(tasks, entries), entries.owners.length, d);
}

/** Every row's prediction by the model of its fold; 0 for a task's only row. */
export function heldOutPredictions(tasks: TaskSet, { weights, intercepts }: LocalModels) {
  const { d, x, offsets } = tasks;
  const { owners, folds } = entriesOf(tasks);
  const out = new Float64Array(tasks.size);
  owners.forEach((task, e) => {
    for (let row = offsets[task]! + folds[e]!; row < offsets[task + 1]!; row += FOLDS) {
      let sum = intercepts[e]!;
      for (let j = 0; j < d; j++) sum += weights[e * d + j]! * x[row * d + j]!;
      out[row] = sum;
    }
  });
  return out;
}
