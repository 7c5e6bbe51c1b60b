/**
 * Models of differences within tasks: every task's level is its own, so that nothing is said of tasks without rows.
 * @module
 */

/**
 * The component of a model that was learned from differences within tasks: positions of coordinates that these say nothing of, the constant
 * last, ascending. Absent from other models.
 */
export const UNTOLD = "untold";
