/**
 * Constants of subspace learning: one setting for all sizes and budgets, found on simulations (docs/METHODS.md).
 * @module
 */
import { pow } from "../../../core/elementary.js";

/** Part of mu^2 for the covariance that the rounds start from, and of a round's part for sizes and Gram matrix. */
export const START = 0.6;
export const ROUND = { sizes: 0.04, gram: 0.12 } as const;

/** Directions that are looked for, at most, whatever the sizes; and the part of the features that must be left. */
export const MOST_DIRECTIONS = 8;
export const FEATURES_PER_DIRECTION = 4;

/** An eigenvalue stands out from this multiple of the edge of noise and scatter on. */
export const STANDS_OUT = 1.1;

/** Part of a semicircle's radius between its centre and the point below which a tenth of it lies. */
export const TENTH_OF_SEMICIRCLE = 0.687;

/** Bins to a doubling of a gradient's size; the first round's range, and later ones' around the clip before. */
export const SIZES = { bins: 2, below: 12, above: 2, later: { below: 4, above: 1.5 } } as const;

/** The part of gradients that are at most the clip. */
export const CLIP_QUANTILE = 0.3;

/** The Gram matrix's least eigenvalue, relative to the largest. */
export const GRAM_FLOOR = 0.1;

/** The least variance of a direction, relative to the mean, that the first covariance may say. */
export const LEAST_VARIANCE = 1e-3;

const decades = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, k) => pow(10, from + k));

/** Hypotheses of a task's own fit: variance outside of the subspace, and of a row's noise, to that within. */
export const OUTSIDE = decades(-8, 0);
export const NOISE = decades(-6, 2);
