/**
 * The noise of a released matrix, whether it was released as such or packed into a vector.
 * @module
 */
import { isVectorSum } from "../../../../privacy/sensitivity.js";
import { matrixNoiseOf } from "../../../../privacy/mechanisms/catalogue.js";
import { semicircle, type MatrixNoise } from "../../../../privacy/mechanisms/noise-law.js";
import { noiseScaleAt, type PlannedStage } from "../../../round/release-plan.js";

/** Of a round, on a matrix of this side: of [A_ii, sqrt(2) A_ij] normal noise is a symmetric Gaussian matrix. */
export function releaseNoise(stage: PlannedStage, round: number, side: number): MatrixNoise {
  const scale = noiseScaleAt(stage, round);
  return isVectorSum(stage.statistic)
    ? semicircle(scale, side)
    : matrixNoiseOf(stage.mechanism, scale, side);
}
