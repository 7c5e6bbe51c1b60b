/**
 * A public multinomial regression as the models that the exchange has: of each class against the rest.
 *
 * The log-odds of a class against the rest are z_c - ln sum_(j != c) exp z_j, no line of the features. The line is taken of which the classes'
 * probabilities are made again (`fitted/posterior/posterior-mixture.ts`), C / (C - 1) (z_c - mean z) - ln (C - 1): together the lines say
 * what the regression does, each is right near equal odds, and of two classes it is the difference of the two logits.
 * @see Agresti (2013), "Categorical Data Analysis", section 8.1, for the regression.
 * @module
 */
import { log } from "../../../../../core/elementary.js";
import type { DataEncoding } from "../../../../../data/index.js";
import type { MixedPrior } from "../../exchange.js";
import { publicLabelPrior } from "../priors/public-label-prior.js";
import { priorOfAllClasses } from "./classes-models.js";

/** Lines of each class against the rest, [C] of [d]. @param logits [C, d], the constant's last. */
export function linesAgainstRest(logits: Float64Array, d: number): Float64Array[] {
  const C = logits.length / d;
  const mean = new Float64Array(d);
  logits.forEach((value, at) => (mean[at % d]! += value / C));
  return Array.from({ length: C }, (_, c) => {
    const line = mean.map((value, j) => (C / (C - 1)) * (logits[c * d + j]! - value));
    line[d - 1]! -= log(C - 1);
    return line;
  });
}

/**
 * The public prior of several classes as what a fit would say before its first release.
 * @param logits [C, d], in the units of the exchange.
 */
export function publicClassesPrior(
  logits: Float64Array,
  classes: number,
  encoding: DataEncoding,
): MixedPrior {
  const lines = linesAgainstRest(logits, logits.length / classes);
  return priorOfAllClasses(lines.map((line) => publicLabelPrior(line, encoding, classes)));
}
