/**
 * The statistics of an audit and its attacks, without WebAssembly: who runs them gives the kernels.
 * `audit` of `mp-mtl` opens those and puts the pieces together.
 * @module
 */
export { clopperPearsonLower, clopperPearsonUpper } from "./clopper-pearson.js";
export { linearDiscriminant } from "./linear-discriminant.js";
export { worstNeighbours, type Neighbours, type StatisticSizes } from "./neighbours.js";
export {
  proveLoss,
  type LossEvidence,
  type LossProof,
  type PrivacyClaim,
  type TrialScores,
} from "./prove-loss.js";
export type { ReleaseCheck } from "./release-checks.js";
