/**
 * Constants of the private mixed model with the squared loss: one setting for every table and budget, found on
 * real tables and simulations that vary what tables vary (docs/METHODS.md, "Mixed model").
 * @module
 */

/** Hypotheses on a task's noise: multiples of the common variance, with their public prior. */
export const NOISE_MULTIPLES = [0.1, 0.3, 1, 3, 10] as const;
export const NOISE_PRIOR = [0.05, 0.2, 0.5, 0.2, 0.05] as const;

/** Hypotheses on a task's spread around the fixed effects, for its own last solve. */
export const SPREAD_MULTIPLES = [0.1, 1, 10] as const;
export const SPREAD_PRIOR = [0.1, 0.8, 0.1] as const;

/** Parts of mu^2: two rounds of variances and location, covariance twice where it pays, and a last round. */
export const FRACTIONS = {
  variances: [0.08, 0.06],
  location: [0.12, 0.22],
  covariance: [0.15, 0.15],
  afterCovariance: { variances: 0.05, location: 0.17 },
  last: { variances: 0.05, location: 0.47 },
  /** Of a location's part: for its information, and for its line search where only a diagonal is released. */
  information: 0.3,
  line: 0.05,
} as const;

/** Clip of the scores of a location, in roots of their expected squared norm, by round. */
export const SCORE_CLIPS = [0.3, 0.5, 0.6] as const;

/** Noise of a released information matrix, relative to it, up to which more than its diagonal is released. */
export const FULL_INFORMATION = 2;

/** Error of a released diagonal, relative to its mean, that the filter reckons with. */
export const DIAGONAL_ERROR = 0.2;

/** Caps of the curvature along a step, first and later. */
export const LINE_CAPS = [1, 3] as const;

/** Start: variances of slopes (together), intercept and noise, in units of a target scaled to its range. */
export const START = { slopes: 2, intercept: 1, noise: 0.3 } as const;

/** Limits of the same. */
export const LIMITS = {
  least: { slopes: 1e-4, intercept: 1e-4, noise: 1e-4 },
  most: { slopes: 30, intercept: 30, noise: 10 },
} as const;

/** Spread of the belief about the logarithm of a variance, what it widens by a round, and the longest step. */
export const BELIEF = { spread: 1.5, widening: 0.3, step: 2 } as const;

/** After the first variances, which are of models around zero: what is the mean's, and what stays the tasks'. */
export const FIRST_SPLIT = { mean: 3, tasks: 0.5 } as const;

/** Variance of the log of a task's noise that its score cannot tell apart from the common one. */
export const NOISE_SPREAD = 1.06;

/** Covariance releases: noise edge, relative to it, below which they pay; fewest features; the edge that is cut. */
export const COVARIANCE = { edge: 0.02, features: 8, cut: 0.6, floor: 0.03, least: 0.003 } as const;

/** Weight of learning alone in a task's own average before its rows are seen. */
export const ALONE_PRIOR = 0.01;

/** The public prior of learning alone: decades of slope variance and of noise, and the belief in them. */
export const ALONE = {
  slopes: [-2, -1.5, -1, -0.5, 0, 0.5],
  noise: [-3, -2.5, -2, -1.5, -1, -0.5, 0, 0.5],
  intercept: 1,
  spread: 2,
  center: { slopes: 1, noise: 0.2 },
} as const;
