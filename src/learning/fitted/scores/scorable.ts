/**
 * The rows that a model can be scored on: of tasks it knows, with labels it knows.
 * @module
 */
import { requireTaskSet } from "../../../data/checks/require-task-set.js";
import { requireModel } from "../require-model.js";
import type { TaskSet } from "../../../data/index.js";
import type { FittedModelState } from "../model-state.js";

/** What of a model tells which rows it can be scored on. */
type Trained = Pick<FittedModelState, "taskNames" | "classes">;

/** The rows that can be scored, and how many cannot. */
export interface Scorable {
  /** undefined where no row is left. */
  readonly tasks: TaskSet | undefined;
  /** Number of rows that cannot. */
  readonly leftOut: number;
}

/**
 * The rows that `model.score` takes. Left out are rows of tasks that the model was not trained on, and rows with a label
 * that did not occur in training: a rare class may fall wholly on the other side of a split.
 *
 * @param held rows that were held out, prepared like the training rows.
 */
export function scorable(model: Trained, held: TaskSet): Scorable {
  const trained = trainedBy(model, held);
  return withKnownLabels(model, held, (name) => trained.has(name));
}

/** The same of tasks that it was not trained on, for which it may predict all the same (`scoreNewTasks`). */
export function scorableNewTasks(model: Trained, held: TaskSet): Scorable {
  const trained = trainedBy(model, held);
  return withKnownLabels(model, held, (name) => !trained.has(name));
}

/** Names of the model's tasks. */
function trainedBy(model: Trained, held: TaskSet): ReadonlySet<string> {
  requireModel(model);
  requireTaskSet("tasks", held);
  return new Set(model.taskNames);
}

function withKnownLabels(
  { classes }: Trained,
  held: TaskSet,
  isAsked: (name: string) => boolean,
): Scorable {
  const asked = held.names.filter(isAsked);
  if (asked.length === 0) return { tasks: undefined, leftOut: held.size };
  const tasks = asked.length === held.m ? held : held.select(asked);
  if (!classes) return { tasks, leftOut: held.size - tasks.size };
  const labels = new Set(classes);
  const keep = Array.from(tasks.y, (y) => labels.has(tasks.targetLevels?.[y] ?? y));
  const count = keep.filter(Boolean).length;
  if (count === 0) return { tasks: undefined, leftOut: held.size };
  const kept =
    count === tasks.size ? tasks : tasks.where((row, task) => keep[tasks.offsets[task]! + row]!);
  return { tasks: kept, leftOut: held.size - count };
}
