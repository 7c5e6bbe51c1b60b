/**
 * The promise of a model for readers who know nothing of differential privacy.
 * @module
 */
import { exp } from "../../core/elementary.js";
import { learnedOf } from "../../learning/fitted/uncharged-figures.js";
import type { FittedModel } from "../../learning/index.js";
import { decimalAbove } from "../../privacy/accounting/rounding.js";
import { HIDDEN } from "../words/hidden-words.js";
import { shortPromise } from "../words/short.js";

/** How a promise is to be judged. */
const JUDGED = "Epsilon 1 or less is a strong promise, 3 a fair one, 10 hardly one.";

/** What the promise does not cover, though all tasks are told it. */
const UNCHARGED =
  " That leaves out what was learned of columns without a charge, which the models tell (below).";

/**
 * One sentence or a few; none where nothing holds, or where it takes more to say of whom, against whom or of how many rows it does:
 * persons, budgets of owners' own, colluders, tasks that came later.
 */
export function promiseInWords({
  guarantee,
  owners,
  preprocessing,
}: Pick<FittedModel, "guarantee" | "owners" | "preprocessing">): { title: string; text: string }[] {
  if (guarantee.kind === "none" || !guarantee.sound || !guarantee.private) return [];
  const { epsilon, delta, adjacency, unit = "task", colluding, later, notCharged } = guarantee;
  if (unit === "person" || owners || colluding !== undefined || later !== undefined) return [];
  const hidden = HIDDEN[adjacency][unit];
  const times = decimalAbove(exp(epsilon), 3);
  const factor = `e^${shortPromise(epsilon)}${Number.isFinite(times) ? ` = ${times}` : ""} times`;
  const plus = delta > 0 ? `, plus ${shortPromise(delta)}` : "";
  const column = preprocessing?.encoding?.task;
  const task = column
    ? ` A task is all rows with one value of the column ${JSON.stringify(column)}.`
    : "";
  const whole = unit === "task" ? "" : " What is true of a whole task is not hidden.";
  return [
    {
      title: "In plain words",
      text:
        `${hidden[0]!.toUpperCase()}${hidden.slice(1)} would have seen nearly the same: whatever they see is at most ${factor} as likely${plus}.` +
        `${whole}${learnedOf(notCharged).length > 0 ? UNCHARGED : ""}${task} ${JUDGED}`,
    },
  ];
}
