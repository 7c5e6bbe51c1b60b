/**
 * Options of the methods of this family whose round is one gradient of every task: its step size is known to both sides, and
 * `clip` bounds the gradient.
 * @module
 */
import { aLength } from "../../options/kinds.js";
import { inWords, option, withoutOptions, type OptionsOf } from "../../options/option.js";
import { AUTO_CLIP } from "../../options/clip-option.js";
import { federatedOptions, type FederatedOptions } from "./options.js";

const own = {
  /** eta > 0; default 0.1. From public knowledge. */
  stepSize: option(aLength, {
    group: "rounds",
    symbol: "ETA",
    help: "Step size of a round's gradient.",
    default: 0.1,
  }),
};

/** The declarations. */
export const gradientOptions = {
  ...withoutOptions(federatedOptions, ["localSteps", "stepSize", "serverStepSize"]),
  clip: inWords(federatedOptions.clip, {
    help: `Bound on the norm of every task's gradient, from public knowledge; ${AUTO_CLIP}.`,
  }),
  ...own,
};

/** Their values. */
export interface GradientOptions
  extends
    Omit<FederatedOptions, "localSteps" | "stepSize" | "serverStepSize">,
    OptionsOf<typeof own> {}
