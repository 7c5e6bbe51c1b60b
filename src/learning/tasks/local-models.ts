/**
 * Every task's linear model.
 * @module
 */

/** Models copied out of the core: W[m, d] and b[m] (zeros without intercepts). */
export interface LocalModels {
  readonly weights: Float64Array;
  readonly intercepts: Float64Array;
}
