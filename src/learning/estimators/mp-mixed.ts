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
    "scores (or evidence) of the variances, scores and information of the fixed effects, in rounds",
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
 * y_ij = x_ij . w_i + e_ij, w_i ~ N(a, C), e_ij ~ N(0, s omega_i), the constant 1 among the features: a linear
 * mixed-effects model, fitted privately at task level. Tasks upload clipped scores of the marginal likelihood and
 * their information; their noisy sums move the variance components and the fixed effects `a` in three rounds, and
 * every task then averages posterior means over hypotheses on its own spread and noise, learning alone among them,
 * by what its own rows say for each. At small budgets the prior stays wide and every task learns alone.
 *
 * The model's `components` hold, of all tasks: fixedEffects [d + 1] (the intercept last), fixedEffectsCovariance (of their
 * error, by the tasks and by the releases' noise; the roots of its diagonal are standard errors), releaseCovariance (what
 * of it is the noise's), covariance C, noise s, and units (centers, then sizes, of features and, last, target), in the
 * units of the data; where columns were declared to be the same in all rows of a task, statedEffects is what the covariance is of the
 * error of: effects by what tasks can tell of such columns, while priors stay around fixedEffects; of labels it is always there, and drawn to zero less. What has a declared range is brought to [-1, 1] there, as in `weights`, and `summary()` has effects, standard
 * errors and the tasks' deviations in the units of the table. For the curator: every task's posteriorCovariances (lower triangles), taskNoise, noiseWeights over
 * noiseLevels and noiseParts (how wide the posterior is under each, relative to the whole), and the weight of learning
 * alone. `predictInterval` gives prediction intervals, `predictNew` predicts for tasks never seen, and
 * {@link fitNewTask} makes models of tasks that come later; none of it spends anything.
 *
 * With the logistic loss, logit P(y = 1) = x_ij . w_i, effects are on the log-odds of the second label, and C has one variance for slopes and one for the intercept. Tasks
 * upload their log evidence of hypotheses on the two, and information and scores of `a`, in one to four rounds; then every task
 * averages its posteriors (by expectation propagation) under those hypotheses, around `a` and around zero. There
 * releaseCovariance is what widens the tasks' priors, which counts the rounds as independent: for standard errors take fixedEffectsCovariance.
 * Probabilities are averages over that posterior, a mixture of normals: `mixtureWeights` [m, K], `mixtureMeans`
 * [m, K, d + 1] and `mixtureCovariances`. For tasks never seen they are averages over what the releases say of tasks in general,
 * N(a, C + error of a) for each hypothesis on C by its released weight: `newTaskWeights` [H], `newTaskMeans` [H, d + 1] and
 * `newTaskCovariances` (lower triangles). `taskPriorMeans`, `taskPriorRoots`, `taskPriorLogWeights` and `taskPriorKinds` (0 around `a`, 1 of
 * learning alone), in the units of the fit, are what {@link fitNewTask} starts from. There are no prediction intervals: a label has none.
 *
 * With the softmax loss each class against the rest is such a model, of a budget of mu / sqrt(C), in the same rounds: components
 * have a class axis behind the tasks' (`fixedEffects` [C, d + 1], `mixtureMeans` [m, C, K, d + 1], `alone` [m, C]), and logits are
 * (C - 1) / C of the log-odds of the average probabilities.
 *
 * The guarantee is joint differential privacy (billboard lemma). Features, and a target of numbers, should be of known
 * size: declared ranges. The sizes of others are learned by charged votes, and `unplaced`, where there are such, holds the positions of coordinates whose
 * effects have no error that holds in fixedEffectsCovariance, since votes left open where columns lie. Where the budget is too small for all of these, tasks learn from
 * differences within them: `untold` holds the positions of coordinates of which these say nothing, the constant last, and every task's level is its own.
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
