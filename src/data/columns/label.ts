/**
 * What a class is called.
 * @module
 */

/** A label of a classification target. */
export type Label = number | string | boolean;
