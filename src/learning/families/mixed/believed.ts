/**
 * What is believed of the fixed effects, and of the information that the rows have on them.
 * @module
 */

/** An information matrix from its noisy sum, and the variance that is left in an entry of it. */
export interface InformationEstimate {
  readonly matrix: Float64Array;
  readonly variance: number;
}

/** Where the fixed effects are believed to be, from the point at which a score was taken. */
export interface Believed {
  /** [d]. */
  readonly mean: Float64Array;
  /** Covariance of the error, [d, d]. */
  readonly error: Float64Array;
}
