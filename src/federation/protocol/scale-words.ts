/**
 * What a run learns of columns that its plan does not declare, in words, and what that costs.
 * @module
 */
import { counted } from "../../core/messages/counted.js";
import { someNames } from "../../core/messages/some-names.js";
import { learnedColumns, learnedScale, UNKNOWN_ROWS } from "./learned-scale.js";
import type { Plan } from "./plan-form.js";

/** A line, if sizes are learned: of which columns, how, and for which part of the budget. */
export function scaleWords(plan: Plan): string[] {
  const { features, tasks, minimumTasks, schema } = plan;
  const m = tasks?.length ?? minimumTasks;
  const learned = learnedScale(plan, m);
  if (!learned) return [];
  const { columns, votes, part, within, mayOpen } = learned;
  const names = learnedColumns(plan).map((at) => features[at] ?? "the target");
  const of = within
    ? "how far their values lie apart within tasks, so that tasks share slopes and each keeps a level of its own"
    : "how large their values are, where they lie and how far they spread" +
      (mayOpen
        ? " (where the first two leave open where they lie, how far they lie apart within tasks: then tasks share slopes and each keeps a level of its own)"
        : "");
  return [
    `Of ${counted(columns, "column")} (${someNames(names)}) ${schema ? "the plan's schema declares no range" : "the plan, which has no schema, declares no range"}: ` +
      `tasks vote on ${of}, each in ${counted(votes, "vector")} of norm at most 1 before the others. With ${counted(m, "task")} of ` +
      `${UNKNOWN_ROWS} rows these take ${Math.round(100 * part)} % of the budget, which declared ranges would leave to the models; sizes at the ` +
      "start decide. No owner scales them itself.",
  ];
}
