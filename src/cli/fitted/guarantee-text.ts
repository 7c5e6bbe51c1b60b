/**
 * A guarantee in plain words, for every command that prints one.
 * @module
 */
import { someNames } from "../../core/messages/some-names.js";
import { learnedOf } from "../../learning/fitted/uncharged-figures.js";
import type { NoGuarantee } from "../../learning/index.js";
import { decimalAbove } from "../../privacy/accounting/rounding.js";
import { personWords } from "../../privacy/guarantee/guarantee-words.js";
import { isOfRealNumbersOnly } from "../../privacy/mechanisms/mechanism.js";
import type { AttackerGain, Guarantee, GuaranteeWords } from "../../privacy/index.js";
import { short, shortPromise } from "../words/short.js";

/** How many of a hundred, never below it. */
const percent = (x: number) => `${decimalAbove(100 * x, 2)} %`;

/** What is promised, or what is not. */
export function claimOf(guarantee: Guarantee): string {
  const { epsilon, delta, sound, nominal, colluding, noiseSource, trueDelta } = guarantee;
  const others =
    colluding === undefined ? "all others" : `the curator with up to ${colluding} participants`;
  if (!sound) {
    const instead = trueDelta === undefined ? "" : `: true delta is ${shortPromise(trueDelta)}`;
    return `NOT the nominal eps ${short(nominal?.epsilon)}${instead}`;
  }
  const unit = `${guarantee.unit ?? "task"}${guarantee.later === undefined ? "" : " of the fit"}`;
  const claim = `joint (${shortPromise(epsilon)}, ${shortPromise(delta)})-DP of each ${unit} against ${others}`;
  return noiseSource === "secure" ? claim : `NOT PRIVATE: with secure noise this would be ${claim}`;
}

/** mu, and how far it can be taken for the whole. */
function gaussianLine({ gaussian, epsilon }: Guarantee): string[] {
  if (!gaussian) return [];
  const { mu, fit } = gaussian;
  const how =
    fit === "exact"
      ? "from which its epsilon follows at every delta"
      : gaussian.epsilon === null
        ? "an upper bound"
        : `an upper bound, which alone gives epsilon ${shortPromise(gaussian.epsilon)} instead of ${shortPromise(epsilon)}`;
  return [`as Gaussian DP: mu ${shortPromise(mu)}, ${how}`];
}

/** Who attacks, and with what it knows: where participants draw the noise, not all others together. */
const attackerWords = ({ colluding, unit = "task" }: Partial<Guarantee>) =>
  colluding === undefined
    ? `an attacker who knows all but one ${unit} tells`
    : `the curator with up to ${colluding} participants, even if told the data of all but one ${unit}, tells`;

/** The two worlds that an attack is to tell apart. */
const APART = {
  replace: "its data from other data",
  "zero-out": "its data from none",
} as const;

/** What the best attack gains, as a test. */
export function attackerLine(
  { truePositiveRate, falsePositiveRate }: AttackerGain,
  guarantee: Guarantee,
): string {
  const rates = `${percent(truePositiveRate)} true positives at ${percent(falsePositiveRate)} false ones`;
  return `${attackerWords(guarantee)} ${APART[guarantee.adjacency]} with at most ${rates}`;
}

/** What the two rates mean, and where they come from (`attackerGain`). */
const ratesInWords = ({ truePositiveRate, falsePositiveRate }: AttackerGain) =>
  `that is: whoever claims to see that the data are these, and is wrong in ${percent(falsePositiveRate)} of the cases where they are not, is right in ` +
  `at most ${percent(truePositiveRate)} of those where they are (by guessing in ${percent(falsePositiveRate)}); no test does better, by the ` +
  "trade-off curve of epsilon and delta, or of the noise where that one is lower";

/** The same, and as odds. */
function attackerLines(attacker: AttackerGain, guarantee: Guarantee): string[] {
  const { posterior } = attacker;
  return [
    attackerLine(attacker, guarantee),
    ratesInWords(attacker),
    ...(posterior
      ? [
          `and, if it took both for equally likely, ends with odds of at most ${decimalAbove(posterior.odds, 3)} to 1 for what is true` +
            (posterior.except > 0
              ? `, except with probability ${shortPromise(posterior.except)}`
              : ""),
        ]
      : []),
  ];
}

/** What the noise that hides tasks gives one record. */
export function recordOfLine({ recordOf, private: holds, person }: Guarantee): string[] {
  if (!recordOf || !holds) return [];
  const figures = `(${shortPromise(recordOf.epsilon)}, ${shortPromise(recordOf.delta)})-DP`;
  return [`by the same noise ${figures} of ${person ? personWords(person) : "each record"}`];
}

