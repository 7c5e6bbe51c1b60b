/**
 * The figures of one fitted model: eps over rounds, models, task relationships.
 * @module
 */
import { counted } from "../../core/messages/counted.js";
import { transpose } from "../../linalg/small-matrices.js";
import { taskRelationship, type FittedModel } from "../../learning/index.js";
import {
  heatMapFigure,
  MAX_SIDE,
  spendingFigure,
  type Figure,
  type ReportTable,
} from "../../report/index.js";
import { personOf, unitWords } from "../account/events.js";
import { learnedWords } from "./guarantee-text.js";
import { remarksOn } from "./remarks.js";

const sentence = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;

/** What a fitted model comes down to, as far as it says itself. */
export function modelConclusion(model: FittedModel): string[] {
  const { method, m, d, rounds, choice } = model;
  return [
    sentence(
      `the method ${method} made a model for ${m === 1 ? "the task" : `each of ${m} tasks`} from ${counted(d, "feature")} in ${counted(rounds, "round")}` +
        (choice ? `; it was taken because ${choice.why}` : ""),
    ),
    ...remarksOn(model).map(sentence),
    "How good they are on new rows: mp-mtl evaluate --model DIR --data NEW.csv.",
  ];
}

/** Named coefficients, where they are those of a mixed model. */
export function coefficientTable(model: FittedModel): ReportTable[] {
  const { charged, notCharged, fixedEffects, coefficients } = model.summary();
  if (!fixedEffects) return [];
  return [
    {
      name: "coefficients",
      title: "What the tasks have in common",
      caption:
        `A coefficient of all tasks, its standard error with any noise for privacy included, and the standard ` +
        "deviation of the tasks' own around it. " +
        (charged
          ? `All numbers follow from what the budget paid for${learnedWords(notCharged)
              .map((what) => `; their columns and units do not: ${what}`)
              .join("")}; deviations between tasks are rough.`
          : "No noise that holds hides whose rows it is made of: for the curator only."),
      columns: ["feature", "coefficient", "standard error", "between tasks"],
      rows: coefficients.map(({ name, estimate, standardError, betweenTasks }) => [
        name,
        estimate,
        standardError,
        betweenTasks,
      ]),
    },
  ];
}

/** What there is to show of a model: of many tasks the first, and no more parameters than a picture can hold. */
export function modelFigures(model: FittedModel, command: string): Figure[] {
  const m = Math.min(model.m, MAX_SIDE);
  const shown: ShownTasks = {
    m,
    weights: model.weights.slice(0, m * model.parameters),
    names: model.taskNames.slice(0, m),
    which: m < model.m ? ` Of the first ${m} of ${model.m} tasks.` : "",
    command,
  };
  return [
    ...spending(model, command),
    ...(model.parameters <= MAX_SIDE ? [models(model, shown)] : []),
    ...(m > 1 ? [relationships(model, shown)] : []),
  ];
}

/** The tasks that a picture has room for. */
interface ShownTasks {
  readonly m: number;
  /** Row-major, [m, parameters]. */
  readonly weights: Float64Array;
  readonly names: readonly string[];
  /** A sentence on which they are, where they are not all. */
  readonly which: string;
  readonly command: string;
}

function spending({ method, ledger, guarantee }: FittedModel, command: string): Figure[] {
  if (!ledger || ledger.entries.length === 0) return [];
  const unit =
    ledger.unit === undefined ? "" : `, of ${unitWords(ledger.unit, personOf({ guarantee }))}`;
  return [
    spendingFigure([{ series: method, ledger }], {
      name: "eps-over-rounds",
      title: "eps over rounds",
      caption:
        `What the ledger says was spent after each release, at delta ${ledger.delta}; the budget is eps ${ledger.epsilon}${unit}. ` +
        "With a plan fixed beforehand the last value is that of the whole plan.",
      alt: `Line chart of the eps spent after each of ${ledger.entries.length} releases.`,
      command,
    }),
  ];
}

function models(
  { method, parameters, featureNames }: FittedModel,
  { m, weights, names, which, command }: ShownTasks,
): Figure {
  return heatMapFigure({
    name: "models",
    title: "Models",
    caption: `Weights of every task's model.${which}`,
    alt: `Heat map of the weights of ${m} tasks and ${parameters} features.`,
    command,
    rowTitle: "feature",
    columnTitle: "task",
    valueTitle: "weight",
    maps: [
      {
        title: method,
        values: transpose(weights, m, parameters),
        rows: parameters,
        columns: m,
        ...(featureNames.length === parameters ? { rowNames: featureNames } : {}),
        columnNames: names,
      },
    ],
  });
}

function relationships(
  { method, parameters }: FittedModel,
  { m, weights, names, which, command }: ShownTasks,
): Figure {
  return heatMapFigure({
    name: "task-relationships",
    title: "Task relationships",
    caption:
      "Omega = (W^T W)^(1/2) / trace: large positive entries join tasks with like models, " +
      `negative ones tasks with opposite models.${which}`,
    alt: `Heat map of the relationships of ${m} tasks.`,
    command,
    rowTitle: "task",
    columnTitle: "task",
    valueTitle: "relationship",
    maps: [
      {
        title: method,
        values: taskRelationship(weights, m, parameters),
        rows: m,
        columns: m,
        rowNames: names,
        columnNames: names,
      },
    ],
  });
}
