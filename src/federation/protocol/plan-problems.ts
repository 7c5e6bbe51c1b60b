/**
 * What is wrong with a plan, field by field.
 * @module
 */
import type { CommonOptions } from "../../learning/index.js";
import { aggregationProblems } from "../secure-aggregation/planned.js";
import { aggregatorProblems } from "../verified-sums/planned.js";
import { isParticipantName, isRunName } from "./names.js";
import type { Latecomers, Plan } from "./plan-form.js";
import { TASK_LIMITS } from "./refusal-reasons.js";

/** One sentence for every field of a plan that is wrong. */
export function problemsOf(
  plan: Plan,
  { loss, ...options }: Pick<CommonOptions, "loss">,
): string[] {
  const problems: string[] = [];
  const check = (holds: boolean, message: string) => {
    if (!holds) problems.push(message);
  };
  const unique = (list: readonly unknown[]) => new Set(list).size === list.length;
  const texts = (list: unknown): list is readonly string[] =>
    Array.isArray(list) && list.every((text) => typeof text === "string" && text !== "");
  const { classes, tasks, registration } = plan;
  check(isRunName(plan.run), "run: expected 1 to 64 letters, digits, - or _");
  check(
    texts(plan.features) && plan.features.length > 0 && unique(plan.features),
    "features: expected unique names, in order",
  );
  check(["rows", "none"].includes(plan.normalize), 'normalize: expected "rows" or "none"');
  if (loss === "squared") check(classes === null, "classes: the squared loss has none");
  else {
    const count = Array.isArray(classes) && unique(classes) ? classes.length : 0;
    check(
      loss === "logistic" ? count === 2 : count >= 2,
      `classes: the ${loss} loss needs ${loss === "logistic" ? "both" : "all"} labels, since those ` +
        "that occur in one's data would be a release",
    );
  }
  const target = plan.schema?.target;
  check(
    !target || (target.kind === "number") === (loss === "squared"),
    `schema: target: expected ${loss === "squared" ? "a number" : "a category"}, as the ${loss} loss has it`,
  );
  if (tasks) {
    check(
      tasks.length > 0 &&
        texts(tasks.map(({ name }) => name)) &&
        unique(tasks.map(({ name }) => name)),
      "tasks: expected unique names",
    );
    check(
      tasks.every(({ participant }) => participant === null || isParticipantName(participant)),
      "tasks: a participant's name has 1 to 64 letters, digits, - or _",
    );
  }
  const most = tasks?.length ?? Number.MAX_SAFE_INTEGER;
  check(
    Number.isInteger(plan.minimumTasks) && plan.minimumTasks >= 1 && plan.minimumTasks <= most,
    `minimumTasks: expected an integer from 1 to the number of tasks`,
  );
  const seconds = (value: unknown) =>
    typeof value === "number" && Number.isFinite(value) && value > 0;
  check(registration === null || seconds(registration), "registration: expected seconds, or null");
  check(seconds(plan.deadline), "deadline: expected seconds > 0");
  check(seconds(plan.quorum) && plan.quorum <= 1, "quorum: expected 0 < quorum <= 1");
  const { aggregation } = plan;
  if (aggregation?.kind === "two-aggregators") {
    problems.push(...aggregatorProblems({ ...plan, aggregation }));
  } else if (aggregation) {
    problems.push(...aggregationProblems({ ...plan, aggregation }));
    check(
      aggregation.participants.every(({ name }) => isParticipantName(name)),
      "aggregation.participants: a participant's name has 1 to 64 letters, digits, - or _",
    );
  }
  if (plan.latecomers) problems.push(...latecomerProblems(plan, plan.latecomers, options));
  check(
    (options as { taskEpsilons?: unknown }).taskEpsilons == null,
    "options.taskEpsilons: in a federated run participants state their own as they join; leave it out",
  );
  const { sampling } = options as { sampling?: { kind: string; size?: number } };
  if (sampling?.kind === "fixed-size") {
    check(sampling.size! <= plan.minimumTasks, "options.sampling.size: more than minimumTasks");
  }
  return problems;
}

/** A place that is empty must cost what an absent task costs: that holds of plain sums over whole tasks, all of which take part. */
function latecomerProblems(
  { aggregation, tasks, minimumTasks }: Plan,
  { tasks: places, rows }: Latecomers,
  options: object,
): string[] {
  const { unit = "task", sampling } = options as { unit?: string; sampling?: { kind: string } };
  const whole = (value: number) => Number.isInteger(value) && value >= 1;
  const rules: [holds: boolean, message: string][] = [
    [whole(places), "latecomers.tasks: expected an integer from 1 on"],
    [
      whole(rows) && rows <= TASK_LIMITS.rows,
      `latecomers.rows: expected an integer from 1 to ${TASK_LIMITS.rows}`,
    ],
    [
      !tasks || places <= tasks.length - minimumTasks,
      "latecomers.tasks: more than the tasks of the plan beyond minimumTasks",
    ],
    [
      aggregation === null,
      "latecomers: not with aggregation; name all participants from the start",
    ],
    [unit === "task", 'latecomers: not with unit "record" or "both"; leave it out'],
    [
      (sampling?.kind ?? "all") === "all",
      'latecomers: not where tasks are sampled; take sampling "all"',
    ],
  ];
  return rules.filter(([holds]) => !holds).map(([, message]) => message);
}
