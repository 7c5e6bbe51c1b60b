/**
 * Constants of the private mixed model with the squared loss: one setting for every table and budget, found on
 * real tables and simulations that vary what tables vary (docs/RESULTS-MIXED.md).
 * @module
 */

/** Hypotheses on a task's noise: multiples of the common variance, with their public prior. */
export const NOISE_MULTIPLES = [0.1, 0.3, 1, 3, 10] as const;
export const NOISE_PRIOR = [0.05, 0.2, 0.5, 0.2, 0.05] as const;

/** Variance of the log of a task's noise under that prior, which its score cannot tell from the common one. */
export const NOISE_SPREAD = 1.06;

/**
 * Hypotheses on a task's spread around the fixed effects, and on its noise, for its own last solve: with heavy tails,
 * for a task that is far from the others is still better off around what they have in common than around zero, and a small budget
 * can leave the common noise many times too large. Many rows tell spreads apart that are closer than a decade: between two that are both
 * wrong they would take the one that leaves more to noise.
 */
export interface Spreads {
  readonly multiples: readonly number[];
  readonly prior: readonly number[];
}
export const SPREADS: Readonly<Record<"few" | "many", Spreads>> = {
  few: { multiples: [0.01, 0.1, 1, 10, 100], prior: [0.03, 0.12, 0.77, 0.07, 0.01] },
  many: {
    multiples: [0.01, 0.1, 0.3, 1, 3, 10, 100],
    prior: [0.03, 0.09, 0.15, 0.5, 0.15, 0.06, 0.02],
  },
};
export const OWN_NOISE_MULTIPLES = [0.01, 0.03, ...NOISE_MULTIPLES, 30, 100] as const;
export const OWN_NOISE_PRIOR = [0.015, 0.035, 0.05, 0.2, 0.425, 0.2, 0.05, 0.02, 0.005] as const;

/**
 * A task never seen: part of what own models' variances are drawn lower by that is taken back, part of the fixed effects' error that
 * counts, and multiples of its spread.
 */
export const UNSEEN = {
  raised: 0.2,
  error: 0.3,
  spreads: { multiples: [0.1, 1, 10], prior: [0.15, 0.77, 0.08] } satisfies Spreads,
} as const;

/** Rows from which on a task's are many. */
export const MANY_ROWS = 10;

/**
 * Of the intercept's spread beside that of the slopes: a task whose level is far from the others' may still have their slopes, and
 * without the second its level would decide what is believed of these, too.
 */
export const INTERCEPT_MULTIPLES = [1, 30] as const;
export const INTERCEPT_PRIOR = [0.8, 0.2] as const;

/** Rounds of variances and location, parts of mu^2 in order; one more round of both takes what they leave. */
export interface Schedule {
  readonly variances: readonly number[];
  readonly location: readonly number[];
  /** Clip of the scores of each location, in roots of their expected squared norm; the last round's last. */
  readonly clips: readonly number[];
  /** How much wider than the tasks the fixed effects are taken to be, before anything is known of them. */
  readonly width: number;
  /** Part of the first variances, which are of models around zero, that stays the tasks'. */
  readonly tasksPart: number;
  /** What the belief about the logarithm of a variance widens by a round, in squares of its first spread. */
  readonly widening: number;
  /**
   * Mean weight that a clip leaves a task's score, where no release tells, beside the clip itself, which is in roots of the
   * expected square of a score: many scores are shorter. Tables have .3 to .8 for clips of .2 to .6.
   */
  readonly weight: number;
}

/** Small budgets, and those from mu m / d >= 5 on. */
export const SCHEDULES: { readonly small: Schedule; readonly large: Schedule } = {
  small: {
    variances: [0.08, 0.06],
    location: [0.16, 0.3],
    clips: [0.2, 0.3, 0.4],
    width: 0.8,
    tasksPart: 0.3,
    widening: 0.15,
    weight: 0.3,
  },
  large: {
    variances: [0.07, 0.05, 0.04],
    location: [0.08, 0.12, 0.2],
    clips: [0.3, 0.4, 0.5, 0.6],
    width: 3,
    tasksPart: 0.5,
    widening: 0.3,
    weight: 0.2,
  },
};
export const LARGE_FROM = 5;

/** Parts of the last round; covariance, or shape, twice, where it pays. */
export const LAST = {
  plain: { variances: 0.1, covariance: 0, shape: 0, location: 0.9 },
  covariance: { variances: 0.1, covariance: 0.3, shape: 0, location: 0.3 },
  shape: { variances: 0.1, covariance: 0, shape: 0.08, location: 0.74 },
} as const;

/**
 * Parts of a location: its information, and the curvature along its step. The matrix is released where the noise on an entry of
 * its mean, which is predicted to be the identity, is below `error` in the last round: elsewhere fits on tables and simulations
 * were as good or better with the prediction, and the budget for the score.
 */
export const LOCATION = {
  released: { information: 0.25, curvature: 0.05 },
  predicted: { information: 0, curvature: 0.1 },
  error: 0.13,
} as const;

/** What a prediction of information is trusted with: least eigenvalue, relative to the largest. */
export const LEAST_EIGENVALUE = 0.02;

