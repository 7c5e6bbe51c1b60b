/**
 * Which strengths of a shared prior there are, and what is believed of them before any row is seen.
 * @module
 */
import * as math from "../../../../core/elementary.js";
import { OptionError } from "../../../../core/index.js";
import { BELIEF } from "../../../local-selection/thresholds.js";
import { marginLoss, type PriorMethodOptions } from "../options.js";

/**
 * Candidates of kappa for losses divided by n_i and rows of norm about 1, half a decade apart, and
 * the public default in their middle: the ratio of noise to signal per row and direction.
 */
export const STRENGTHS: Record<"squared" | "logistic", readonly number[]> = {
  squared: decades(-5.5, 0.5),
  logistic: decades(-5, 1),
};
const DEFAULT_STRENGTH = { squared: math.pow(10, -3.5), logistic: math.pow(10, -2.5) };

/** What is believed of kappa before any row is seen. */
export interface StrengthBelief {
  /** The most likely one. */
  readonly center: number;
  /** Width of what each task believes for itself, in decades. */
  readonly decades: number;
}

/**
 * Of tables: with it a prior that says nothing is about as good as learning alone by `SingleTask`, on 12 simulated tables of 22 and 40 columns
 * with half of the target noise. (By the default it was up to 27 % worse.)
 */
const WIDE: StrengthBelief = { center: math.pow(10, -1.5), decades: 2 };

/** What tasks believe of kappa where they choose it. */
export function strengthBelief({
  loss,
  priorStrength,
}: Pick<PriorMethodOptions, "loss" | "priorStrength">): StrengthBelief {
  if (priorStrength === "wide") return WIDE;
  return { center: DEFAULT_STRENGTH[marginLoss(loss)], decades: BELIEF.priorStrength.own };
}

/** @throws OptionError where a belief is asked for that no one has of the loss. */
export function checkStrength(
  method: string,
  { loss, priorStrength }: Pick<PriorMethodOptions, "loss" | "priorStrength">,
): void {
  if (priorStrength === "wide" && loss !== "squared") {
    throw new OptionError(
      `${method}: priorStrength: "wide" is for the squared loss, the loss is ${loss}; give "auto" or a number`,
    );
  }
}

function decades(from: number, to: number): readonly number[] {
  return Array.from({ length: Math.round((to - from) * 2) + 1 }, (_, k) =>
    math.pow(10, from + k / 2),
  );
}
