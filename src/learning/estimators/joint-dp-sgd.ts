/**
 * DP-SGD on the joint objective of all tasks: the naive way to make multi-task learning private.
 * @module
 */
import { gradientOptions } from "../families/averaging/gradient-options.js";
import { jointHalves, type JointOptions } from "../families/averaging/joint-halves.js";
import { averagingTakes } from "../families/averaging/rows-taken.js";
import {
  checkFederated,
  federatedOptions,
  proximalOptions,
  type FederatedOptions,
} from "../families/averaging/options.js";
import { logRange, type DividedMethod } from "../options/method.js";
import { withoutOptions } from "../options/option.js";
import { plannedClip } from "../options/clip-option.js";
import { PrivateEstimator } from "../release/private-estimator.js";

// What is released is what a task gets: there is nothing to choose from afterwards.
const own = withoutOptions(gradientOptions, [
  "aggregate",
  "finetune",
  "choice",
  "choiceShare",
  "safeguard",
]);

/** Options of {@link JointDpSgd}. */
export interface JointDpSgdOptions extends JointOptions {}

/** The same with what the family's checks look at. */
const federated = (options: JointDpSgdOptions): FederatedOptions => ({
  ...options,
  localSteps: 1,
  serverStepSize: 1,
  aggregate: { kind: "mean" },
  finetune: null,
  choice: "last",
  choiceShare: federatedOptions.choiceShare.default!,
  safeguard: false,
});

export const jointDpSgd: DividedMethod<JointDpSgdOptions> = {
  name: "joint-dp-sgd",
  title: "Naive joint DP-SGD, every model released with noise",
  recommendedFor: "a baseline of PMTL",
  options: { ...own, ...proximalOptions },
  releases: "all tasks' clipped gradients + noise",
  privacy: {
    unit: "task",
    statistics: ["vector"],
    budget: "scheduled",
  },
  ranges: { lambda: logRange(1, 0.01, 3), stepSize: logRange(1, 0.01, 3), clip: [1, 0.1] },
  compared: [],
  check: (options) => checkFederated("joint-dp-sgd", federated(options), options.lambda),
  halves: jointHalves,
  uploadNorm: ({ clip }) => plannedClip(clip),
  takes: (options) => averagingTakes(federated(options)),
  make: (options) => new JointDpSgd(options),
};

/**
 * min (1/m) sum_k { L_k(w_k) + (lambda/2) ||w_k - mean of w||^2 } by DP-SGD on all models as one parameter of m d numbers: in each of T
 * rounds every participant shares the clipped gradient of its own block, the matrix of all blocks is released with noise, and all
 * models step. Noise falls on every block, and no average over tasks makes it smaller; that is why the paper calls it naive.
 *
 * With `intercept: false` the models are post-processing of the releases, which are (epsilon, delta)-DP of a task towards everyone,
 * the holder of its own model among them. An intercept, the default, is learned by the task alone and is not released: then the holder of
 * that model learns it without noise. What is stated is joint differential privacy, which holds either way.
 * Over a network every task uploads m d numbers, mostly zeros: for hundreds of tasks, not for thousands. A fit on one machine hands
 * over the task's own d of them.
 *
 * @see Hu, Wu, Smith (2023), "Private multi-task learning", Figure 1 and appendix A.8, written from a description of them.
 * @example const model = await new JointDpSgd({ epsilon: 8, rounds: 20 }).fit(train);
 */
export class JointDpSgd extends PrivateEstimator<JointDpSgdOptions> {
  /** @throws OptionError naming every bad option, or those that do not go together. */
  constructor(options?: Partial<JointDpSgdOptions>) {
    super(jointDpSgd, options);
  }
}
