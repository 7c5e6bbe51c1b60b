/**
 * What is said of a matrix whose decomposition cannot be had.
 * @module
 */
import { ConvergenceError } from "../core/errors.js";

/** Of an iteration that did not converge, as it does not where entries are not finite. @param what whose matrix it is. */
export const notDecomposed = (what: string): ConvergenceError =>
  new ConvergenceError(
    `${what}: the decomposition did not converge. Look for values in the tasks' data that are far from all others, or declare ` +
      "the columns' ranges, which rows are then held to.",
  );
