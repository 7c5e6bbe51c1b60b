/**
 * Options that several estimators share.
 * @module
 */
import { ROW_PRECISIONS, type RowPrecision } from "../tasks/row-precision.js";
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

export const rowOptions = {
  /**
   * Numbers in which dense rows of features are kept for the rounds: "float64" (default), or "float32", rounded once to nearest,
   * which halves their memory and what a round reads of it. All sums are in Float64, targets and models too, and guarantees are
   * the same. The fit is, to the bit, that of the rounded rows.
   */
  rowPrecision: option(aWord<RowPrecision>(ROW_PRECISIONS), {
    group: "model",
    help: "Numbers that dense rows are kept in; float32: rounded once, half the memory. Sums are in float64.",
    default: "float64",
    later: true,
  }),
};

/** In which numbers rows are kept. */
export interface RowOptions extends OptionsOf<typeof rowOptions> {}

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
