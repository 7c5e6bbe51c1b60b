/**
 * What deserves a second look before a target is fitted as it seems.
 * @module
 */
import type { TaskSet } from "../../../data/index.js";
import { alikeNames } from "../../../data/inspect/signs/alike-names.js";
import { mayBeCounts } from "../../../data/inspect/signs/counts.js";
import { areDates } from "../../../data/inspect/signs/dates.js";
import { unknownLabels } from "../../../data/inspect/signs/unknown-labels.js";
import { areMarkedNumbers } from "../../../data/inspect/signs/marked-numbers.js";
import { constantWithinTasks } from "../../../data/checks/constant-target.js";
import type { LossName } from "../../../learning/index.js";
import { shellWord } from "../../words/shell-word.js";

/** Numbers with no more values than this may be classes. */
const FEW_VALUES = 10;

/** What a fit of counts as numbers leaves to be desired, and what helps. */
const AS_COUNTS =
  "no loss here is made for counts; the squared one takes large counts for as exact as small ones, and may predict less than 0 " +
  'unless a --ranges file says "limits": [0, null] of the target. The logarithm of 1 + count is often the better target';

/** Labels of which most occur once: dates, names or free text. */
const mostlyOnce = ({ y, targetLevels }: TaskSet) => {
  const values = new Set(y).size;
  return targetLevels !== undefined && values > FEW_VALUES && 2 * values > y.length;
};

/** Labels that are quantities after all, in words; undefined of others, and of two, which may be the ends of anything. */
function quantities({ targetLevels = [] }: TaskSet): string | undefined {
  const texts = targetLevels.map(String);
  if (texts.length <= 2) return undefined;
  if (areDates(texts)) return "dates, which are read as text: write days since a fixed day";
  return areMarkedNumbers(texts)
    ? "numbers with units, marks between thousands, or brackets for a minus, which are read as text: write the numbers alone"
    : undefined;
}

/** Whether the target is so unlikely to be meant that a fit should rather not start before its question is answered. */
export const isDoubtful = (tasks: TaskSet): boolean =>
  constantWithinTasks(tasks) || mostlyOnce(tasks) || quantities(tasks) !== undefined;

/** Groups of alike labels that are named. */
const SHOWN = 3;

/** Labels that may be one, written in several ways. */
function alikeLabels({ targetName, targetLevels = [] }: TaskSet): string | undefined {
  const groups = alikeNames(targetLevels.map(String));
  if (groups.length === 0) return undefined;
  const told = groups.map((group) => group.map((label) => JSON.stringify(label)).join(" and "));
  return (
    `the labels ${told.slice(0, SHOWN).join(", ")} of the target ${JSON.stringify(targetName)} differ in capitals, blanks, leading zeros or ` +
    "the form of accents only, and are fitted as classes of their own: if they mean one, write one."
  );
}

/** Labels that may stand for a missing one. */
function unknowns({ targetName, targetLevels = [] }: TaskSet, loss: LossName): string | undefined {
  const found = unknownLabels(targetLevels.map(String));
  if (found.length === 0) return undefined;
  return (
    `the target ${JSON.stringify(targetName)} has ${found.length === 1 ? "the label" : "the labels"} ${found.map((label) => JSON.stringify(label)).join(", ")}, ` +
    `fitted as ${found.length === 1 ? "a class" : "classes"} beside the others: if the target is not known there, say ` +
    `--missing-codes=${shellWord(found.join(","))}, or "missingCodes" of the target in a --ranges file, and these rows are left out; ` +
    `if not, --loss ${loss}.`
  );
}

/** The questions, each with the flag that answers it. */
export function questionsOf(tasks: TaskSet, loss: LossName): string[] {
  const target = JSON.stringify(tasks.targetName);
  const values = new Set(tasks.y).size;
  const alike = alikeLabels(tasks);
  if (alike) return [alike];
  if (constantWithinTasks(tasks)) {
    return [
      `the target ${target} is the same in all rows of every task, so that no feature can matter within ` +
        `one: is it the right column (--target)? To fit it all the same, say --loss ${loss}.`,
    ];
  }
  const unknown = unknowns(tasks, loss);
  if (unknown) return [unknown];
  const written = quantities(tasks);
  if (written !== undefined) {
    return [
      `the target ${target} holds ${written}. To fit its ${values} labels as classes all the same, say --loss ${loss}.`,
    ];
  }
  if (mostlyOnce(tasks)) {
    return [
      `the target ${target} has ${values} labels in ${tasks.size} rows, as dates or names have: is it the right column ` +
        `(--target)? To fit its labels as classes all the same, say --loss ${loss}.`,
    ];
  }
  const counts = loss === "squared" && mayBeCounts(tasks.y);
  if (loss === "squared" && values <= FEW_VALUES) {
    return [
      `the target ${target} has ${values} different values and is fitted as a number; if they are classes, ` +
        `say --loss softmax, if not, --loss squared.${counts ? ` If they are counts, ${AS_COUNTS}.` : ""}`,
    ];
  }
  if (counts) {
    return [
      `the target ${target} looks like counts (whole numbers, few of them large) and is fitted as a number: ${AS_COUNTS}. ` +
        "To fit it as it is, say --loss squared.",
    ];
  }
  if (loss === "softmax") {
    return [
      `the target ${target} has ${values} labels, which are fitted as classes without an order; if they are ` +
        "grades, write them as numbers, or name others with --target.",
    ];
  }
  if (loss === "logistic" && tasks.targetLevels === undefined) {
    return [
      `the target ${target} has two values and is fitted as classes; if they are numbers, say --loss squared.`,
    ];
  }
  return [];
}
