/**
 * Constants of the mixed model whose noise hides one record: one setting for every table and budget.
 * @module
 */

/** Squared norm to which a row is clipped, per coordinate: all its numbers, and a difference of two rows. */
export const CLIPS = { rows: 0.7, pairs: 0.5 } as const;

/** Parts of mu^2 of the three releases, in order. */
export const FRACTIONS = { rows: 0.5, pairs: 0.45, between: 0.05 } as const;

/** What is believed of a feature's mean square and of mean products before anything is released, and how firmly. */
export const GRAM = {
  rows: { mean: 0.7, spread: 0.5, cross: 0.3 },
  pairs: { part: 0.5, spread: 0.3, cross: 0.15 },
  /** Least eigenvalue that is believed, relative to the largest. */
  least: 0.01,
} as const;

/** Hypotheses on the variance of the fixed effects, relative to the target's mean square, and the intercept's least. */
export const EFFECTS = { scales: [0.03, 0.1, 0.3], intercept: 0.3, steps: 8 };

/** Belief in mean squares before the release: of the target, of what is left of it, and within tasks. */
export const SQUARES = {
  target: { center: 1, spread: 1, least: 0.02, most: 20 },
  residual: { center: 0.5, spread: 0.7, least: 0.02, most: 1 },
  within: { center: 0.5, spread: 0.9, least: 0.01, most: 1 },
  /** Part of what is left that is taken to be within tasks, before anything is released of it. */
  unknown: 0.7,
} as const;

/** Hypotheses on what is left: its size, and the parts of it that slopes and intercepts have. */
export const VARIANCES = {
  sizes: [0.25, 0.4, 0.6, 0.8, 1, 1.25, 1.6, 2.5],
  slopes: [0.01, 0.02, 0.04, 0.08, 0.16],
  intercepts: [0.06, 0.1, 0.2, 0.3, 0.4, 0.6, 0.8, 0.9, 0.95],
  most: 0.985,
} as const;

/** Clips of a row's score, and of a task's mean score, in roots of its expected square. */
export const BETWEEN = { row: Math.SQRT2, task: 0.7 } as const;

/** Where tasks are hidden too: norm to which a task's sums are clipped, for each row that a task has in the mean. */
export const TASK_CLIPS = { rows: 0.6, pairs: 0.3, between: 0.15 } as const;

/** How far a task's mean squares and products are from those of all, and the part of mu^2 for a task's own release. */
export const OWN_GRAM = { spread: 0.4, cross: 0.3 } as const;
export const OWN_PART = 0.5;

/** Least part of the rows that the release of their clipped moments is taken to count. */
export const LEAST_COUNT = 0.3;

/** A row's differences are taken with so many rows after it and before it. */
export const PARTNERS = 4;
