/**
 * Tails of the binomial law, with relative accuracy: the incomplete beta function at integers.
 * @module
 */
import * as math from "../../../core/elementary.js";
import { logBinomialTerm } from "./gamma.js";

/**
 * Continued fraction of I_x(a, b) without its front factor, by Lentz's method; converges fast for
 * x < (a + 1) / (a + b + 2). DLMF 8.17.22.
 */
function betaFraction(a: number, b: number, x: number): number {
  const tiny = 1e-300;
  let c = 1;
  let d = 1 / Math.max(Math.abs(1 - ((a + b) * x) / (a + 1)), tiny);
  let fraction = d;
  for (let j = 1; j < 10_000; j++) {
    const even = (j * (b - j) * x) / ((a + 2 * j - 1) * (a + 2 * j));
    d = 1 / (1 + even * d || tiny);
    c = 1 + even / c || tiny;
    fraction *= c * d;
    const odd = (-(a + j) * (a + b + j) * x) / ((a + 2 * j) * (a + 2 * j + 1));
    d = 1 / (1 + odd * d || tiny);
    c = 1 + odd / c || tiny;
    const step = c * d;
    fraction *= step;
    if (Math.abs(step - 1) < 1e-15) break;
  }
  return fraction;
}

/** P(X >= k) by the fraction, for k at or above the mean; I_p(k, n - k + 1). */
function tail(n: number, k: number, p: number, q: number): number {
  return math.exp(logBinomialTerm(n, k, p, q)) * q * betaFraction(k, n - k + 1, p);
}

/**
 * P(X >= k) for X binomial with n trials of success probability p.
 *
 * @param k integer; 0 or less gives 1, more than n gives 0.
 * @param p in [0, 1].
 */
export function binomialAtLeast(n: number, k: number, p: number): number {
  if (k <= 0) return 1;
  if (k > n || p === 0) return 0;
  if (p === 1) return 1;
  // The fraction's own range; beyond it the other tail is the small one.
  if (p < (k + 1) / (n + 3)) return tail(n, k, p, 1 - p);
  return 1 - tail(n, n - k + 1, 1 - p, p);
}
