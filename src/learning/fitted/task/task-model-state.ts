/**
 * What one task's own model consists of.
 * @module
 */
import type { Scale } from "../../../data/index.js";
import type { Guarantee, RecordGuarantee } from "../../../privacy/index.js";
import type { DifferentiableModel } from "../../models/differentiable-model.js";
import type { LossName } from "../../tasks/losses.js";
import type { FeatureLimits } from "../feature-limits.js";
import type { Classes, NoGuarantee } from "../model-state.js";
import type { PosteriorMixture } from "../posterior/posterior-mixture.js";

/** What a task's model consists of. */
export interface TaskModelState {
  /** The command line's name of the method. */
  readonly method: string;
  /** What was minimised. */
  readonly loss: LossName;
  /** The label values of a classifier, else null. */
  readonly classes: Classes | null;
  /** Name of the task. */
  readonly task: string;
  /** Names of the d features, in the order of `weights`. */
  readonly featureNames: readonly string[];
  /** w_i: [d]; for the softmax loss [d, C]; the flat parameters of an `architecture`. */
  readonly weights: Float64Array;
  /** b_i, one per output, or null. */
  readonly intercepts: Float64Array | null;
  /** null for the linear model. */
  readonly architecture: DifferentiableModel | null;
  /** Rows are held within them; null (default) where there are none. */
  readonly limits?: FeatureLimits | null;
  /** Of a classifier that averages probabilities over its posterior; null (default) where the weights are all. */
  readonly posterior?: PosteriorMixture | null;
  /** The declared scale of the target; null (default) where it is in raw units. */
  readonly targetScale?: Scale | null;
  /** What is promised to whom, or that nothing is. */
  readonly guarantee: Guarantee | NoGuarantee;
  /** With an untrusted curator: what each of this task's records is promised. */
  readonly recordGuarantee?: RecordGuarantee | null;
}
