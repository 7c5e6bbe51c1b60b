/**
 * A list of releases in one number: the mu of Gaussian DP, and how well it fits.
 *
 * **Statement.** Releases that are mu_t-GDP are together (sqrt(sum mu_t^2))-GDP. A Gaussian shift is
 * mu-GDP exactly. A pure eps-DP release is mu-GDP with mu = 2 Phi^-1(e^eps / (1 + e^eps)), and no smaller
 * mu holds. A Poisson sample is no worse than everyone taking part. Discrete Gaussian noise is that of a
 * Gaussian up to the factors of `accounting/discrete.ts`, which are given as `slack`.
 *
 * **Proof.** Composition: Dong, Roth, Su (2022), Corollary 2. Pure: the trade-off function of eps-DP is
 * max(1 - e^eps a, e^-eps (1 - a)), with its kink at a = 1/(1 + e^eps), where it equals a. G_mu goes through
 * (0, 1), for the mu above through the kink, and through (1, 0); it is convex, so it lies below the two chords,
 * and they are that function. Sampling: with probability 1 - q both worlds release the same. QED
 * @module
 */
import * as math from "../../core/elementary.js";
import { array } from "../../core/checks.js";
import { largest } from "../accounting/bisect.js";
import { continuous } from "../accounting/discrete.js";
import { gaussianEpsilon } from "../accounting/gdp.js";
import { gaussianMuOf, groupEvents, pureEpsilonOf, type EventGroup } from "../accounting/groups.js";
import { quotient, rootOfSquares, roundUp } from "../accounting/rounding.js";
import { logNormalCdf, normalCdf } from "../accounting/special/erfc.js";
import { statedPair } from "./stated-pair.js";
import type { PrivacyEvent } from "../events/event-kinds.js";

/** What a guarantee says of Gaussian DP. */
export interface GaussianSummary {
  /** The releases are mu-GDP, up to `slack`. */
  readonly mu: number;
  /** "exact": no smaller mu holds. "bound": a smaller one may; compare the two epsilons. */
  readonly fit: "exact" | "bound";
  /** Epsilon that mu gives at the guarantee's delta; null where that is none (delta 0). */
  readonly epsilon: number | null;
  /** Most that exact noise on a grid adds to an epsilon; 0 where noise is Gaussian. */
  readonly slack: number;
}

/** Releases as Gaussian ones: mu, and the factors e^inflation and e^shift of discrete noise. */
interface AsGaussian {
  readonly mu: number;
  readonly fit: GaussianSummary["fit"];
  readonly inflation: number;
  readonly shift: number;
}

/** mu of one event, and whether none smaller holds; undefined where no mu does. */
function muOf(event: PrivacyEvent): { mu: number; exact: boolean } | undefined {
  const gaussian = gaussianMuOf(event);
  if (gaussian !== undefined) return { mu: gaussian, exact: true };
  if (event.kind === "subsampled-gaussian") {
    return { mu: quotient(event.sensitivity, event.sigma), exact: false };
  }
  const pure = pureEpsilonOf(event);
  return pure === undefined ? undefined : { mu: muOfPure(pure), exact: false };
}

/** More than logarithms near ln 2, rounded, move a mu. */
const LOST = 2 ** -47;

/**
 * 2 Phi^-1(e^eps / (1 + e^eps)), rounded up: the smallest mu with ln Phi(-mu/2) <= -ln(1 + e^eps). It is at most eps sqrt(pi/2), nearly that where
 * eps is small: the logarithm of the odds Phi(x) / Phi(-x) has the derivative h(x) + h(-x), h the normal hazard rate, which is convex, so
 * the sum is least at 0.
 */
export function muOfPure(epsilon: number): number {
  if (epsilon === 0) return 0;
  const target = -(epsilon + math.log1p(math.exp(-epsilon)));
  const found = roundUp(largest((mu) => logNormalCdf(-mu / 2) >= target, 1)) * (1 + 1e-12);
  return Math.min(found + LOST, roundUp(epsilon * Math.sqrt(Math.PI / 2)));
}

