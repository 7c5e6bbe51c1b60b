/**
 * Ends of a fit at a task whose models double precision cannot hold.
 * @module
 */
import { DataError } from "../../../core/index.js";

/** It crosses threads as the DataError it is. */
export class UnsolvedTask extends DataError {}

/** @param name of the task. @param why what cannot be had, and what to do. */
export const unsolvedTask = (name: string, why: string): UnsolvedTask =>
  new UnsolvedTask(`task ${JSON.stringify(name)}: ${why}`);

/** Of a task whose system of equations is singular. */
export const noUniqueMinimum = (name: string): UnsolvedTask =>
  unsolvedTask(
    name,
    "the local problem has no unique minimum in double precision, as where columns are very unlike in size or depend on one another. " +
      "Bring the columns to like sizes, or use a larger penalty.",
  );

/** Whether that is what ended a solve, or a decomposition within it. */
export const isUnsolved = (error: unknown): boolean =>
  error instanceof UnsolvedTask || error instanceof RangeError;
