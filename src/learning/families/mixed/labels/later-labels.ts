/**
 * Later tasks of labels: their targets in the classes of a prior, and their own models.
 * @module
 */
import { DataError } from "../../../../core/index.js";
import type { Label, TaskSet } from "../../../../data/index.js";
import type { SharedPrior } from "../../../fitted/unseen/shared-prior.js";
import { rowsFor } from "../../../options/rows-taken.js";
import { targetsOf } from "../../../tasks/targets.js";
import { modelsAgainstPredicted } from "./classes/against-predicted.js";
import { modelsOfAllClasses } from "./classes/classes-models.js";
import type { MixedModels, PackedPriors } from "../exchange.js";
import { againstOthers, LogisticTasks, type LogisticRows } from "./logistic-tasks.js";
import { mixedTakes } from "../rows-taken.js";
import type { Units } from "../units/units.js";
import { unpackedPriors } from "./posterior/task-priors.js";

/**
 * Labels 1 and -1, or classes from 0 on, by name.
 * @throws DataError for rows that a mixed model of labels does not take, or whose label is none of the prior's classes.
 */
export function laterLabels(
  { method, loss, classes }: Pick<SharedPrior, "method" | "loss" | "classes">,
  tasks: TaskSet,
): Float64Array {
  if (!classes) {
    throw new DataError(
      `the prior does not say what its classes are; expected one made by sharedPrior, or a model of ${method}`,
    );
  }
  rowsFor(method, mixedTakes({ loss }), tasks);
  requireClasses(classes, tasks);
  return targetsOf(tasks, loss, classes).y;
}

/** Classes that a message names. */
const MOST_NAMED = 8;

function requireClasses(classes: readonly Label[], tasks: TaskSet): void {
  const known = new Set(classes);
  const { targetLevels, targetName } = tasks;
  for (const { name, y } of tasks) {
    const row = y.findIndex((value) => !known.has(targetLevels?.[value] ?? value));
    if (row < 0) continue;
    const named = classes.slice(0, MOST_NAMED).map((label) => JSON.stringify(label));
    const more = classes.length - named.length;
    throw new DataError(
      `task ${JSON.stringify(name)}, row ${row}: ${JSON.stringify(targetName)} is none of the classes of the prior: ` +
        `expected ${targetLevels ? "" : "labels, not numbers: "}one of ${named.join(", ")}` +
        (more > 0 ? ` and ${more} more` : ""),
    );
  }
}

/**
 * The solve that every task of the fit did for itself.
 * @param rows in the units of the exchange, with targets of `laterLabels`.
 * @param outputs C of several classes, else 1.
 * @param units how those units came about.
 */
export function solveLabels(
  priors: PackedPriors,
  rows: LogisticRows,
  outputs: number,
  units: Pick<Units, "voted">,
): Omit<MixedModels, "prior"> {
  const d = priors.means.length / (outputs * priors.kinds.length);
  if (outputs === 1) return new LogisticTasks(rows, d, units).solve(unpackedPriors(priors, d));
  const classes = Array.from({ length: outputs }, (_, label) => ({
    tasks: new LogisticTasks(againstOthers(rows, label), d, units),
    own: unpackedPriors(priors, d, label),
  }));
  const first = classes.map(({ tasks, own }) => tasks.solve(own, true));
  const models = modelsAgainstPredicted(rows, first, (label, added) =>
    classes[label]!.tasks.solveAgain(classes[label]!.own, added, first[label]!),
  );
  return modelsOfAllClasses(models, rows.offsets.length - 1);
}
