/**
 * What a fit cost, in at most eight lines: what is promised, against whom, and what is not. {@link guaranteeLines} has all of it.
 * @module
 */
import { learnedOf } from "../../learning/fitted/uncharged-figures.js";
import type { NoGuarantee } from "../../learning/index.js";
import type { Guarantee, GuaranteeWords, Protection } from "../../privacy/index.js";
import {
  attackerLine,
  claimOf,
  floatsWords,
  guaranteeLines,
  learnedWords,
  recordOfLine,
  said,
  unitLine,
} from "./guarantee-text.js";
import { protectionLines } from "./protection-text.js";

/** Several statements as one line; none where there is none. */
const oneLine = (parts: readonly string[]) => (parts.length > 0 ? [parts.join("; ")] : []);

/** What must be trusted of the noise, and what a careful reader is told besides. */
function noiseLine(guarantee: Guarantee): string[] {
  const { noiseSource, mechanism, accountant, note } = guarantee;
  return oneLine([
    `noise source: ${noiseSource}, ${mechanism} mechanism, ${accountant} accounting`,
    ...floatsWords(guarantee),
    ...(note ? [note] : []),
  ]);
}

/** The first of what is not covered, and where the others are. */
function limitsLine({ notCovered = [] }: Partial<GuaranteeWords>, all: string): string[] {
  const [first, ...more] = notCovered;
  const rest = more.length > 0 ? `, and ${more.length} more (${all})` : "";
  return first === undefined ? [] : [`not covered: ${first}${rest}`];
}

function unchargedLine({ notCharged }: Guarantee, counted: readonly string[]): string[] {
  const learned = learnedOf(notCharged);
  const figures = [...notCharged.filter((what) => !learned.includes(what)), ...counted];
  const parts = [
    ...learnedWords(learned).map((what) => `${what}, told with the models`),
    ...(figures.length > 0 ? [`${figures.join(", ")}, for the curator only`] : []),
  ];
  return oneLine(parts).map((what) => `not charged: ${what}`);
}

/**
 * The guarantee of a fit in short.
 * @param protection who is protected from whom, as `model.protection` has it.
 * @param counted    what else was computed of all tasks' rows without a charge, for the curator only.
 * @param all        what prints all of it: no other fit, which would spend once more, where the model was kept.
 */
export function shortGuaranteeLines(
  guarantee: Guarantee | NoGuarantee,
  protection: readonly Protection[],
  counted: readonly string[],
  all: string,
): string[] {
  if (guarantee.kind === "none")
    return [...guaranteeLines(guarantee), ...protectionLines(protection)];
  const { attacker, later, sound, why } = guarantee;
  // How sure its noise makes the tasks of the fit was said where that was.
  const ofFit =
    later === undefined
      ? [
          ...(attacker ? [attackerLine(attacker, guarantee)] : []),
          ...(sound ? [] : [why]),
          ...noiseLine(guarantee),
        ]
      : [later, ...(sound ? [] : [why])];
  return [
    ...oneLine([claimOf(guarantee), ...recordOfLine(guarantee)]),
    ...unitLine(guarantee),
    ...ofFit,
    ...said("trust", (guarantee as Partial<GuaranteeWords>).trust),
    ...oneLine(protectionLines(protection)),
    ...limitsLine(guarantee, all),
    ...unchargedLine(guarantee, counted),
  ];
}
