/**
 * The gamma function's relatives: log-gamma, Poisson and binomial terms, and the incomplete gamma
 * functions P and Q, with relative accuracy in both tails.
 *
 * The terms are computed by C. Loader, "Fast and accurate computation of binomial probabilities"
 * (2000): a Stirling error and a deviance, neither of which cancels.
 * @module
 */
import * as math from "../../../core/elementary.js";

const HALF_LOG_TWO_PI = 0.9189385332046727; // ln(2 pi)/2

/** ln Gamma(a + 1) - [ln(2 pi)/2 + (a + 1/2) ln a - a], a > 0: the error of Stirling's formula. */
export function stirlingError(a: number): number {
  let climbed = 0;
  let x = a;
  // error(x) = error(x + 1) + (x + 1/2) ln(1 + 1/x) - 1
  for (; x < 15; x++) climbed += (x + 0.5) * math.log1p(1 / x) - 1;
  const y = 1 / (x * x);
  // Bernoulli numbers B_2k / (2k (2k - 1)): Abramowitz and Stegun 6.1.41.
  const series =
    (1 / 12 -
      y * (1 / 360 - y * (1 / 1260 - y * (1 / 1680 - y * (1 / 1188 - (y * 691) / 360360))))) /
    x;
  return climbed + series;
}

/** ln Gamma(a), a > 0. */
export function logGamma(a: number): number {
  return HALF_LOG_TWO_PI + (a - 0.5) * math.log(a) - a + stirlingError(a);
}

/** x ln(x/m) + m - x without cancellation. */
function deviance(x: number, m: number): number {
  if (x === 0) return m;
  const v = (x - m) / (x + m);
  if (Math.abs(v) > 0.1) return x * math.log(x / m) + m - x;
  let total = (x - m) * v;
  let term = 2 * x * v;
  const square = v * v;
  for (let j = 1; j < 1000; j++) {
    term *= square;
    const next = total + term / (2 * j + 1);
    if (next === total) break;
    total = next;
  }
  return total;
}

/** ln of m^a e^-m / Gamma(a + 1), a >= 0 real, m > 0. */
export function logPoissonTerm(a: number, m: number): number {
  if (a === 0) return -m;
  return -stirlingError(a) - deviance(a, m) - HALF_LOG_TWO_PI - 0.5 * math.log(a);
}

/** ln of the binomial probability of k successes in n trials, p and q = 1 - p both given exactly. */
export function logBinomialTerm(n: number, k: number, p: number, q: number): number {
  if (k === 0) return n * (p < 0.5 ? math.log1p(-p) : math.log(q));
  if (k === n) return n * (q < 0.5 ? math.log1p(-q) : math.log(p));
  const correction = stirlingError(n) - stirlingError(k) - stirlingError(n - k);
  return (
    correction -
    deviance(k, n * p) -
    deviance(n - k, n * q) -
    HALF_LOG_TWO_PI +
    0.5 * math.log(n / (k * (n - k)))
  );
}

/** Both incomplete gamma functions; the smaller has relative accuracy. */
export interface IncompleteGamma {
  /** P(a, x): the distribution function of Gamma(a, 1). */
  lower: number;
  /** Q(a, x) = 1 - P(a, x). */
  upper: number;
}

/** The smaller tail as e^logFront * scale * total, where it is computed. */
interface Tail {
  isLower: boolean;
  logFront: number;
  scale: number;
  total: number;
}

/** The series below a + 1, Lentz's continued fraction above (DLMF 8.11.4 and 8.9.2). */
function tailOf(a: number, x: number): Tail {
  const logFront = logPoissonTerm(a, x);
  if (x < a + 1) {
    let term = 1;
    let total = 1;
    for (let k = 1; k < 1e7; k++) {
      term *= x / (a + k);
      total += term;
      if (term < total * 1e-17) break;
    }
    return { isLower: true, logFront, scale: 1, total };
  }
  const tiny = 1e-300;
  let b = x + 1 - a;
  let c = 1 / tiny;
  let d = 1 / b;
  let h = d;
  for (let i = 1; i < 1e7; i++) {
    const an = -i * (i - a);
    b += 2;
    d = an * d + b;
    if (Math.abs(d) < tiny) d = tiny;
    c = b + an / c;
    if (Math.abs(c) < tiny) c = tiny;
    d = 1 / d;
    const factor = d * c;
    h *= factor;
    if (Math.abs(factor - 1) < 1e-16) break;
  }
  return { isLower: false, logFront, scale: a, total: h };
}

/** P(a, x) and Q(a, x) for a > 0. Needs about sqrt(a) terms near x = a. */
export function incompleteGamma(a: number, x: number): IncompleteGamma {
  if (!(x > 0)) return { lower: 0, upper: 1 };
  if (x === Infinity) return { lower: 1, upper: 0 };
  const { isLower, logFront, scale, total } = tailOf(a, x);
  const tail = Math.min(1, math.exp(logFront) * scale * total);
  return isLower ? { lower: tail, upper: 1 - tail } : { lower: 1 - tail, upper: tail };
}

/** ln P(a, x) and ln Q(a, x), finite however small they are. */
export function logIncompleteGamma(a: number, x: number): IncompleteGamma {
  if (!(x > 0)) return { lower: -Infinity, upper: 0 };
  if (x === Infinity) return { lower: 0, upper: -Infinity };
  const { isLower, logFront, scale, total } = tailOf(a, x);
  const tail = Math.min(0, logFront + math.log(scale) + math.log(total));
  const other = math.log1p(-math.exp(tail));
  return isLower ? { lower: tail, upper: other } : { lower: other, upper: tail };
}
