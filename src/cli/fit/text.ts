/**
 * The result of a fit, for people: what was assumed, what was learned, how sure it is, what it cost, what to do next.
 * @module
 */
import { counted } from "../../core/messages/counted.js";
import type { Candidate, FittedModel } from "../../learning/index.js";
import type { fitDocument } from "./document.js";
import { nextSteps, type FitAsked } from "./next-steps.js";
import { shortGuaranteeLines } from "../fitted/guarantee-in-short.js";
import { guaranteeLines } from "../fitted/guarantee-text.js";
import { protectionLines } from "../fitted/protection-text.js";
import { scaleOf, scoreLine, scoreTexts } from "../fitted/score-text.js";
import { shellWord } from "../words/shell-word.js";
import { short, shortPromise } from "../words/short.js";
import { summaryLines } from "../fitted/summary-text.js";

/** What the command was asked, as far as the text depends on it. */
interface FitTold extends FitAsked {
  /** Whether nobody said how much may be spent. */
  readonly defaultBudget?: boolean;
  /** Whether all of the guarantee is to be printed. */
  readonly verbose: boolean;
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
export function describeFit(document: Shown, asked: FitTold): string {
  const { method, tasks, features, samples, rounds, seconds, coefficients, clip } = document;
  return [
    `${method}: ${counted(tasks, "task")}, ${counted(features, "feature")}, ${counted(samples, "row")}, ${counted(rounds, "round")}` +
      (seconds === undefined ? "" : `, ${short(seconds)} s${threadsText(document)}`),
    ...section("assumed", [
      ...(document.notes ?? []).map((note) => `data: ${note}`),
      ...("choice" in document ? [`auto takes ${method}: ${document.choice.why}`] : []),
      ...(clip && !clip.voted
        ? [
            `the bound on what tasks upload: K = ${short(clip.value)}, a guess from what is declared; at this budget votes of so few tasks would be lost in their noise`,
          ]
        : []),
      ...budgetLine(document, asked),
    ]),
    ...section("learned", [
      tasks === 1 ? "a model for the task" : `a model for each of ${tasks} tasks`,
      ...("chosen" in document ? [`chosen: ${JSON.stringify(document.chosen)}`] : []),
      ...(clip?.voted
        ? [`the bound on what tasks upload: K = ${short(clip.value)}, by their charged votes`]
        : []),
      ...(coefficients ? summaryLines(coefficients) : []),
    ]),
    ...section("how sure", certainty(document, asked)),
    ...section("cost", costLines(document, asked)),
    ...section("next", nextSteps(document, asked)),
    ...(asked.out === undefined ? [] : [`model written to ${asked.out}`]),
  ].join("\n");
}

/** What was promised and what was not, in short unless all of it is asked for. */
function costLines({ guarantee, notes = [], protection = [] }: Shown, { verbose, out }: FitTold) {
  const all = out === undefined ? "--verbose" : `mp-mtl summary --model ${shellWord(out)}`;
  // What notes count is of all tasks' rows, and a guarantee beside them would seem to cover it.
  const counts = guarantee.kind === "joint" && notes.length > 0;
  return [
    ...(guarantee.later === undefined
      ? []
      : [
          `nothing: no release was made, and the fit that the prior comes from ${guarantee.kind === "joint" && guarantee.private ? "is paid for" : "protects no one"}`,
        ]),
    ...(verbose
      ? [
          ...guaranteeLines(guarantee),
          ...(counts
            ? [
                'what "data" above counts in all tasks\' rows is not charged either, and for the curator only',
              ]
            : []),
          ...protectionLines(protection),
        ]
      : shortGuaranteeLines(
          guarantee,
          protection,
          counts ? ['what "data" above counts'] : [],
          all,
        )),
  ];
}

const threadsText = ({ threads }: Shown) =>
  threads && threads.used > 1 ? ` on ${threads.used} threads` : "";

/** What was spent unasked. */
function budgetLine({ guarantee }: Shown, { defaultBudget }: FitTold): string[] {
  if (!defaultBudget || guarantee.kind === "none") return [];
  const { epsilon } = guarantee.nominal ?? guarantee;
  return [`a budget of epsilon ${shortPromise(epsilon)}, the default (--epsilon)`];
}

function certainty(document: Shown, { said }: FitTold): string[] {
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
