/**
 * Renyi divergences D_alpha of the mechanisms.
 * @module
 */
import * as math from "../../core/elementary.js";
import { claimedEpsilon } from "./figures.js";
import { sum } from "./rounding.js";
import { logGamma } from "./special/gamma.js";

/** First-order terms cancel in small divergences; what their rounding may hide is added back. */
const ROUNDING = 2 ** -50;

/** Exponents beyond which {@link sampledFractionalMoment} leaves out what only lowers it. */
const FAR = 300;

/** ln(e^a + e^b). */
function logAddExp(a: number, b: number): number {
  const high = Math.max(a, b);
  return Math.abs(high) === Infinity ? high : high + math.log1p(math.exp(Math.min(a, b) - high));
}

/** Gaussian: alpha mu^2 / 2 (Mironov 2017, Proposition 7). */
export function gaussianRdp(alpha: number, mu: number): number {
  return (alpha * mu * mu) / 2;
}

/**
 * Laplace, eps0 = sensitivity / scale (Mironov 2017, Proposition 6):
 * ln[ alpha/(2 alpha - 1) e^((alpha-1) eps0) + (alpha-1)/(2 alpha - 1) e^(-alpha eps0) ] / (alpha - 1).
 */
export function laplaceRdp(alpha: number, eps0: number): number {
  const a = alpha - 1;
  if (a * eps0 < 0.5 && alpha * eps0 < 0.5) {
    // ln(1 + y) with y summed without cancellation.
    const y =
      (alpha * math.expm1(a * eps0) + a * math.expm1(-alpha * eps0)) / (2 * alpha - 1) +
      ROUNDING * a * eps0;
    return math.log1p(y) / a;
  }
  return (
    logAddExp(
      math.log(alpha / (2 * alpha - 1)) + a * eps0,
      math.log(a / (2 * alpha - 1)) - alpha * eps0,
    ) / a
  );
}

/**
 * Any eps0-DP mechanism: the randomized response pair, which dominates it:
 * ln[ (e^(alpha eps0) + e^((1 - alpha) eps0)) / (1 + e^eps0) ] / (alpha - 1).
 *
 * @see Bun and Steinke (2016), Proposition 3.3, for the pair.
 */
export function pureRdp(alpha: number, eps0: number): number {
  const a = alpha - 1;
  const up = 1 / (1 + math.exp(-eps0));
  const down = 1 / (1 + math.exp(eps0));
  if (a * eps0 < 0.5) {
    // E_P e^((alpha-1) L) - 1, P = (up, down), L = (eps0, -eps0).
    const y = up * math.expm1(a * eps0) + down * math.expm1(-a * eps0) + ROUNDING * a * eps0;
    return math.log1p(y) / a;
  }
  return eps0 + (math.log(up) + math.log1p(math.exp(-eps0 * (2 * alpha - 1)))) / a;
}

const factorials: number[] = [0];

function logFactorial(n: number): number {
  for (let k = factorials.length; k <= n; k++) factorials.push(logGamma(k + 1));
  return factorials[n]!;
}

/** Integer order: the binomial sum of Mironov, Talwar, Zhang (2019), section 3.3. */
function sampledIntegerMoment(alpha: number, rate: number, sigma: number): number {
  const logRate = math.log(rate);
  const logRest = math.log1p(-rate);
  const terms = new Float64Array(alpha + 1);
  let high = -Infinity;
  for (let k = 0; k <= alpha; k++) {
    const choose = logFactorial(alpha) - logFactorial(k) - logFactorial(alpha - k);
    terms[k] = choose + k * logRate + (alpha - k) * logRest + (k * (k - 1)) / (2 * sigma * sigma);
    high = Math.max(high, terms[k]!);
  }
  // The sum is 1 + sum_k binomial(k) (e^(k(k-1)/2s^2) - 1): near 1 the excess is what counts.
  if (high < 1) {
    let excess = 0;
    for (let k = 2; k <= alpha; k++) {
      const exponent = (k * (k - 1)) / (2 * sigma * sigma);
      excess += math.exp(terms[k]!) * -math.expm1(-exponent);
    }
    return math.log1p(excess);
  }
  return high + math.log(sum(alpha + 1, (k) => math.exp(terms[k]! - high)));
}

