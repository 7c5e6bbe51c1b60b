/**
 * Labels of classification: two values of any kind to -1 and +1, several to 0..C-1.
 * @module
 */
import { DataError } from "../../core/errors.js";
import type { TaskSet } from "./task-set.js";
import type { Label } from "../columns/label.js";

/** Targets of binary classification. */
export interface BinaryLabels {
  /** Float64Array, shape [N]: -1 or +1. */
  readonly y: Float64Array;
  /** The label that -1 stands for, and the one that +1 stands for: the larger. */
  readonly classes: readonly [Label, Label];
}

/** Targets of classification into C classes. */
export interface ClassLabels {
  /** Float64Array, shape [N]: 0..C-1. */
  readonly y: Float64Array;
  /** C labels, ascending: y = c stands for classes[c]. */
  readonly classes: readonly Label[];
}

/** The declared labels, in their order; else those that occur, ascending. */
function classesOf(tasks: TaskSet): readonly Label[] {
  if (tasks.encoding.target.levelsDeclared) return tasks.targetLevels!;
  const values = [...new Set(tasks.y)].sort((a, b) => a - b);
  return values.map((value) => tasks.targetLevels?.[value] ?? value);
}

/**
 * Refuses labels where a loss wants numbers: their positions in the alphabet mean nothing.
 * @throws DataError if the targets are labels.
 */
export function refuseLabels(tasks: TaskSet): void {
  if (!tasks.targetLevels) return;
  throw new DataError(
    `the target ${JSON.stringify(tasks.targetName)} holds labels, not numbers: use the loss "logistic" ` +
      'for two, "softmax" for several (--loss).',
  );
}

/** Position of every row's label in `classes`. */
function positions(tasks: TaskSet, classes: readonly Label[]): Float64Array {
  const position = new Map(classes.map((label, at) => [label, at]));
  const y = new Float64Array(tasks.size);
  for (let i = 0; i < tasks.m; i++) {
    for (let row = tasks.offsets[i]!; row < tasks.offsets[i + 1]!; row++) {
      const at = position.get(tasks.targetLevels?.[tasks.y[row]!] ?? tasks.y[row]!);
      if (at === undefined) {
        throw new DataError(
          `task ${JSON.stringify(tasks.names[i])}, row ${row - tasks.offsets[i]!}: ` +
            `${tasks.targetName}: not one of the ${classes.length} classes the model was fitted with.`,
        );
      }
      y[row] = at;
    }
  }
  return y;
}

/**
 * Two labels of any kind as -1 and +1; the larger label is +1 (text: later in code unit order,
 * booleans: true), of declared ones the second. A task whose rows have one class only is legitimate; one
 * class over all tasks is not, unless both were declared.
 *
 * @param classes  the two classes of a fitted model, to read test data in its terms; by default
 *                 those that were declared, or that occur.
 * @throws DataError if there is one class, or more than two, or (with `classes`) another label.
 */
export function binaryLabels(
  tasks: TaskSet,
  classes: readonly Label[] = classesOf(tasks),
): BinaryLabels {
  if (classes.length !== 2) {
    const found =
      classes.length === 1 ? "one class" : `${classes.length} different values, not two classes`;
    const advice =
      classes.length === 1
        ? "A classifier needs both classes in the training data of at least one task."
        : 'Use the loss "softmax" for several classes, "squared" for numbers.';
    throw new DataError(`the target ${JSON.stringify(tasks.targetName)} has ${found}. ${advice}`);
  }
  const y = positions(tasks, classes);
  for (let row = 0; row < y.length; row++) y[row] = 2 * y[row]! - 1;
  return { y, classes: [classes[0]!, classes[1]!] };
}

/**
 * Labels as 0..C-1 in ascending order.
 *
 * @param classes  the classes of a fitted model; by default those declared, or that occur; at least two.
 * @throws DataError if there is one class, or (with `classes`) another label.
 */
export function classLabels(
  tasks: TaskSet,
  classes: readonly Label[] = classesOf(tasks),
): ClassLabels {
  if (classes.length < 2) {
    throw new DataError(
      `the target ${JSON.stringify(tasks.targetName)} has one class. ` +
        "A classifier needs at least two classes in the training data.",
    );
  }
  return { y: positions(tasks, classes), classes: [...classes] };
}
