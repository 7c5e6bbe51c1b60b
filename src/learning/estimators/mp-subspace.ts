/**
 * Private subspace learning: a few directions that all tasks share, by the private gradient of a d x k factor.
 * @module
 */
import type { Statistic } from "../../privacy/index.js";
import { subspaceHalves } from "../families/subspace/halves.js";
import {
  checkSubspace,
  subspaceOptions,
  type SubspaceOptions,
} from "../families/subspace/options.js";
import type { DividedMethod } from "../options/method.js";
import { PrivateEstimator } from "../release/private-estimator.js";

/** What is released. */
const statistics: readonly Statistic[] = ["covariance", "vector", "moment"];

export const mpSubspace: DividedMethod<SubspaceOptions> = {
  name: "mp-subspace",
  title: "Subspace learning",
  recommendedFor: "thousands of tasks with few rows each, whose models share a few directions",
  options: subspaceOptions,
  releases: "sum u u^T + noise once, then the clipped gradient of a d x k factor, in rounds",
  privacy: { unit: "task", statistics, budget: "equal" },
  ranges: {},
  compared: [],
  check: checkSubspace,
  halves: (options) => subspaceHalves(options),
  uploadNorm: () => 1,
  takes: () => ({
    weights: "its uploads are sized by counting every row as one",
    sparse: { madeDense: "it centres every task's rows and decomposes them" },
  }),
  make: (options) => new MpSubspace(options),
};

/**
 * w_i = U z_i + a rest, U [d, k] shared and found privately at task level, k too: private subspace (or representation)
 * learning. The tasks' own directions u_i are released once as a noisy sum of u u^T; the directions that stand out of
 * noise and scatter are U. Then in every round a task fits its k coefficients on its own rows and uploads the
 * clipped gradient of its loss in U, of rank one; the noisy sum, d k numbers where a covariance has d^2, is a Gauss-Newton step of
 * U. The clip follows the gradients' sizes down by a charged histogram, so that the noise shrinks with the error. At last
 * every task averages posterior means under w ~ N(0, s (U U^T + rho I)) by the evidence of its own rows, learning
 * alone among them. Where nothing stands out every task learns alone.
 *
 * The model's `components` hold the `subspace` [k, d], orthonormal rows, and what it was read off, the `subspaceSpectrum` [d] and
 * the `directionCovariance` [d, d], functions of the releases; and, for the curator, every task's weight of learning `alone` [m].
 * {@link fitNewTask} makes models of tasks that come later.
 *
 * The guarantee is joint differential privacy (billboard lemma). Squared loss; features of about one size (declared ranges).
 *
 * @see Jain, Rush, Smith, Song, Thakurta (2021), "Differentially private model personalization", for the problem and the alternation;
 *   Golub and Pereyra (1973) for the gradient; Andrew, Thakkar, McMahan, Ramaswamy (2021), "Differentially private learning with
 *   adaptive clipping".
 * @example const model = await new MpSubspace({ epsilon: 1 }).fit(train);
 */
export class MpSubspace extends PrivateEstimator<SubspaceOptions> {
  /** @throws OptionError naming every bad option, or those that do not go together. */
  constructor(options?: Partial<SubspaceOptions>) {
    super(mpSubspace, options);
  }
}
