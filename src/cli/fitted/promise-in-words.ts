/**
 * The promise of a model for readers who know nothing of differential privacy.
 * @module
 */
import { exp } from "../../core/elementary.js";
import { learnedOf } from "../../learning/fitted/uncharged-figures.js";
import type { FittedModel } from "../../learning/index.js";
import { readDelta } from "../../privacy/delta.js";
import { decimalAbove } from "../../privacy/accounting/rounding.js";
import { isOfRealNumbersOnly } from "../../privacy/mechanisms/mechanism.js";
import { HIDDEN } from "../words/hidden-words.js";
import { shortPromise } from "../words/short.js";

/** How a promise is to be judged. */
const judged = (unit: "task" | "record") =>
  `With a delta far below one in the number of ${unit}s epsilon 1 or less is a strong promise, 3 a fair one, 10 hardly one.`;

/** How many records there were a model does not say; where delta is too large for so many, the note of its guarantee does. */
const TOO_LARGE = "may be shown whole";

/** Where it is still a fair promise; beyond it nobody would call what the others see nearly the same, e^10 times as likely as it may be. */
const MOST_NEAR = 3;

/** What the promise does not cover, though all tasks are told it. */
const UNCHARGED =
  " That leaves out what was learned of columns without a charge, which the models tell (below).";

/** Who the others are not, and what they know anyway. */
const OTHERS =
  " The others are the other tasks and whoever has what they have. Nothing is promised against who is given this task's own model, or must" +
  " be trusted (below). Names, numbers of rows and labels are public.";

/** Another row in the place of one is other data of its task; a task that adds nothing has no such row. */
const EACH_ROW = " What holds of a task holds of each of its rows, too.";

/** No proof covers what the last bits of such noise give away. */
const FLOATS =
  " That is proven for noise of real numbers; this was drawn in floating point, whose last bits may tell more.";

/** A random number of runs hides only what stays unseen. */
const UNSEEN = " It holds while nobody sees the runs that were not chosen, or how many there were.";

/**
 * One sentence or a few; none where nothing holds, or where it takes more to say of whom, against whom or of how many rows it does:
 * persons, budgets of owners' own, colluders, tasks that came later.
 */
export function promiseInWords({
  guarantee,
  owners,
  preprocessing,
  taskNames,
}: Pick<FittedModel, "guarantee" | "owners" | "preprocessing" | "taskNames">): {
  title: string;
  text: string;
}[] {
  if (guarantee.kind === "none" || !guarantee.sound || !guarantee.private) return [];
  const {
    epsilon,
    delta,
    adjacency,
    unit = "task",
    colluding,
    later,
    notCharged,
    note,
  } = guarantee;
  if (unit === "person" || owners || colluding !== undefined || later !== undefined) return [];
  const hidden = HIDDEN[adjacency][unit];
  const times = decimalAbove(exp(epsilon), 3);
  const factor = `e^${shortPromise(epsilon)}${Number.isFinite(times) ? ` = ${times}` : ""} times`;
  const plus = delta > 0 ? `, plus ${shortPromise(delta)}` : "";
  // Of records there are as many as tasks, or more.
  const { level, remark } = readDelta(delta, taskNames.length, unit);
  const isNoted = level === "small" && note?.includes(TOO_LARGE) === true;
  const promised =
    epsilon <= MOST_NEAR && level === "small" && !isNoted
      ? "would have seen nearly the same:"
      : "need not have seen nearly the same: all that is promised is that";
  const shown = isNoted
    ? ` Delta ${shortPromise(delta)} is large for so many ${unit}s (below).`
    : remark === undefined
      ? ""
      : ` ${capital(remark)}.`;
  const column = preprocessing?.encoding?.task;
  const task = column
    ? ` A task is all rows with one value of the column ${JSON.stringify(column)}.`
    : "";
  const whole =
    unit === "task"
      ? adjacency === "replace"
        ? EACH_ROW
        : ""
      : " What is true of a whole task is not hidden.";
  const { selection } = guarantee;
  const unseen = selection && selection.repetitions !== "all" ? UNSEEN : "";
  const floats = isOfRealNumbersOnly(guarantee) ? FLOATS : "";
  return [
    {
      title: "In plain words",
      text:
        `${capital(hidden)} ${promised} whatever they see is at most ${factor} as likely${plus}.` +
        `${shown}${whole}${floats}${OTHERS}${unseen}${learnedOf(notCharged).length > 0 ? UNCHARGED : ""}${task} ${judged(unit)}`,
    },
  ];
}

const capital = (words: string) => words[0]!.toUpperCase() + words.slice(1);
