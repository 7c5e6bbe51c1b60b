/**
 * Constants of feature learning whose noise hides one record: one setting for every table and budget.
 * @module
 */

/** C, largest norm of what one row adds to a task's gradient, in units of the target; of labels, as it is. */
export const ROW_CLIP = { squared: 0.4, logistic: 0.3 } as const;

/** Lambda of the models that are shared, in rows of a task and per feature: what n_i of mean square 1 / d are to a feature. */
export const PENALTY = 1;

/** K, in parts of C times the mean number of rows over Lambda: no model of a task of mean size is longer than 1. */
export const KEPT = 0.1;

/** Norm to which rows, which have 1 in the mean, are shrunk. */
export const LONGEST = 8;

/** Size of a feature, and of a target, whose declared range was brought to [-1, 1]. */
export const RANGE_SIZE = 0.5;

/** Rounds where they are not given. */
export const ROUNDS = 1;
