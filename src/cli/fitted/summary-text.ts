/**
 * Coefficients, standard errors and variances of a model, or of one of its tasks, as a table.
 * @module
 */
import type { ModelSummary } from "../../learning/index.js";
import type { TaskSummary } from "../../learning/fitted/summary/task-summary.js";
import { learnedWords } from "./guarantee-text.js";
import { alignedTable } from "../words/aligned-table.js";
import { short } from "../words/short.js";

/** As many coefficients are printed as people read. */
const MOST = 40;

/** `npm run bench:standard-errors -- --constant` measures it, with `--declared` what declaring does, with `--loss squared` those of numbers. */
const CONSTANT_COLUMNS = {
  labels:
    "two kinds of effects may lie farther from zero than stated, by several of these standard errors: that of a column that hardly varies " +
    'within tasks and is not declared "perTask", and that of a column whose range nobody declared',
  numbers:
    'the effect of a column that hardly varies within tasks and is not declared "perTask" may lie farther from zero than stated, by two or ' +
    "three of these standard errors; that of a column in a small part of its declared range by more",
};

/** `npm run bench:standard-errors -- --loss squared --epsilon 1,3,10 --tasks 60 --rows 60` measures it. */
const RELEASED_SPREAD =
  "the standard deviations between tasks and around a task's model are rough: each may be a quarter of the truth or three times it, and " +
  "farther off where tasks hardly differ, so no intraclass correlation should be computed from them; that around a task's model is of a typical " +
  "task, and is below that over all rows where some tasks or rows are far noisier than others";

const AGAINST_REST =
  "of a class: its log-odds against all others together, not against one class of reference";

/** `npm run bench:standard-errors -- --undeclared --rows 12 --epsilon 1 --tasks 80` has such fits. */
const UNPLACED =
  "an effect without a std. error may be far off, and the intercept with it: the noise left open where the column's values lie or how large they are; declare its range";

/** In units of what a row's target varies by (log-odds: 1), a standard error of the intercept that tells of the place, not of the data. */
const FAR = 3;

const AT_ZERO =
  "the intercept is where every column is 0, which may be far from all rows, as the year 0 is: the farther, the less sure";

/** Where the intercept lies; where ranges are declared, also what it is in their middle, which is public. */
function levelLines({ coefficients, atMiddle, residual, fixedEffects }: ModelSummary): string[] {
  if (atMiddle.length > 0) {
    const told = atMiddle.map(
      ({ name, estimate, standardError }) =>
        `${name} ${short(estimate)} (std. error ${short(standardError)})`,
    );
    return [
      `in the middle of the declared ranges, other columns at 0: ${told.join(", ")}; ${AT_ZERO}`,
    ];
  }
  const { standardError = null } =
    coefficients.findLast(({ name }) => name.startsWith("(intercept)")) ?? {};
  return fixedEffects && (standardError ?? 0) > FAR * (residual ?? 1)
    ? [`${AT_ZERO}; with declared ranges (--ranges) it is told in their middle, too`]
    : [];
}

const NO_NAMES = "the parameters of a network have no names";

const SCALED = "of rows scaled to unit length, not of the table's units";

/** A table, with as many of its rows as people read. */
const tableLines = (header: readonly string[], rows: readonly (readonly string[])[]) => [
  ...alignedTable([header, ...rows.slice(0, MOST)]).split("\n"),
  ...(rows.length > MOST
    ? [`and ${rows.length - MOST} more (--json, or --coefficients-out FILE)`]
    : []),
];

/** How far rows lie from their task's model. */
const residualLines = (residual: number | null) =>
  residual === null
    ? []
    : [`a row lies around its task's model with a standard deviation of ${short(residual)}`];

/** Which of two labels a positive coefficient speaks for. */
const logOddsLines = ({ loss, classes }: Pick<ModelSummary, "loss" | "classes">) =>
  loss === "logistic" && classes
    ? [
        `coefficients are of the log-odds of ${JSON.stringify(classes[1])} against ${JSON.stringify(classes[0])}`,
      ]
    : [];

/** The table of one task and what its columns mean. */
export function taskSummaryLines(summary: TaskSummary): string[] {
  const { coefficients, residual, units } = summary;
  if (coefficients.length === 0) return [NO_NAMES];
  const known = coefficients.some(({ interval }) => interval !== null);
  const rows = coefficients.map(({ name, estimate, interval }) => [
    name,
    short(estimate),
    ...(interval ? interval.map(short) : []),
  ]);
  return [
    ...tableLines(["", "estimate", ...(known ? ["from", "to"] : [])], rows),
    ...residualLines(residual),
    ...logOddsLines(summary),
    known
      ? "estimate: the task's own; from, to: where it lies with probability .95, if tasks are as the model has them"
      : "estimate: the task's own; the method does not know how sure it is",
    ...(units === "prepared" ? [SCALED] : []),
  ];
}

/** The table and what its columns mean. */
export function summaryLines(summary: ModelSummary): string[] {
  const { coefficients, residual, charged, notCharged, units, fixedEffects } = summary;
  if (coefficients.length === 0) return [NO_NAMES];
  const unplaced = fixedEffects && coefficients.some(({ standardError }) => standardError === null);
  const rows = coefficients.map(({ name, estimate, standardError, betweenTasks }) => [
    name,
    short(estimate),
    ...(fixedEffects ? [short(standardError)] : []),
    short(betweenTasks),
  ]);
  const header = ["", "estimate", ...(fixedEffects ? ["std. error"] : []), "between tasks"];
  return [
    ...tableLines(header, rows),
    ...residualLines(residual),
    ...logOddsLines(summary),
    fixedEffects
      ? "estimate: the fixed effect; std. error: its standard error, which counts the noise for privacy, too; between tasks: standard deviation of " +
        "the tasks' own effects"
      : "estimate: mean of the tasks' coefficients; between tasks: their standard deviation",
    ...(fixedEffects && summary.loss === "softmax" ? [AGAINST_REST] : []),
    ...levelLines(summary),
    ...(unplaced ? [UNPLACED] : []),
    ...(fixedEffects && charged && residual !== null ? [RELEASED_SPREAD] : []),
    ...(fixedEffects && charged
      ? [CONSTANT_COLUMNS[summary.loss === "squared" ? "numbers" : "labels"]]
      : []),
    ...(units === "prepared" ? [SCALED] : []),
    ...(charged
      ? learnedWords(notCharged).map(
          (what) =>
            `learned from all tasks' rows without a charge, and to be seen in this table's names and units: ${what}`,
        )
      : [
          fixedEffects
            ? "no noise that holds hides whose rows these are made of: for the curator only"
            : "means over tasks are charged to no budget: for the curator only",
        ]),
  ];
}