/**
 * Fractional order: E_{z ~ N(0, sigma^2)} [(1 - q + q e^((2z-1)/(2 sigma^2)))^alpha] by the trapezoidal
 * rule, which converges geometrically for this analytic integrand; singularities lie pi sigma^2
 * from the real line.
 */
function sampledFractionalMoment(alpha: number, rate: number, sigma: number): number {
  const variance = sigma * sigma;
  const step = Math.min(0.5 * variance, 0.6 * sigma);
  const low = -10 * sigma;
  const high = alpha + 10 * sigma + 1;
  const points = Math.ceil((high - low) / step);
  if (points > 1e5) return Infinity; // very small sigma: other orders serve
  const logRate = math.log(rate);
  const logRest = math.log1p(-rate);
  let top = -Infinity;
  const values = new Float64Array(points + 1);
  for (let i = 0; i <= points; i++) {
    const z = low + i * step;
    const mixture = logAddExp(logRest, logRate + (2 * z - 1) / (2 * variance));
    values[i] = alpha * mixture - (z * z) / (2 * variance);
    top = Math.max(top, values[i]!);
  }
  if (top < 1) {
    // Near 1 the moment is 1 + E[e^(alpha L) - 1 - alpha (e^L - 1)], as E e^L = 1: nothing cancels but
    // the first order, whose rounding is added.
    const excess = sum(points + 1, (i) => {
      const z = low + i * step;
      const exponent = (2 * z - 1) / (2 * variance);
      const weight = (-z * z) / (2 * variance);
      if (exponent > FAR) {
        // Far beyond the first order e^loss is q e^exponent; exp of each sum of logs, as factors overflow.
        const loss = logAddExp(logRest, logRate + exponent);
        return math.exp(alpha * loss + weight) + (alpha - 1) * math.exp(weight);
      }
      const loss = math.log1p(rate * math.expm1(exponent));
      const first = alpha * math.expm1(loss);
      const second = math.expm1(alpha * loss) - first + ROUNDING * Math.abs(first);
      return math.exp(weight) * Math.max(0, second);
    });
    return math.log1p((excess * step) / (sigma * Math.sqrt(2 * Math.PI)));
  }
  const total = sum(points + 1, (i) => math.exp(values[i]! - top));
  return top + math.log((total * step) / (sigma * Math.sqrt(2 * Math.PI)));
}

/** By convexity E[(1 - q + q r)^alpha] <= 1 - q + q E[r^alpha], r the ratio without sampling; its logarithm. */
function sampledMomentBound(alpha: number, rate: number, sigma: number): number {
  const exponent = (alpha - 1) * gaussianRdp(alpha, 1 / sigma);
  return exponent < 1
    ? math.log1p(rate * math.expm1(exponent))
    : logAddExp(math.log1p(-rate), math.log(rate) + exponent);
}

/**
 * Poisson-subsampled Gaussian under zero-out, noise multiplier sigma. The direction "task present
 * against absent" is the larger (Mironov, Talwar, Zhang 2019, Theorem 5).
 *
 * @param alpha > 1, real.
 */
export function sampledGaussianRdp(alpha: number, rate: number, sigma: number): number {
  if (rate === 1) return gaussianRdp(alpha, 1 / sigma);
  const bound = sampledMomentBound(alpha, rate, sigma);
  // Outside of these the sums leave the range of doubles, or their grid grows too long.
  if (!(sigma > 1e-4 && sigma < 1e6)) return bound / (alpha - 1);
  const moment = Number.isInteger(alpha)
    ? sampledIntegerMoment(alpha, rate, sigma)
    : sampledFractionalMoment(alpha, rate, sigma);
  return Math.min(claimedEpsilon(moment), bound) / (alpha - 1);
}
