/**
 * How effects on the log-odds of a task shrink when tasks are mixed: what the tasks' mean says of fixed effects
 * depends on how far tasks are thought to lie apart.
 * @module
 */

/** (16 sqrt(3) / (15 pi))^2: the square of the scale of the normal distribution function nearest to the logistic one. */
export const PROBIT = 0.34583;

/**
 * Factor of fixed effects that leaves the mixture's mean probabilities about where they are when the tasks' scales
 * change: sqrt((1 + k v') / (1 + k v)), v the variance of x . w_i over tasks (Zeger, Liang and Albert 1988).
 * @param squares mean squares of the columns.
 */
export function attenuationRatio(
  to: Float64Array,
  from: Float64Array,
  squares: Float64Array,
): number {
  return Math.sqrt(inflation(to, squares) / inflation(from, squares));
}

/** Square of how much larger effects on the log-odds are within a task of such scales than in the mixture. */
export function inflation(scales: Float64Array, squares: Float64Array): number {
  return scales.reduce((sum, scale, j) => sum + PROBIT * scale * scale * squares[j]!, 1);
}
