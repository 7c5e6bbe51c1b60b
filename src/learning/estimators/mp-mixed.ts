/**
 * The private mixed model: fixed effects, variance components, and every task's own posterior mean.
 * @module
 */
import { mixedTakes } from "../families/mixed/rows-taken.js";
import type { Statistic } from "../../privacy/index.js";
import { suitsMixed } from "../prospects/suits.js";
import { mixedHalves } from "../families/mixed/halves.js";
import { checkMixed, mixedOptions, type MixedOptions } from "../families/mixed/options.js";
import type { DividedMethod } from "../options/method.js";
import { mechanismFor } from "../options/private-options.js";
import { PrivateEstimator } from "../release/private-estimator.js";

/** What is released. */
const statistics: readonly Statistic[] = ["vector", "moment"];

export const mpMixed: DividedMethod<MixedOptions> = {
  name: "mp-mixed",
  title: "Private mixed model",
  recommendedFor: "tables of grouped rows, best with declared ranges; from eps = 0.3 on",
  options: { ...mixedOptions, mechanism: mechanismFor(["moment"]) },
  releases:
    "scores (or evidence) of the variances, scores and information of the fixed effects, in rounds; how models correlate, where it stands out",
  privacy: { unit: "task", statistics, budget: "equal" },
  ranges: {},
  compared: [],
  check: checkMixed,
  suits: suitsMixed,
  halves: (options) => mixedHalves(options),
  uploadNorm: () => 1,
  takes: mixedTakes,
  make: (options) => new MpMixed(options),
};

/**
 * A linear mixed-effects model of grouped rows, fitted privately: y_ij = x_ij . w_i + e_ij with w_i ~ N(a, C) and e_ij ~ N(0, s omega_i), the constant 1
 * among the features. With the logistic loss logit P(y_ij = 1) = x_ij . w_i, where 1 is the second label and C has one variance for slopes and one for the
 * intercept; with the softmax loss each of C classes against the rest is such a model, of a budget of mu / sqrt(C).
 *
 * In a few rounds tasks upload what their rows say of the variances and of the fixed effects `a`; everyone follows the noisy sums. Then every task averages posterior
 * means over hypotheses on its own spread and noise, learning alone among them, by what its own rows say for each. At small budgets the prior stays wide
 * and every task learns alone. docs/METHODS-MIXED.md has the algorithm.
 *
 * The guarantee is joint differential privacy (billboard lemma). Features, and a target of numbers, should be of known size, by declared ranges; what nobody
 * declared is learned for a part of the budget (`scale`).
 *
 * `summary()` has effects, standard errors and the tasks' deviations in the units of the table. `model.components` has them in the units that were fitted, as `weights`
 * are: what has a declared range is brought to [-1, 1] there. Classes are an axis behind the tasks' (`fixedEffects` [C, d + 1]). Of all tasks together:
 *
 * - `fixedEffects` [d + 1], the intercept last; `covariance` C [d + 1, d + 1]; `noise` s.
 * - `fixedEffectsCovariance` [d + 1, d + 1], of their error, by the tasks and by the noise: roots of its diagonal are standard errors. `releaseCovariance` is
 *   what of it is the noise's. With labels take it for no standard error: it is what widens the tasks' priors, and counts the rounds as independent.
 * - `statedEffects` [d + 1], with labels and where columns are declared `perTask`: the effects whose error `fixedEffectsCovariance` is of. `fixedEffects`, around
 *   which priors stay, are drawn to zero more there.
 * - `units` [2, d + 1], centers, then sizes, of features and, last, the target.
 * - What predictions for tasks never seen average over: `newTaskWeights` [H], with numbers of `newTaskSpreads`, multiples of `newTaskCovariance` [d + 1, d + 1], and
 *   `newTaskNoises`, with labels of the normals `newTaskMeans` [H, d + 1] and `newTaskCovariances` (lower triangles).
 * - With labels what {@link fitNewTask} starts from, in the units of the fit: `taskPriorMeans`, `taskPriorRoots`, `taskPriorLogWeights` and `taskPriorKinds` (0 around
 *   `a`, 1 of learning alone, 2 of that in units of the task's own rows, where columns were voted on).
 * - `unplaced`: positions of coordinates whose effects have no error that holds, since votes left open where their columns lie or how large they are.
 * - `untold`: positions of coordinates of which nothing is known of all tasks, the constant last, where tasks learned from differences within them.
 *
 * And of each task, for the curator:
 *
 * - `posteriorCovariances` (lower triangles), `taskNoise` [m], and `alone` [m], the weight of learning alone.
 * - With numbers `noiseWeights` over `noiseLevels`, and `noiseParts`: how wide the posterior is under each, relative to the whole.
 * - With labels the mixture of normals over which probabilities are averages: `mixtureWeights` [m, K], `mixtureMeans` [m, K, d + 1], `mixtureCovariances`.
 *
 * `predictInterval` gives prediction intervals (of numbers; a label has none), `predictNew` predicts for tasks never seen, and {@link fitNewTask} makes models of tasks that
 * come later. None of them spends anything.
 *
 * @see Laird and Ware (1982), "Random-effects models for longitudinal data"; Harville (1977) for the scores; Minka (2001),
 *   "Expectation propagation for approximate Bayesian inference"; Rifkin and Klautau (2004), "In defense of one-vs-all
 *   classification".
 * @example const model = await new MpMixed({ epsilon: 1, scale: "unit" }).fit(train);
 */
export class MpMixed extends PrivateEstimator<MixedOptions> {
  /** @throws OptionError naming every bad option, or those that do not go together. */
  constructor(options?: Partial<MixedOptions>) {
    super(mpMixed, options);
  }
}
