/**
 * `--repetitions`: how often a private selection runs, as text.
 * @module
 */
import { repetitionsOfMean, type Repetitions } from "../../privacy/index.js";
import type { OptionKind } from "../../learning/options/kinds.js";
import { textThat } from "../options/values.js";

const FORMS =
  "auto, all, geometric:MEAN, logarithmic:MEAN, negative-binomial:ETA:MEAN or poisson:MEAN";

/** What the text stands for; undefined where it stands for nothing. */
function parsed(text: string): Repetitions | "all" | "auto" | undefined {
  if (text === "auto" || text === "all") return text;
  const [name, ...numbers] = text.split(":");
  const values = numbers.map(Number);
  const [first = NaN, second = NaN] = values;
  try {
    switch (`${name} ${values.length}`) {
      case "geometric 1":
        return repetitionsOfMean(1, first);
      case "logarithmic 1":
        return repetitionsOfMean(0, first);
      case "negative-binomial 2":
        return repetitionsOfMean(first, second);
      case "poisson 1":
        return first > 0 && Number.isFinite(first) ? { kind: "poisson", mean: first } : undefined;
      default:
        return undefined;
    }
  } catch (error) {
    if (error instanceof RangeError || error instanceof TypeError) return undefined;
    throw error;
  }
}

/** The text itself, once it is known to mean something; {@link parseRepetitions} reads it. */
export function repetitionsText(): OptionKind<string> {
  const expected = `${FORMS}, with a mean above 1 (Poisson: above 0)`;
  return textThat(expected, (text) => parsed(text) !== undefined);
}

/** The law that a checked text stands for. */
export function parseRepetitions(text: string): Repetitions | "all" | "auto" {
  return parsed(text)!;
}

/** Shared help. */
export const REPETITIONS_HELP =
  "--tune private: how often a random candidate runs (" +
  `${FORMS}). The runs that are not chosen, and their number, must stay unseen, except for all: every ` +
  "candidate once and everything charged. auto: all of up to 4 candidates, else geometric:10.";
