/**
 * The Laplace mechanism alone: its exact profile and Renyi divergence.
 * @module
 */
import * as math from "../../core/elementary.js";

/**
 * delta(eps) = 1 - exp((eps - eps0)/2) for 0 <= eps <= eps0 = sensitivity / scale, else 0; where that is below all numbers, the
 * smallest.
 *
 * @see Balle, Barthe, Gaboardi (2018), Theorem 3.
 */
export function laplaceDelta(epsilon: number, eps0: number): number {
  return epsilon >= eps0 ? 0 : Math.max(-math.expm1((epsilon - eps0) / 2), Number.MIN_VALUE);
}

/** Inverse of {@link laplaceDelta}: eps0 + 2 ln(1 - delta), at least 0, rounded up past what the difference loses. */
export function laplaceEpsilon(delta: number, eps0: number): number {
  if (laplaceDelta(0, eps0) <= delta) return 0;
  return Math.max(0, eps0 + 2 * math.log1p(-delta)) + eps0 * 2 ** -50;
}
