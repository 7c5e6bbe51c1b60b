/**
 * What a guarantee says, in plain words: what is protected, from whom, how well, and what is not.
 * @module
 */
import type { NoGuarantee } from "../../../src/learning/index.js";
import type { Guarantee } from "../../../src/privacy/index.js";
import { MECHANISM_WORDS } from "./methods.js";
import { oddsFactor, oneIn, percentAbove, short, shortPromise } from "./numbers.js";

/** Whether a run protects anyone. */
export type Verdict = "holds" | "does-not-hold" | "reproducible" | "none";

/** One statement, under a heading. */
export interface Statement {
  readonly title: string;
  readonly text: string;
}

/** A guarantee for people. */
export interface GuaranteeWords {
  readonly verdict: Verdict;
  readonly headline: string;
  readonly statements: readonly Statement[];
}

/** Whether a guarantee protects anyone. */
export function verdictOf(guarantee: Guarantee | NoGuarantee): Verdict {
  if (guarantee.kind === "none") return "none";
  const { sound, noiseSource } = guarantee;
  if (!sound) return "does-not-hold";
  return noiseSource === "seeded" ? "reproducible" : "holds";
}

function headlineOf(guarantee: Guarantee): string {
  const { epsilon, nominal } = guarantee;
  switch (verdictOf(guarantee)) {
    case "holds":
      return `The guarantee holds: epsilon ${shortPromise(epsilon)}, delta ${shortPromise(guarantee.delta)}.`;
    case "reproducible":
      return "Reproducible, not private: this run used a seed, and whoever has the seed can subtract the noise.";
    default:
      return `DOES NOT HOLD: the nominal epsilon ${short(nominal?.epsilon ?? epsilon)} is not a guarantee.`;
  }
}

const AGAINST_SEED = "Not at all towards whoever has the seed. Without it:";

function strength(guarantee: Guarantee): string {
  const { epsilon, delta, trueDelta, nominal, noiseSource } = guarantee;
  if (trueDelta !== undefined) {
    return (
      `The papers would print epsilon ${short(nominal?.epsilon ?? epsilon)}. In truth, with a chance of ` +
      `${percentAbove(trueDelta)} ${guarantee.adjacency === "replace" ? "or more " : ""}(the true delta), what was released rules out some other data this ` +
      "task could have had, with certainty: this noise is never negative, so some results are possible " +
      "in one world only."
    );
  }
  const exception =
    delta > 0
      ? ` Except with a chance of at most ${oneIn(10 * delta)} (ten times delta), when nothing is promised.`
      : " Without exception: delta is 0.";
  const warning =
    epsilon > 10
      ? " That is hardly a protection; an epsilon this large is for comparison only."
      : epsilon > 3
        ? " That is a weak promise; values of 1 or less are the usual aim."
        : "";
  const factor = `by a factor of at most ${oddsFactor(epsilon)} (e to the epsilon, and a ninth of it)`;
  if (guarantee.adjacency === "zero-out") {
    const seeded = noiseSource === "seeded" ? `${AGAINST_SEED} between` : "Between";
    return (
      `${seeded} the belief that one task contributed what it did and the belief that it contributed nothing, all that is released ` +
      `raises the odds of either ${factor}; between two beliefs on what its data are it may be more.${exception}${warning}`
    );
  }
  const unlessSeeded = noiseSource === "seeded" ? `${AGAINST_SEED} whatever` : "Whatever";
  return (
    `${unlessSeeded} someone believes about one task, all that is released raises the odds of that belief ` +
    `${factor}.${exception}${warning}`
  );
}

const ADJACENCY = {
  replace:
    "The promise compares this task's data with any other data in its place (“replace”). That it takes part, and how many rows it has, is public.",
  "zero-out":
    "The promise compares this task with one that contributes nothing (“zero-out”). It is about half as strong as replacing its data; compare like with like only.",
} as const;

