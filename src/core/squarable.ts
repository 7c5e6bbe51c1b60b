/**
 * Numbers whose sums of squares are numbers.
 * @module
 */
import { largestMagnitude } from "./largest.js";

/** The square of its square is a number, and so is a sum of many. */
const LARGEST = 1e60;

/** Whether all are; not where one is NaN. */
export const areSquarable = (values: Float64Array): boolean => largestMagnitude(values) <= LARGEST;

/** The nearest number that is; NaN of NaN. */
export const squarable = (value: number): number => Math.max(-LARGEST, Math.min(value, LARGEST));
