/**
 * Options that several estimators share.
 * @module
 */
import { LOSS_NAMES, LOSS_SCALES, MARGIN_LOSSES, type LossName } from "../tasks/losses.js";
import type { CommonOptions } from "../tasks/common-options.js";
import { aBoolean, aPositive, aPositiveInteger, aWord } from "./kinds.js";
import { option, type OptionDeclarations, type OptionsOf } from "./option.js";

/** How every estimator reads its tasks. */
export const commonOptions: OptionDeclarations<CommonOptions> = {
  loss: option<LossName>(aWord<LossName>(MARGIN_LOSSES), {
    group: "model",
    help: "squared for numbers, logistic for two classes.",
    default: "squared",
  }),
  lossScale: option(aWord(LOSS_SCALES), {
    group: "model",
    help: "Whether each task's loss is divided by its number of rows (mean) or not (sum).",
    default: "mean",
  }),
  intercept: option(aBoolean, {
    group: "model",
    help: "An unpenalised intercept per task, private to it; networks have biases instead.",
    default: true,
  }),
};

/** `loss` of the methods that also have classes. */
export const anyLoss = option(aWord<LossName>(LOSS_NAMES), {
  group: "model",
  help: "squared for numbers, logistic for two classes, softmax for several.",
  default: "squared",
});

export const convergenceOptions = {
  /** Relative duality gap (or bound on it) at which the fit stops; default 1e-8. */
  tolerance: option(aPositive, {
    group: "rounds",
    help: "Relative duality gap, or bound on it, at which to stop.",
    default: 1e-8,
  }),
  /** Most rounds; default 100,000. Whether the tolerance was met is in `certificate.met`. */
  maxRounds: option(aPositiveInteger, {
    group: "rounds",
    help: "Most rounds; the certificate says whether the tolerance was met.",
    unit: "rounds",
    default: 100_000,
  }),
};

/** Options of the methods that stop by certificate. */
export interface ConvergenceOptions extends OptionsOf<typeof convergenceOptions> {}

/** `lambda`, the weight of a penalty that must be there. */
export const penaltyWeight = option(aPositive, {
  group: "model",
  help: "Weight of the penalty.",
  default: 0.1,
});