/** How the costs of rounds are added up. */
const ACCOUNTANTS: Readonly<Record<Guarantee["accountant"], string>> = {
  basic: "plain addition",
  "gdp-filter": "the exact rule for Gaussian noise, as rounds go on",
  "rdp-filter": "a bound by Rényi divergences, as rounds go on",
  exact: "a closed formula",
  gdp: "the exact rule for Gaussian noise",
  kov: "the papers' bound",
  pld: "the distribution of the loss, on the safe side",
  rdp: "a bound by Rényi divergences",
  selection: "the rule for a private choice among several fits",
};

/** Names that the library uses for pooled figures, in plain words. */
const POOLED: Readonly<Record<string, string>> = {
  objective: "the training objective",
  rank: "the rank of all models",
  nonzeroRows: "which features are in use",
  weightsNorm: "the size of all models",
  train: "accuracy on training rows",
  test: "accuracy on test rows",
};

/** What preparing the data looked up in everyone's rows, which the guarantee does not cover. */
export function lookedUp({ notCharged }: Guarantee): readonly string[] {
  return notCharged.filter((name) => !Object.hasOwn(POOLED, name));
}

function uncharged(guarantee: Guarantee): string {
  const names = guarantee.notCharged.flatMap((name) => POOLED[name] ?? []);
  const looked = lookedUp(guarantee);
  const told =
    looked.length > 0
      ? ` Every task's model tells what was looked up in everyone's rows, which nobody paid for either: ${looked.join(", ")}.`
      : "";
  return (
    `The pictures and figures on this page are computed from everyone's data and are for the curator's ` +
    `eyes only: ${names.join(", ")}; and the heat maps and the sizes of signal and noise. Publishing them, or choosing settings by looking ` +
    `at them, is a release that nobody paid for.${told}`
  );
}

/** A guarantee in plain words. */
export function guaranteeWords(guarantee: Guarantee | NoGuarantee): GuaranteeWords {
  if (guarantee.kind === "none") {
    const text =
      "Nothing is hidden by noise, so nothing is promised to anyone and no budget is spent. Whoever is handed a task's own model " +
      "learns about its data; the file of all models, and the figures on this page, are for the curator's eyes only.";
    return {
      verdict: "none",
      headline: `No guarantee: ${guarantee.why}.`,
      statements: [{ title: "What is not protected", text }],
    };
  }
  const { mechanism, accountant, noiseSource, record } = guarantee;
  const secure =
    noiseSource === "secure"
      ? "drawn with a key from this browser's cryptographic generator"
      : "drawn from a seed, so that the run can be repeated";
  const verdict = verdictOf(guarantee);
  const meant = verdict === "holds" ? "is" : "was meant to be";
  return {
    verdict,
    headline: headlineOf(guarantee),
    statements: [
      {
        title: `What ${meant} protected`,
        text:
          "Everything one task has: all its rows at once, and its model. " +
          ADJACENCY[guarantee.adjacency],
      },
      {
        title: verdict === "holds" ? "From whom" : "From whom it was meant to be",
        text: "From all the other tasks, even if they put together everything they receive and know.",
      },
      { title: "How well", text: strength(guarantee) },
      {
        title: "What is not protected",
        text:
          "The curator, who adds the noise, sees all rows: they are in one place. Whoever is handed a task's own " +
          "model learns about its data, and the file of all models is the curator's alone. Running again on " +
          "the same data spends the budget again.",
      },
      { title: "Not paid for", text: uncharged(guarantee) },
      {
        title: "How it is known",
        text:
          (guarantee.sound ? "By a mathematical proof, from the size of the noise. " : "") +
          `The noise is ${MECHANISM_WORDS[mechanism] ?? mechanism}, ${secure}; what all rounds cost together ` +
          `is added up by ${ACCOUNTANTS[accountant]}. In the library's words: ${guarantee.why}.` +
          (record
            ? ` The method protects one row at epsilon ${shortPromise(record.epsilon)}; the guarantee above lifts that to ${record.groupSize} rows, the largest task.`
            : ""),
      },
    ],
  };
}
