/**
 * What a squared own model asks of a task's decomposed rows, at every point of the grid of variances.
 * @module
 */
import type { LogBelief } from "./settings.js";

/** Beliefs about the variances of slopes and noise. */
export interface Belief {
  readonly slopes: LogBelief;
  readonly noise: LogBelief;
}

/** r = A w + e for normal w and e, of variances from the grid. */
export interface Posterior {
  /** Log evidence times prior of every slope variance and noise, in the grid's order. */
  evidence(ratio: number, freedom: number, belief: Belief): number[];
  /** Sum over the grid of weight times posterior mean, [q]. */
  mean(weights: readonly number[]): Float64Array;
}

/** Takes rows A[n, q] and targets r[n] apart. */
export type Decomposition = (a: Float64Array, r: Float64Array, n: number, q: number) => Posterior;
