/**
 * That a participant's rows were prepared by nothing but what is public, where single records are hidden. Nobody else sees how
 * they were prepared, so that no guarantee could list it.
 *
 * What was learned "from all tasks" is here what was learned from the participant's own: part of what the noise hides of a task,
 * but one record in all others where it is records.
 * @module
 */
import { DataError } from "../../core/index.js";
import type { TaskSet } from "../../data/index.js";
import type { Plan } from "../protocol/plan-form.js";

/** @throws DataError naming what was learned from the rows. */
export function requireNothingLearned(
  { encoding, targetName }: TaskSet,
  { classes, options }: Pick<Plan, "classes" | "options">,
): void {
  const { unit = "task" } = options;
  if (unit === "task") return;
  // The plan has the labels.
  const labels =
    classes && `labels of the target ${JSON.stringify(targetName)} observed over all tasks`;
  const [first, ...more] = encoding.provenance.flatMap(({ what, from }) =>
    from === "pooled" && what !== labels ? [what] : [],
  );
  if (first === undefined) return;
  const others = more.length > 0 ? `, and ${more.length} more` : "";
  throw new DataError(
    `unit "${unit as string}" protects single records, but your rows were prepared by what was learned from them: ${first}${others}. ` +
      'Declare it from public knowledge (a schema; without "declared": false).',
  );
}
