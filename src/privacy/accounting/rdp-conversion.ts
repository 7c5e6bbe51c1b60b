/**
 * From Renyi divergences to (eps, delta) and back, tightly.
 * @module
 */
import * as math from "../../core/elementary.js";

/**
 * eps of an (alpha, rho)-RDP mechanism at delta:
 * rho + ln((alpha-1)/alpha) - (ln delta + ln alpha)/(alpha - 1), at least 0.
 *
 * @see Canonne, Kamath, Steinke (2020), Proposition 12; Balle et al. (2020), Theorem 21.
 */
export function rdpToEpsilon(alpha: number, rho: number, delta: number): number {
  // delta >= sqrt(1 - e^-rho) >= total variation (Bretagnolle-Huber) allows eps 0.
  if (delta * delta + math.expm1(-rho) > 0) return 0;
  return Math.max(
    0,
    rho + math.log1p(-1 / alpha) - (math.log(delta) + math.log(alpha)) / (alpha - 1),
  );
}

/** delta of an (alpha, rho)-RDP mechanism at eps, by the same proposition; where that is below all numbers, the smallest. */
export function rdpToDelta(alpha: number, rho: number, epsilon: number): number {
  if (rho === 0) return 0;
  const a = alpha - 1;
  const log = a * (rho - epsilon) - math.log(a) + alpha * math.log1p(-1 / alpha);
  return Math.max(Math.min(1, math.exp(log), Math.sqrt(-math.expm1(-rho))), Number.MIN_VALUE);
}

/** Smallest eps over all real orders of a rho-zCDP mechanism, and the order. */
export function zcdpEpsilon(rho: number, delta: number): { epsilon: number; order: number } {
  const cost = (log: number) => {
    const alpha = 1 + math.exp(log);
    return alpha * rho + math.log1p(-1 / alpha) - (math.log(delta) + math.log(alpha)) / (alpha - 1);
  };
  // Unimodal in ln(alpha - 1): golden section.
  const ratio = (Math.sqrt(5) - 1) / 2;
  let [low, high] = [-25, 45];
  let [left, right] = [high - ratio * (high - low), low + ratio * (high - low)];
  let [atLeft, atRight] = [cost(left), cost(right)];
  for (let i = 0; i < 100; i++) {
    if (atLeft < atRight) {
      [high, right, atRight] = [right, left, atLeft];
      left = high - ratio * (high - low);
      atLeft = cost(left);
    } else {
      [low, left, atLeft] = [left, right, atRight];
      right = low + ratio * (high - low);
      atRight = cost(right);
    }
  }
  const log = (low + high) / 2;
  return { epsilon: Math.max(0, cost(log)), order: 1 + math.exp(log) };
}
