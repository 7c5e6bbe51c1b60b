/**
 * Remarks on methods whose log-loss is worse than guessing: than the labels' shares in the test rows as probabilities or, for older
 * results without these, than log C, that of C equally likely classes.
 * @module
 */
import { log } from "../../../core/elementary.js";
import { isPrivateMethod } from "../../../learning/index.js";
import { ALONE } from "../../../learning/methods.js";
import { short } from "../../words/short.js";
import type { CellResult } from "../cells/cell.js";
import { estimateOf } from "./estimate.js";
import { guessRows } from "./guess-rows.js";

/** Remarks on methods that guessing would beat; nothing of targets that are numbers. */
export function guessRemarks(cells: readonly CellResult[], classes: number | undefined): string[] {
  const shares = guessRows(cells)[0]?.metrics["logLoss"]?.mean;
  if (shares === undefined && classes === undefined) return [];
  const guess = shares ?? log(classes!);
  const worse = (own: readonly CellResult[]) => {
    const losses = own.flatMap(({ scores: { logLoss } }) =>
      typeof logLoss === "number" ? [logLoss] : [],
    );
    return losses.length > 0 && estimateOf(losses).mean > guess;
  };
  const guessing =
    shares === undefined
      ? `guessing among the ${classes} classes, ${short(guess)}`
      : `telling each label's share, ${short(guess)}`;
  const alone = worse(cells.filter(({ method }) => method === ALONE))
    ? [
        `${ALONE} has a larger log-loss than ${guessing}: its probabilities are too sure for so few rows a task, so a gain on ` +
          "it, or a share of that, says little; look at the log-losses themselves",
      ]
    : [];
  const found = privately(cells).filter(({ own }) => worse(own));
  if (found.length === 0) return alone;
  const named = found.map(({ method, epsilon }) => `${method} at eps ${epsilon}`);
  return [
    ...alone,
    `larger log-losses than ${guessing}: ${named.join(", ")}. Their noise outweighs what they learn: with these tasks and columns it takes ` +
      "a larger budget, fewer rounds, or a method that shares less",
  ];
}

/** The results of private methods, and of auto where it took one, by method and budget, whatever else was varied. */
function privately(cells: readonly CellResult[]) {
  const groups = new Map<string, { method: string; epsilon: number; own: CellResult[] }>();
  for (const cell of cells) {
    const { method, epsilon, taken, own } = cell;
    if (epsilon === null || !(own || isPrivateMethod(taken?.method ?? method))) continue;
    const name = `${method} ${epsilon}`;
    const group = groups.get(name) ?? { method, epsilon, own: [] };
    group.own.push(cell);
    groups.set(name, group);
  }
  return [...groups.values()];
}
