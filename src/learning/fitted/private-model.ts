/**
 * The models of a private fit, as the compiler sees them: their guarantee is one.
 * @module
 */
import type { Guarantee } from "../../privacy/index.js";
import type { FittedModel } from "./fitted-model.js";

/** What a private estimator's `fit` returns: models whose `guarantee` states epsilon and delta. */
export type PrivateModel = FittedModel & {
  /** What is promised to whom, with epsilon and delta. */
  readonly guarantee: Guarantee;
};

/** @throws TypeError for models without a guarantee, which no private fit returns. */
export function asPrivate(model: FittedModel): PrivateModel {
  if (model.guarantee.kind === "none") throw new TypeError("a private fit without a guarantee");
  return model as PrivateModel;
}
