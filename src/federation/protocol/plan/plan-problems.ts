/**
 * What is wrong with a plan, field by field.
 * @module
 */
import { counted } from "../../../core/messages/counted.js";
import { OptionError } from "../../../core/index.js";
import type { CommonOptions } from "../../../learning/index.js";
import { robustShape, type Aggregate } from "../../../learning/round/statistic/robust-sum.js";
import { relayedSumProblems } from "../../relayed-sums/plan/planned.js";
import { aggregationProblems } from "../../secure-aggregation/plan/planned.js";
import { aggregatorProblems } from "../../verified-sums/plan/planned.js";
import { learnedColumns, tooFewToLearn } from "./learned-scale.js";
import { isParticipantName, isRunName, NAME_FORM } from "../messages/names.js";
import type { Latecomers, Plan } from "./plan-form.js";
import { broken, type Rule } from "../rules/plan-rules.js";
import { TASK_LIMITS } from "../messages/refusal-reasons.js";

/** One sentence for every field of a plan that is wrong. */
export function problemsOf(
  plan: Plan,
  { loss, ...options }: Pick<CommonOptions, "loss">,
): string[] {
  const problems = [
    ...broken(dataRules(plan, loss)),
    ...broken(taskRules(plan)),
    ...broken(timeRules(plan)),
    ...sumProblems(plan),
    ...(plan.latecomers ? broken(latecomerRules(plan, plan.latecomers, options)) : []),
    ...broken(optionRules(plan, options)),
  ];
  // Of a plan that holds together otherwise.
  return problems.length > 0 ? problems : scaleProblems(plan);
}

/** What rows and targets are. */
function dataRules(
  { run, features, normalize, classes, schema }: Plan,
  loss: CommonOptions["loss"],
): Rule[] {
  const target = schema?.target;
  const labels = target !== undefined && target.kind !== "number";
  const known = Array.isArray(classes) && unique(classes) ? classes.length : 0;
  return [
    [isRunName(run), `run: expected ${NAME_FORM}`],
    [
      texts(features) && features.length > 0 && unique(features),
      "features: expected unique names, in order",
    ],
    [["rows", "none"].includes(normalize), 'normalize: expected "rows" or "none"'],
    loss === "squared"
      ? // Labels that came with the schema's target are that one's mistake.
        [classes === null || labels, "classes: the squared loss has none"]
      : [
          loss === "logistic" ? known === 2 : known >= 2,
          `classes: the ${loss} loss needs ${loss === "logistic" ? "both" : "all"} labels, since those ` +
            "that occur in one's data would be a release; name them, or have a schema give them",
        ],
    [
      !target || labels === (loss !== "squared"),
      loss === "squared"
        ? "schema: target: expected a number, as the squared loss has it; of two labels the loss is logistic, of more softmax"
        : `schema: target: expected a category, as the ${loss} loss has it`,
    ],
  ];
}

/** Who takes part, where that is laid down, and how many must. */
function taskRules({ tasks, minimumTasks }: Plan): Rule[] {
  const names = tasks?.map(({ name }) => name);
  const most = tasks?.length ?? Number.MAX_SAFE_INTEGER;
  return [
    [
      !names || (names.length > 0 && texts(names) && unique(names)),
      "tasks: expected { name, participant } each, every name once",
    ],
    [
      tasks?.every(({ participant }) => participant === null || isParticipantName(participant)) ??
        true,
      `tasks: a participant's name has ${NAME_FORM}`,
    ],
    [
      Number.isInteger(minimumTasks) && minimumTasks >= 1 && minimumTasks <= most,
      "minimumTasks: expected an integer from 1 to the number of tasks",
    ],
  ];
}

/** How long the curator waits, and for whom. */
function timeRules({ registration, deadline, quorum }: Plan): Rule[] {
  const seconds = (value: unknown) =>
    typeof value === "number" && Number.isFinite(value) && value > 0;
  return [
    [registration === null || seconds(registration), "registration: expected seconds, or null"],
    [seconds(deadline), "deadline: expected seconds > 0"],
    [seconds(quorum) && quorum <= 1, "quorum: expected 0 < quorum <= 1"],
  ];
}

/** What sums need that the curator sees in no other way. */
function sumProblems(plan: Plan): string[] {
  const { aggregation } = plan;
  if (!aggregation) return [];
  if (aggregation.kind === "relays") return relayedSumProblems({ ...plan, aggregation });
  if (aggregation.kind === "two-aggregators") return aggregatorProblems({ ...plan, aggregation });
  return [
    ...aggregationProblems({ ...plan, aggregation }),
    ...broken([
      [
        aggregation.participants.every(({ name }) => isParticipantName(name)),
        `aggregation.participants: a participant's name has ${NAME_FORM}`,
      ],
    ]),
  ];
}

/** What of the method's options must not be said here, or goes with the plan. */
function optionRules({ minimumTasks }: Plan, options: object): Rule[] {
  const { taskEpsilons, sampling, aggregate } = options as {
    taskEpsilons?: unknown;
    sampling?: { kind: string; size?: number };
    aggregate?: Aggregate;
  };
  const tooFew = aggregate && tooFewFor(aggregate, minimumTasks);
  return [
    [
      taskEpsilons == null,
      "options.taskEpsilons: in a federated run participants state their own as they join; leave it out",
    ],
    [
      sampling?.kind !== "fixed-size" || sampling.size! <= minimumTasks,
      "options.sampling.size: more than minimumTasks",
    ],
    [!tooFew, `minimumTasks: with so few the run could not start: options.${tooFew}`],
  ];
}

/** What so few tasks could not learn, as they might be all that start. */
function scaleProblems(plan: Plan): string[] {
  const { minimumTasks, options } = plan;
  if (!tooFewToLearn(plan, minimumTasks)) return [];
  const learned = counted(learnedColumns(plan).length, "column");
  return [
    `options.scale: at epsilon ${String(options["epsilon"])} ${counted(minimumTasks, "task")} (minimumTasks) are too few to learn the size of ` +
      `${learned} that the plan's schema does not declare; declare their ranges in it, have more tasks, say scale: "declared" where every ` +
      'participant has declared them itself, or scale: "unit" if all are of about unit size',
  ];
}

/** What keeps so few tasks from having such a mean; undefined where nothing does. */
function tooFewFor(aggregate: Aggregate, tasks: number): string | undefined {
  try {
    robustShape(aggregate, tasks);
    return undefined;
  } catch (error) {
    if (error instanceof OptionError) return error.message;
    throw error;
  }
}

/** A place that is empty must cost what an absent task costs: that holds of plain sums over whole tasks, all of which take part. */
function latecomerRules(
  { aggregation, tasks, minimumTasks }: Plan,
  { tasks: places, rows }: Latecomers,
  options: object,
): Rule[] {
  const { unit = "task", sampling } = options as { unit?: string; sampling?: { kind: string } };
  const whole = (value: number) => Number.isInteger(value) && value >= 1;
  return [
    [whole(places), "latecomers.tasks: expected an integer from 1 on"],
    [
      whole(rows) && rows <= TASK_LIMITS.rows,
      `latecomers.rows: expected an integer from 1 to ${TASK_LIMITS.rows}`,
    ],
    [
      !tasks || places <= tasks.length - minimumTasks,
      "latecomers.tasks: more than the tasks of the plan beyond minimumTasks; name those that may come late, too, and set minimumTasks to how many are enough to start",
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
}

const unique = (list: readonly unknown[]) => new Set(list).size === list.length;

const texts = (list: unknown): list is readonly string[] =>
  Array.isArray(list) && list.every((text) => typeof text === "string" && text !== "");
