/**
 * Option rules that several estimators share.
 * @module
 */
import { LOSS_SCALES, MARGIN_LOSSES, type LossName } from "../tasks/losses.js";
import type { CommonOptions } from "../tasks/common-options.js";
import {
  aBoolean,
  anInteger,
  aPositive,
  aWord,
  withDefault,
  type OptionRules,
} from "./check-options.js";

export const commonRules: OptionRules<CommonOptions> = {
  loss: withDefault(aWord<LossName>(MARGIN_LOSSES), "squared"),
  lossScale: withDefault(aWord(LOSS_SCALES), "mean"),
  intercept: withDefault(aBoolean, false),
};

/** Options of the methods that stop by certificate. */
export interface ConvergenceOptions {
  /** Relative duality gap (or bound on it) at which the fit stops; default 1e-8. */
  readonly tolerance: number;
  /** Most rounds; default 100,000. Whether the tolerance was met is in `certificate.met`. */
  readonly maxRounds: number;
}

export const convergenceRules: OptionRules<ConvergenceOptions> = {
  tolerance: withDefault(aPositive, 1e-8),
  maxRounds: withDefault(anInteger(1), 100_000),
};
