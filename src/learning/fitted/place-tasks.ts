/**
 * A task set placed in a core, its targets as the loss wants them.
 * @module
 */
import { openCore, type Core } from "../../core/index.js";
import { binaryLabels, classLabels, refuseLabels, type TaskSet } from "../../data/index.js";
import type { CommonOptions } from "../tasks/common-options.js";
import { ResidentTasks } from "../tasks/resident-tasks.js";
import type { Classes } from "./model-state.js";

/** A task set placed in a core of its own, with its targets as the loss wants them. */
export interface Placed {
  readonly tasks: ResidentTasks;
  readonly classes: Classes | null;
}

/** Where tasks are placed, and what is known beyond them. */
export interface Placing {
  /** Default: one of their own. */
  readonly core?: Core;
  /** The labels, where they are public; default those that occur. */
  readonly classes?: Classes | null | undefined;
  /** Tasks and rows of the whole run, where these tasks are a part of it. */
  readonly sizes?: { readonly m: number; readonly rows: number };
}

/**
 * Places the tasks in a core.
 * @throws DataError if the loss is logistic and the targets do not have two values, or softmax and
 *   they have one.
 */
export function placeTasks(
  tasks: TaskSet,
  options: CommonOptions,
  { core = openCore(), classes, sizes }: Placing = {},
): Placed {
  const known = classes ?? undefined;
  if (options.loss === "squared") refuseLabels(tasks);
  const labels =
    options.loss === "logistic"
      ? binaryLabels(tasks, known)
      : options.loss === "softmax"
        ? classLabels(tasks, known)
        : undefined;
  return {
    tasks: new ResidentTasks(core, tasks, labels?.y ?? tasks.y, options, sizes),
    classes: labels?.classes ?? null,
  };
}
