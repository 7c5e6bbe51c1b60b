/**
 * A word on tasks that may be a spreadsheet's row of sums or means: the row is made of all owners' rows, and no owner's.
 * @module
 */
import { someNames } from "../../../core/messages/some-names.js";
import type { TaskSet } from "../../../data/index.js";

/** What such a row is called by spreadsheets of several languages, and by cross tables. */
const CALLED = new RegExp(
  "^(?:(?:grand |sub[ -]?|sous-|gesamt|zwischen)?(?:totals?|sums?|totale?|totaux|totaal|summen?|somm[ae]|suma|soma)(?: g[eé]n[eé]ral)?|" +
    "averages?|avg\\.?|means?|mittelwert|durchschnitt|moyenne|promedio|m[eé]dia|gemiddelde|overall|gesamt|insgesamt|all):?$",
  "iu",
);

/** Rows that a name has which stands for a row below a table; an owner called so has more. */
const MOST_ROWS = 1;

/** The question, or nothing; nothing of a table in which owners have no more rows either. */
export function sumTasks({ names, taskSizes }: TaskSet): string[] {
  if (taskSizes.every((rows) => rows <= MOST_ROWS)) return [];
  const found = names.filter((name, i) => taskSizes[i]! <= MOST_ROWS && CALLED.test(name.trim()));
  if (found.length === 0) return [];
  const told = someNames(found);
  const named =
    found.length === 1
      ? `the task ${told} has one row and is called as a spreadsheet's row of sums or means is: if it is one, delete it: it is`
      : `the tasks ${told} have one row each and are called as a spreadsheet's rows of sums or means are: if they are, delete them: they are`;
  return [`${named} made of all owners' rows, and would be fitted as one owner more.`];
}