/** What a shorter text than `why` says of a promise that does not cover the last bits of its noise. */
export const floatsWords = (guarantee: Guarantee): string[] =>
  guarantee.sound && isOfRealNumbersOnly(guarantee)
    ? ["noise drawn in floating point: proven for real numbers only"]
    : [];

const LEVELS = /^levels of the column .* observed over all tasks$/;

const KIND = /^kind of the column (.*) observed over all tasks$/;

/** The levels of several columns as one entry, and their kinds, with the names of some, whose kinds somebody may declare. */
export function gathered(learned: readonly string[]): readonly string[] {
  const levels = learned.filter((what) => LEVELS.test(what));
  const kinds = learned.filter((what) => KIND.test(what));
  const named = kinds.map((what) => JSON.parse(KIND.exec(what)![1]!) as string);
  return [
    ...learned.filter((what) => !LEVELS.test(what) && !KIND.test(what)),
    ...(kinds.length < 2
      ? kinds
      : [`kinds of the columns ${someNames(named)} observed over all tasks`]),
    ...(levels.length < 2
      ? levels
      : [`levels of ${levels.length} columns observed over all tasks`]),
  ];
}

/** What was learned from several tasks before a fit, in a text; none where it was nothing. */
export const learnedWords = (learned: readonly string[]): string[] =>
  learned.length > 0 ? [gathered(learned).join(", ")] : [];

/** What was learned from all tasks without a charge, and shows in what every owner is given. */
const toldLines = ({ notCharged }: Guarantee): string[] =>
  learnedWords(learnedOf(notCharged)).map(
    (what) => `not charged, and told with the models: ${what}`,
  );

/** Figures, which the curator alone sees, and what all owners are given tells. */
function unchargedLines(guarantee: Guarantee): string[] {
  const learned = learnedOf(guarantee.notCharged);
  const figures = guarantee.notCharged.filter((what) => !learned.includes(what));
  return [
    ...(figures.length > 0 ? [`not charged, for the curator only: ${figures.join(", ")}`] : []),
    ...toldLines(guarantee),
  ];
}

/** `name: text`; nothing where an older file has no such text. */
export const said = (name: string, text: string | undefined) =>
  text === undefined ? [] : [`${name}: ${text}`];

export const unitLine = ({ adjacency, ...words }: Partial<Guarantee>) =>
  said(`unit: one ${words.unit}; ${adjacency} adjacency`, words.neighbours);

/** What whoever reads a guarantee should know, in short or at length. What an older file does not say is left out. */
function basics(guarantee: Guarantee) {
  const { later, note } = guarantee;
  const words: Partial<GuaranteeWords> = guarantee;
  return {
    claim: [claimOf(guarantee), ...laterLine(later)],
    unit: unitLine(guarantee),
    trust: said("trust", words.trust),
    scope: said("scope", words.scope),
    limits: [...said("not covered", words.notCovered?.join("; ")), ...(note ? [note] : [])],
  };
}

const laterLine = (later: string | undefined) => (later === undefined ? [] : [later]);

/** The guarantee in plain words, one statement a line. */
export function guaranteeLines(guarantee: Guarantee | NoGuarantee): string[] {
  if (guarantee.kind === "none")
    return [`no privacy guarantee: ${guarantee.why}`, ...laterLine(guarantee.later)];
  const { mechanism, accountant, collusion = [], attacker } = guarantee;
  const { claim, unit, trust, scope, limits } = basics(guarantee);
  return [
    ...claim,
    ...unit,
    ...gaussianLine(guarantee),
    ...(attacker ? attackerLines(attacker, guarantee) : []),
    ...recordOfLine(guarantee),
    `${mechanism} mechanism, ${accountant} accounting: ${guarantee.why}`,
    ...collusion.map(
      (row) =>
        `with ${row.colluding} colluding, ${row.honest} honest noise shares: epsilon ${shortPromise(row.epsilon)}`,
    ),
    `noise source: ${guarantee.noiseSource}`,
    ...trust,
    ...scope,
    ...limits,
    ...unchargedLines(guarantee),
  ];
}

/**
 * What a task's owner should know of the guarantee before it takes its model, without what an auditor reads: the attacker's gain, the
 * mechanism, the scope. The last line says where these are.
 */
export function ownerLines(guarantee: Guarantee | NoGuarantee): string[] {
  if (guarantee.kind === "none") return guaranteeLines(guarantee);
  const { claim, unit, trust, limits } = basics(guarantee);
  return [
    ...claim,
    ...(guarantee.sound ? [] : [guarantee.why]),
    ...unit,
    ...floatsWords(guarantee),
    ...trust,
    ...limits,
    ...toldLines(guarantee),
    "what an attacker gains, the mechanism and the scope of this promise: --json, or summary without --task",
  ];
}