function asGaussian(events: readonly PrivacyEvent[], epsilon: number): AsGaussian | undefined {
  if (events.length === 0 || !(epsilon < Infinity)) return undefined;
  let translated: { groups: EventGroup[]; inflation: number; shift: number };
  try {
    translated = continuous(groupEvents(events), epsilon);
  } catch (error) {
    // A grid too coarse for the comparison has no such mu.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
  const { groups, inflation, shift } = translated;
  const parts = groups.map(({ event, count }) => ({ ...muOf(event), count }));
  const terms = parts.flatMap(({ mu, count }) => (mu === undefined ? [] : [{ x: mu, count }]));
  if (terms.length < parts.length) return undefined;
  const mu = rootOfSquares(terms);
  if (!(mu < Infinity)) return undefined;
  const fit = parts.every(({ exact }) => exact) ? "exact" : "bound";
  return { mu, fit, inflation, shift };
}

/**
 * The mu of releases.
 *
 * @param guarantee the (epsilon, delta) that they are promised.
 * @returns undefined where an event has no mu, as a private selection or the one-sided Wishart.
 */
export function gaussianSummary(
  events: readonly PrivacyEvent[],
  guarantee: { readonly epsilon: number; readonly delta: number },
): GaussianSummary | undefined {
  array("events", events);
  const { epsilon: promised, delta } = statedPair("guarantee", guarantee);
  const found = asGaussian(events, promised);
  if (!found) return undefined;
  const { mu, fit, inflation, shift } = found;
  const epsilon =
    delta > 0 ? roundUp(gaussianEpsilon(mu, delta * math.exp(-inflation)) + shift) : null;
  return { mu, fit, epsilon, slack: shift };
}

/** What the best attack gains on one task. */
export interface AttackerGain {
  /** Probability of a false alarm of the tests that are compared: 0.01. */
  readonly falsePositiveRate: number;
  /** The largest true-positive rate of any test at that rate of false positives. */
  readonly truePositiveRate: number;
  /** What the run does to an attacker's odds, who took two worlds for equally likely; absent where they are beyond all numbers. */
  readonly posterior?: {
    /** How many times as likely as the other world the true one is at most, after the run. */
    readonly odds: number;
    /** Probability with which the odds may be larger. */
    readonly except: number;
  };
}

/** How many deltas the odds may fail with: the more, the closer they are to e^eps. */
const FAILURES = 10;

/**
 * The largest posterior odds, from even ones.
 *
 * **Statement.** With (eps, delta)-DP the likelihood ratio is at most e^eps / (1 - 1/c), except with probability
 * c delta, for any c > 1; with delta = 0 at most e^eps always.
 *
 * **Proof.** Let L be the logarithm of the ratio, under the world that it speaks for. (eps, delta)-DP is
 * E (1 - e^(eps - L))_+ <= delta (Canonne, Kamath, Steinke 2020, Proposition 7). Where e^L > e^eps / (1 - 1/c) the term
 * is above 1/c, so Markov's inequality bounds the probability of that by c delta. QED
 *
 * So any belief, true or not, has its odds raised by more with probability c delta at most: a false one with that over the ratio. That
 * odds move by more up or down may have the probability of both.
 */
export function posteriorOdds(epsilon: number, delta: number): AttackerGain["posterior"] {
  const except = FAILURES * delta;
  const odds = roundUp(quotient(math.exp(epsilon), delta > 0 ? 1 - 1 / FAILURES : 1));
  return odds < Infinity && except < 1 ? { odds, except } : undefined;
}

const RATE = 0.01;
/** Phi^-1(0.01), rounded up, and the normal density there, rounded down. */
const QUANTILE = -2.32634787404084;
const DENSITY = 0.0266521422;

/**
 * The posterior odds, and the largest true-positive rate at 1 % false positives of any test between two neighbouring worlds, by an
 * adversary who knows everything but one task.
 *
 * **Statement.** (eps, delta)-DP bounds it by min(e^eps a + delta, 1 - e^-eps (1 - delta - a)); mu-GDP by
 * Phi(Phi^-1(a) + mu) (Wasserman and Zhou 2010; Dong, Roth, Su 2022, equation 6). Of both the smaller.
 */
export function attackerGain(
  guarantee: { readonly epsilon: number; readonly delta: number },
  events: readonly PrivacyEvent[] = [],
): AttackerGain {
  const { epsilon, delta } = statedPair("guarantee", guarantee);
  array("events", events);
  const bounds = [
    1,
    math.exp(epsilon) * RATE + delta,
    1 - math.exp(-epsilon) * Math.max(0, 1 - delta - RATE),
  ];
  const found = asGaussian(events, epsilon);
  if (found) {
    // The inverse of Phi is concave below 1/2, so its tangent is above it.
    const quantile = QUANTILE + (RATE * math.expm1(found.shift)) / DENSITY;
    bounds.push(math.exp(found.inflation) * normalCdf(quantile + found.mu) * (1 + 1e-12));
  }
  const posterior = posteriorOdds(epsilon, delta);
  return {
    falsePositiveRate: RATE,
    truePositiveRate: Math.min(1, roundUp(bounds.reduce((least, x) => Math.min(least, x)))),
    ...(posterior ? { posterior } : {}),
  };
}
