/**
 * The options by which methods that share a prior hide single records, and which of them go together.
 * @module
 */
import { aWord } from "../../../options/kinds.js";
import { option, type OptionsOf } from "../../../options/option.js";
import { personOptions } from "../../../options/person-options.js";

export const recordOptions = {
  /**
   * What the budget hides from all the other tasks together: "task" (default), everything a task has; "record", one row of one
   * task, by uploads of models that one row moves little; "both", a task, by the same uploads, so that a record's own epsilon, which
   * `guarantee.recordOf` states, is smaller. In the latter two `uploadScaling`, `clip`, `featureScale` and
   * `initialPenalty` do not matter, and a task's own model, which comes from its own rows, is for the task alone.
   */
  unit: option(aWord(["task", "record", "both"]), {
    group: "privacy",
    help: "What the budget hides: all that a task has, one record (row) of it, or a task with each record's own epsilon stated.",
    default: "task",
    later: true,
  }),
  /**
   * With unit "record" or "both": most rows that one person has in a task, public; default 1. Above 1 the noise hides all rows
   * of a person instead of one record.
   */
  rowsPerPerson: { ...personOptions.rowsPerPerson, later: true },
  /** With unit "record" or "both": most tasks that have rows of one person, public; default 1. Above 1 they are hidden together. */
  tasksPerPerson: { ...personOptions.tasksPerPerson, later: true },
  /**
   * With unit "record" or "both": epsilons of owners who state less than `epsilon`, by the name of their task; null (default):
   * all have `epsilon`.
   */
  taskEpsilons: personOptions.taskEpsilons,
  /**
   * With unit "record" or "both": where the size of features and target is known from, which the bound on what a record moves is
   * in units of. "declared" (default): their declared ranges; columns without one are refused. "unit": the caller vouches, from public
   * knowledge, that all are of about unit size.
   */
  scale: option(aWord(["declared", "unit"]), {
    group: "data",
    help: "With unit record or both: declared: ranges are, or the column is refused; unit: all are of about unit size.",
    default: "declared",
    later: true,
  }),
} as const;

/** Options by which records are hidden. */
export interface PriorRecordOptions extends OptionsOf<typeof recordOptions> {}
