/**
 * The result of a fit, for people: what was assumed, what was learned, how sure it is, what it cost, what to do next.
 * @module
 */
import { counted } from "../../core/counted.js";
import { learnedWithoutCharge } from "../../learning/fitted/uncharged-figures.js";
import type { Candidate, FittedModel } from "../../learning/index.js";
import type { fitDocument } from "./document.js";
import { guaranteeLines } from "../fitted/guarantee-text.js";
import { protectionLines } from "../fitted/protection-text.js";
import { scaleOf, scoreLine, scoreTexts } from "../fitted/score-text.js";
import { shellWord } from "../words/shell-word.js";
import { short } from "../words/short.js";
import { summaryLines } from "../fitted/summary-text.js";

/** What the command was asked, as far as it decides what comes next. */
export interface FitAsked {
  readonly data: string;
  readonly delimiter?: string | undefined;
  readonly decimal?: string | undefined;
  readonly task?: string | undefined;
  readonly target?: string | undefined;
  readonly out?: string | undefined;
  readonly ranges?: string | undefined;
  /** Remarks that were made before the fit. */
  readonly said: readonly string[];
}

/** The document, and what only the text says. */
type Shown = ReturnType<typeof fitDocument> & {
  readonly chosen?: Candidate;
  readonly notes?: readonly string[];
};

const section = (title: string, lines: readonly string[]) =>
  lines.length > 0 ? [`${title}:`, ...lines.map((line) => `  ${line}`)] : [];

/** What `fit` prints without `--json`. */
export function describeFit(document: Shown, asked: FitAsked): string {
  const { method, tasks, features, samples, rounds, seconds, coefficients } = document;
  return [
    `${method}: ${counted(tasks, "task")}, ${counted(features, "feature")}, ${counted(samples, "row")}, ${counted(rounds, "round")}` +
      (seconds === undefined ? "" : `, ${short(seconds)} s${threadsText(document)}`),
    ...section("assumed", [
      ...(document.notes ?? []).map((note) => `data: ${note}`),
      ...("choice" in document ? [`auto takes ${method}: ${document.choice.why}`] : []),
    ]),
    ...section("learned", [
      tasks === 1 ? "a model for the task" : `a model for each of ${tasks} tasks`,
      ...("chosen" in document ? [`chosen: ${JSON.stringify(document.chosen)}`] : []),
      ...(coefficients ? summaryLines(coefficients) : []),
    ]),
    ...section("how sure", certainty(document, asked)),
    ...section("cost", [
      ...(document.guarantee.later === undefined
        ? []
        : ["nothing: no release was made, and the fit that the prior comes from is paid for"]),
      ...guaranteeLines(document.guarantee),
      ...countedLines(document),
      ...protectionLines(document.protection ?? []),
    ]),
    ...section("next", nextSteps(document, asked)),
    ...(asked.out === undefined ? [] : [`model written to ${asked.out}`]),
  ].join("\n");
}

/** What notes count is of all tasks' rows, and a guarantee beside them would seem to cover it. */
const countedLines = ({ guarantee, notes = [] }: Shown) =>
  guarantee.kind === "joint" && notes.length > 0
    ? [
        'what "data" above counts in all tasks\' rows is not charged either, and for the curator only',
      ]
    : [];

const threadsText = ({ threads }: Shown) =>
  threads && threads.used > 1 ? ` on ${threads.used} threads` : "";

function certainty(document: Shown, { said }: FitAsked): string[] {
  const { certificate, train, remarks, testRowsNotScored: rowsNotScored = 0 } = document;
  const { test, newTasks, intervals, notScored = {} } = document;
  const unscored = notScored.train === undefined ? ", since the rows were read once" : "";
  const held = test ?? newTasks;
  return [
    ...(certificate ? [certificateLine(certificate)] : []),
    `train: ${train ? scoreLine(train) : `not scored${unscored}`}`,
    ...scoreTexts({
      ...(test ? { test } : {}),
      ...(newTasks ? { newTasks } : {}),
      ...(intervals ? { intervals } : {}),
      rowsNotScored,
    }),
    ...(held
      ? [scaleOf(held)]
      : [
          ...(train?.nmse === null ? [scaleOf(train)] : []),
          ...(notScored.test === undefined
            ? ["no rows were held out, so the error on new rows is not known"]
            : []),
        ]),
    ...remarks.filter((remark) => !said.includes(remark)).map((remark) => `remark: ${remark}`),
  ];
}

function certificateLine({
  kind,
  value,
  met,
  tolerance,
  noMinimiser,
}: NonNullable<FittedModel["certificate"]>) {
  if (noMinimiser) {
    return (
      "NO OPTIMUM: the rows' labels are told apart without an error, so larger coefficients are always better, and these are where " +
      "that was found; take fewer features, or a method that penalises the models themselves"
    );
  }
  return met
    ? `converged: within ${short(tolerance)} of the optimum, relative (${kind})`
    : `NOT CONVERGED: within ${short(value)} of the optimum, relative (${kind}); asked for ${short(tolerance)}`;
}

/** A flag with its value, as a shell takes it; nothing where there is no value. */
const flag = (name: string, value: string | undefined) =>
  value === undefined ? "" : ` --${name} ${shellWord(value)}`;

/** Commands that can be copied; files that are the user's to name are in capitals. */
function nextSteps(document: Shown, asked: FitAsked): string[] {
  const { data, out, ranges, delimiter, decimal, task, target } = asked;
  const { guarantee } = document;
  const spends = guarantee.kind === "joint";
  const seeded =
    guarantee.kind === "joint" &&
    guarantee.noiseSource === "seeded" &&
    guarantee.later === undefined;
  const learned = learnedWithoutCharge(document);
  const undeclared = ranges === undefined && "choice" in document;
  const written = flag("delimiter", delimiter) + flag("decimal", decimal);
  const roles = flag("task", task) + flag("target", target);
  return [
    ...((document.test ?? document.newTasks ?? document.notScored?.test)
      ? []
      : [
          // Of a table that is read once no part is held out.
          `hold rows out to see the error on new ones: ${document.train ? "--test-fraction 0.3" : "--test FILE"}`,
        ]),
    ...(undeclared
      ? [
          `declare what is publicly known of the columns${spends ? ", which saves budget" : ""}: mp-mtl inspect` +
            `${flag("data", data)}${written}${roles} --out schema.json, then --ranges schema.json`,
        ]
      : []),
    ...(ranges !== undefined && guarantee.later === undefined && learned.length > 0
      ? [
          `complete ${shellWord(ranges)} with what is publicly known, and remove "declared": false from what you vouch for, so that ` +
            "nothing is learned of columns uncharged",
        ]
      : []),
    ...(spends && guarantee.later === undefined && document.test
      ? [
          "what sharing gained: the same command with --method single-task, without the budget's options, has the error alone on these rows",
        ]
      : []),
    ...(seeded ? ["for models that protect someone, fit without --seed"] : []),
    ...(out === undefined
      ? ["keep the model: --out DIR"]
      : [
          `mp-mtl predict --model ${shellWord(out)} --data NEW.csv${written} --out predictions.csv`,
          `mp-mtl evaluate --model ${shellWord(out)} --data NEW.csv${written}`,
          `mp-mtl report --model ${shellWord(out)} --out report.html`,
        ]),
  ];
}
