/**
 * What to do after a fit: what another one could do better, and what this one's model is good for.
 * @module
 */
import { learnedWithoutCharge } from "../../learning/fitted/uncharged-figures.js";
import type { fitDocument } from "./document.js";
import { shellWord } from "../words/shell-word.js";

/** What the command was asked, as far as it decides what comes next. */
export interface FitAsked {
  readonly data: string;
  readonly delimiter: string | undefined;
  readonly decimal: string | undefined;
  readonly task?: string | undefined;
  readonly target?: string | undefined;
  readonly out: string | undefined;
  readonly ranges?: string | undefined;
}

type FitDocument = ReturnType<typeof fitDocument>;

/** A flag with its value, as a shell takes it; nothing where there is no value. */
const flag = (name: string, value: string | undefined) =>
  value === undefined ? "" : ` --${name} ${shellWord(value)}`;

/** What another fit could do better. */
function betterFits(document: FitDocument, asked: FitAsked): string[] {
  const { data, out, ranges, delimiter, decimal, task, target } = asked;
  const { guarantee } = document;
  const spends = guarantee.kind === "joint";
  const seeded = spends && guarantee.noiseSource === "seeded" && guarantee.later === undefined;
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
    ...(seeded ? ["for models that protect someone, fit without --seed"] : []),
    ...(out === undefined ? ["keep the model: --out DIR"] : []),
  ];
}

/** Commands that can be copied; files that are the user's to name are in capitals. */
export function nextSteps(document: FitDocument, asked: FitAsked): string[] {
  const { out, delimiter, decimal } = asked;
  const { guarantee } = document;
  const written = flag("delimiter", delimiter) + flag("decimal", decimal);
  const fits = betterFits(document, asked);
  const own = guarantee.later === undefined;
  return [
    ...(guarantee.private && own && fits.length > 0
      ? ["every further fit of these rows adds to what is spent, so decide first what it is to do"]
      : []),
    ...fits,
    ...(guarantee.kind === "joint" && own && document.test
      ? [
          "what sharing gained: the same command with --method single-task, without the budget's options, has the error alone on these rows",
        ]
      : []),
    ...(out === undefined
      ? []
      : [
          `mp-mtl predict --model ${shellWord(out)} --data NEW.csv${written} --out predictions.csv`,
          `mp-mtl evaluate --model ${shellWord(out)} --data NEW.csv${written}`,
          `mp-mtl report --model ${shellWord(out)} --out report.html`,
        ]),
  ];
}
