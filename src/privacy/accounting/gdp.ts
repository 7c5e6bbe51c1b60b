/**
 * Gaussian differential privacy: the exact profile of (composed) Gaussian mechanisms.
 *
 * delta(eps) = Phi(-eps/mu + mu/2) - e^eps Phi(-eps/mu - mu/2), and mu^2 adds up over rounds
 * (Balle and Wang 2018, Theorem 8; Dong, Roth, Su 2022, Corollaries 1 and 2).
 * @module
 */
import * as math from "../../core/elementary.js";
import { nonNegative, positive } from "../../core/checks.js";
import { bisect, largest } from "./bisect.js";
import { roundDown, roundUp } from "./rounding.js";
import { erfcx, normalCdf } from "./special/erfc.js";

/** Abscissas and weights of the 10-point Gauss-Legendre rule on [-1, 1] (positive half). */
const NODES = [
  0.1488743389816312, 0.4333953941292472, 0.6794095682990244, 0.8650633666889845,
  0.9739065285171717,
];
const WEIGHTS = [
  0.2955242247147529, 0.2692667193099963, 0.219086362515982, 0.1494513491505806, 0.0666713443086881,
];

/**
 * exp(-a^2/2)/sqrt(2 pi) * Int_0^inf exp(-a t - t^2/2) (1 - exp(-mu t)) dt, all terms positive: used
 * where the closed form subtracts nearly equal numbers.
 */
function deltaByQuadrature(a: number, mu: number): number {
  const end = a > 0 ? Math.min(40 / a, 12) : 12 - a;
  const panels = 24;
  let total = 0;
  for (let p = 0; p < panels; p++) {
    // Panels grow quadratically, so that the start, where most of the mass is, is resolved.
    const low = end * (p / panels) ** 2;
    const half = (end * ((p + 1) / panels) ** 2 - low) / 2;
    for (let i = 0; i < 10; i++) {
      const node = NODES[i >> 1]! * (i & 1 ? -1 : 1);
      const t = low + half * (1 + node);
      total += half * WEIGHTS[i >> 1]! * math.exp(-t * (a + t / 2)) * -math.expm1(-mu * t);
    }
  }
  return (math.exp((-a * a) / 2) * total) / Math.sqrt(2 * Math.PI);
}

/** delta(eps) of mu-GDP as computed, not rounded; eps may be negative. */
export function gaussianProfile(epsilon: number, mu: number): number {
  if (mu === 0) return epsilon >= 0 ? 0 : -math.expm1(epsilon);
  const a = epsilon / mu - mu / 2;
  const b = epsilon / mu + mu / 2;
  if (a > 38.6) return 0;
  // Far below the mean loss the second term, e^eps Phi(-b) = phi(a) Mills(b), is small beside the first.
  if (a < -5) return normalCdf(-a) - 0.5 * math.exp((-a * a) / 2) * erfcx(b * Math.SQRT1_2);
  const left = erfcx(a * Math.SQRT1_2);
  const difference = left - erfcx(b * Math.SQRT1_2);
  if (difference < 1e-3 * left) return deltaByQuadrature(a, mu);
  return 0.5 * math.exp((-a * a) / 2) * difference;
}

/**
 * delta(eps), moved up past the error of its arithmetic: a difference that may cancel to a thousandth of its
 * terms, exponents a^2 / 2 and a b, whose rounding is relative to them, and a, itself a difference of numbers that are about as large as b:
 * normal tails move by 1 + |a| times as much. 0 for mu 0 only.
 */
function safeProfile(epsilon: number, mu: number): number {
  const profile = gaussianProfile(epsilon, mu);
  if (mu === 0) return profile;
  if (profile === 0) return Number.MIN_VALUE;
  const [a, b] = [Math.abs(epsilon / mu - mu / 2), epsilon / mu + mu / 2];
  const error = Math.max(2 ** -40, 2 ** -50 * (a + b)) + 2 ** -50 * a * (a + b);
  return Math.min(1, profile * (1 + error) + Number.MIN_VALUE);
}

/**
 * Smallest delta for which a mu-GDP release is (epsilon, delta)-DP, rounded up.
 *
 * @param epsilon >= 0.
 * @param mu      >= 0; sqrt of the sum of squares over rounds.
 * @see Balle and Wang (2018), Theorem 8.
 */
export function gaussianDelta(epsilon: number, mu: number): number {
  nonNegative("epsilon", epsilon);
  nonNegative("mu", mu);
  return safeProfile(epsilon, mu);
}

/**
 * Smallest epsilon for which a mu-GDP release is (epsilon, delta)-DP, rounded up.
 *
 * @param delta 0 <= delta < 1; with delta 0 the answer is Infinity unless mu is 0.
 */
export function gaussianEpsilon(mu: number, delta: number): number {
  nonNegative("mu", mu);
  if (mu === 0 || gaussianDelta(0, mu) <= delta) return 0;
  if (delta === 0) return Infinity;
  // z with Phi(-z) <= delta/2 gives delta(mu^2/2 + mu z) <= delta.
  const z = Math.sqrt(-2 * math.log(delta)) + 1;
  let high = Math.min(mu * (mu / 2 + z), Number.MAX_VALUE);
  while (safeProfile(high, mu) > delta) {
    if (high === Number.MAX_VALUE) return Infinity;
    high = Math.min(2 * high, Number.MAX_VALUE);
  }
  const { inside } = bisect(
    (epsilon) => safeProfile(epsilon, mu) <= delta,
    { inside: high, outside: 0 },
    1e-15,
  );
  return roundUp(inside);
}

/**
 * Largest mu for which mu-GDP implies (epsilon, delta)-DP, rounded down.
 *
 * @param epsilon >= 0
 * @param delta   0 < delta < 1
 */
export function gaussianMu(epsilon: number, delta: number): number {
  nonNegative("epsilon", epsilon);
  positive("delta", delta);
  const start = Math.max(epsilon / (Math.sqrt(2 * math.log(1 + 1 / delta)) + epsilon), 1e-3);
  return roundDown(largest((mu) => safeProfile(epsilon, mu) <= delta, start, 1e-15));
}
