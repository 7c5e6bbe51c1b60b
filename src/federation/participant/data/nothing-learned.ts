/**
 * Where single records are hidden, a participant's rows may be prepared only by what is public: nobody else sees how they were
 * prepared, so no guarantee could list it.
 *
 * A participant has its own rows only, so whatever it learned "from all tasks" it learned from these. Noise that hides a whole task
 * hides that too. Noise that hides one record does not: one record would enter, by the preparation, into all others.
 * @module
 */
import { DataError } from "../../../core/index.js";
import type { TaskSet } from "../../../data/index.js";
import type { Plan } from "../../protocol/plan/plan-form.js";

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