/** Released information: least part of the prediction it is taken for, and its relative error at most. */
export const INFORMATION = { least: 0.1, error: 0.2 } as const;

/**
 * How far each fixed effect may be from zero: variances beside those they are first taken to have, with their prior, which
 * counts as so many slopes.
 */
export const EFFECTS = {
  slopes: { sizes: [0.002, 0.02, 0.2, 1.5, 10], prior: [0.2, 0.25, 0.25, 0.2, 0.1], count: 4 },
  intercept: { sizes: [0.02, 0.15, 1, 4], prior: [0.2, 0.25, 0.4, 0.15] },
} as const;

/** Start: variances of slopes (together), intercept and noise, in units of a target scaled to its range. */
export const START = { slopes: 2, intercept: 1, noise: 0.17 } as const;

/** Limits of the same. */
export const LIMITS = {
  least: { slopes: 1e-4, intercept: 1e-4, noise: 1e-4 },
  most: { slopes: 30, intercept: 30, noise: 10 },
} as const;

/** Spread of the belief about the logarithm of a variance, the longest step, and its least variance in the end. */
export const BELIEF = { spread: 1.5, step: 2, least: 0.05 } as const;

/** How much lower the logarithms of the variances are centered where tasks have all in common: a factor of 50. */
export const COMMON = { lower: 4 } as const;

/** Least part of a task's rows that is reckoned to tell of the noise. */
export const LEAST_NOISE_ROWS = 0.25;

/**
 * Covariance releases: the noise's edge, of the sum of all directions, below which they pay, and fewest features; the part of the edge that is cut; the
 * least variance, in edges and beside them; the edge at which the first of them counts a quarter; and where the second is in the coordinates of the first:
 * fewest coordinates, and the edge of one release below which it is, relative to the sum of all directions; and the least variance then.
 */
export const COVARIANCE = {
  edge: 0.3,
  features: 8,
  cut: 0.8,
  floor: 0.02,
  least: 0.002,
  first: 0.05,
  refined: { features: 20, edge: 0.15, least: 1e-4 },
} as const;

/**
 * Releases of the shape of C: the noise on an entry of it, relative, below which they pay, and most coordinates; prior deviation of these entries, and how much
 * the belief widens after a step, in squares of that; the longest step; the least that is told of a direction, relative to the best told.
 */
export const SHAPE = {
  error: 0.45,
  most: 12,
  belief: 0.5,
  widening: 0.3,
  step: 2,
  least: 0.05,
} as const;

/**
 * Prior weight of learning alone: base; more as far as the releases left the variances unsure, and the fixed effects; and
 * with the task's rows up to most, half of that at so many rows, since few rows cannot tell.
 */
export const ALONE_PRIOR = { base: 0.01, unsure: 0.1, effects: 0.9, most: 0.4, rows: 15 } as const;

/**
 * Part of learning alone that is on features about the task's own mean, in deviations of its rows: where sizes were voted on; and where they
 * are declared half from so many rows on, less with the square of fewer.
 */
export const OWN_UNITS = { voted: 0.5, rows: 12 } as const;

/**
 * The part of a model that learns alone whatever its rows say: most, where so large a part of the slopes' second moment
 * is error of the fixed effects, less with its square, and half of it with so many rows; left out where it is negligible.
 */
export const OWN_PART = { most: 0.5, error: 0.5, rows: 2, negligible: 1e-3 } as const;

/** Fake tasks from which information is predicted, and the size of their features. */
export const SYNTHETIC = { tasks: 200, range: 2 } as const;

/**
 * Where scores of variances are clipped from: draws of a task's rows, public normals they are made of, and squares above
 * which their sum is drawn as a whole.
 */
export const CENTER = { draws: 20, normals: 100_003, squares: 20 } as const;

/**
 * What tasks may tell of a column that nobody declared to be theirs (`column-kinds.ts`), the whole first. The prior is how often columns of
 * numbers of thirty tables with typical ranges are so (docs/METHODS-MIXED.md); a third of the whole counts as the whole. Weights of the
 * slopes' sizes: fewer are near zero than for prediction, where such a prior would let noise in; a column that is constant has at least
 * `free`. Between minus `quantile` standard errors and it lie nine tenths of what the effect may be. Two passes, since what one column tells
 * bears on others. With more coordinates than `most` it would take longer than the fit.
 */
export const UNSURE_COLUMN = {
  slopes: { kinds: [1, "constant", 10, 30, 100], prior: [0.7, 0.2, 0.04, 0.03, 0.03] },
  intercept: { kinds: [1, "clipped"], prior: [0.5, 0.5] },
  sizes: [0.08, 0.12, 0.35, 0.33, 0.12],
  free: 1.5,
  quantile: 1.6449,
  passes: 2,
  most: 40,
} as const;

/** Relative errors of what is said of a clip's weight, of an entry of the information and of a curvature along a step, and least part of the first. */
export const TOLD_ERROR = { weight: 0.3, information: 0.2, curvature: 0.2, least: 0.1 } as const;

/**
 * The sampling of tasks, by which fixed effects are off beside the noise: times what the variances found say; and at least times what clipped
 * scores vary by.
 */
export const SAMPLING = { variances: 1.2, clipped: 0.8 } as const;
