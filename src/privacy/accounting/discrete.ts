/**
 * Discrete Gaussian events as Gaussian ones, with the price of the difference.
 *
 * **Statement.** Let every entry of a release be rounded to a grid and given discrete Gaussian noise of
 * parameter at least s grid steps, n entries in all. Put Delta' = Delta + grid sqrt(n), mu = Delta'/sigma.
 * If the Gaussian mechanism of that mu has profile delta_G (composed with anything else), this one has
 *   delta(eps) <= e^t1 [ delta_G(eps - t1 - t2) + e^eps beta ],
 *   t1 = n / (8 s^2), t2 = (sqrt(n) (1 + 1/(2s)) + r)^2 / (8 s^2), beta = e^(-r^2/2),
 * the t summed over rounds, beta times their number.
 *
 * **Proof.** Rounding moves each of two neighbouring values by at most grid / 2 each, so their distance
 * grows by at most grid sqrt(n). Compare the discrete Gaussian with a rounded normal, which is
 * post-processing of the Gaussian mechanism. In grid steps, with phi the normal density,
 *   P_round(x) = phi(x) Int_(-1/2)^(1/2) e^(-u^2/(2 s^2)) cosh(x u / s^2) du,
 * between phi(x) e^(-1/(8 s^2)) and phi(x) e^(x^2/(8 s^4)), while P_Z(x) = phi(x)/Z and, by Poisson
 * summation, 1 <= Z <= 1 + 3 e^(-2 pi^2 s^2), which for s >= 4 is 1 to 130 digits. So
 * P_Z <= e^(1/(8 s^2)) P_round everywhere: over n entries, e^t1. And P_round <= e^(|x|^2/(8 s^4)) P_Z,
 * where |x| <= s (sqrt(n) (1 + 1/(2s)) + r) but for probability beta (a normal vector's norm is
 * 1-Lipschitz). Chain the three inequalities. QED
 *
 * **Shares.** A sum of h independent N_Z(0, s^2), s >= 4, is N_Z(0, h s^2) up to a factor e^(+-tau) in
 * every point, tau = 10 (h - 1) e^(-pi^2 s^2), n tau over n entries: add n tau to t1 and to t2.
 * *Proof.* Complete the square: P[X + Y = z] for variances a, b is that of variance a + b times
 * T(z) Z_(a+b) / (Z_a Z_b), T(z) the sum of e^(-(x-u)^2/(2c)) over the integers x, u = z a/(a+b),
 * c = ab/(a+b). By Poisson summation T is sqrt(2 pi c) and each Z its square root times 1 up to
 * 3 e^(-2 pi^2 .), T below as well as above, and the roots cancel: |log| <= 10 e^(-2 pi^2 c). Adding
 * one share to j has c = s^2 j/(j+1) >= s^2/2; sum over j. QED (Kairouz, Liu, Steinke 2021, Theorem 9.)
 *
 * With s = 2^20 and n = 900 the price is of the order 1e-9 in eps: nothing is lost against the
 * exact Gaussian accounting, where conversion from zCDP (Canonne, Kamath, Steinke 2020, Theorem 4)
 * would cost a tenth of eps or more.
 * @module
 */
import * as math from "../../core/elementary.js";
import type { EventGroup } from "./groups.js";
import { sum } from "./rounding.js";
import type { DiscreteGaussianEvent, PrivacyEvent } from "../events/event-kinds.js";

/** Sensitivity of the rounded values. Shares are added to values that lie on the grid already. */
export function roundedSensitivity(event: DiscreteGaussianEvent): number {
  return event.shares === undefined
    ? event.sensitivity + event.grid * Math.sqrt(event.entries)
    : event.sensitivity;
}

/** Smallest parameter of any entry's noise, in grid steps: a matrix has sigma / sqrt(2) off its diagonal. */
function steps(event: DiscreteGaussianEvent): number {
  return event.sigma / (Math.SQRT2 * event.grid);
}

/** n tau: log-ratio between noise in shares and the discrete Gaussian of their total variance. */
export function sharesGap(event: DiscreteGaussianEvent): number {
  const { shares = 1, entries } = event;
  return 10 * (shares - 1) * entries * math.exp((-(Math.PI ** 2) * steps(event) ** 2) / shares);
}

/** r^2 / 2: e^-700 is below every delta, whatever is composed. */
const TAIL = 700;

/** Groups without discrete events, and what the replacement costs. */
export interface Continuous {
  groups: EventGroup[];
  /** t1: delta grows by e^inflation. */
  inflation: number;
  /** t1 + t2: eps grows by it. */
  shift: number;
}

/**
 * Replaces discrete Gaussian events by Gaussian ones.
 *
 * @param epsilon finite: the price holds for claims of at most this eps.
 * @throws RangeError if the grid is coarser than a quarter of the noise.
 */
export function continuous(groups: readonly EventGroup[], epsilon: number): Continuous {
  const discrete = groups.flatMap(({ event, count }) =>
    event.kind === "discrete-gaussian" ? [{ event, count }] : [],
  );
  const rounds = sum(discrete.length, (i) => discrete[i]!.count);
  // e^eps beta rounds <= e^-700.
  const reach = Math.sqrt(2 * (TAIL + epsilon + math.log(Math.max(1, rounds))));
  let inflation = 0;
  let shift = 0;
  for (const { event, count } of discrete) {
    const s = steps(event);
    const { shares = 1 } = event;
    if (s / Math.sqrt(shares) < 4) {
      const what = shares === 1 ? "sigma / 6" : `sigma / (6 sqrt(${shares}))`;
      throw new RangeError(
        `grid: expected a grid below ${what}, got ${event.grid} at sigma ${event.sigma}`,
      );
    }
    const one = event.entries / (8 * s * s) + sharesGap(event);
    const norm = Math.sqrt(event.entries) * (1 + 1 / (2 * s)) + reach;
    inflation += count * one;
    shift += count * (one + (norm / s) ** 2 / 8 + sharesGap(event));
  }
  return {
    groups: groups.map(({ event, count }) => ({ event: asGaussian(event), count })),
    inflation,
    shift,
  };
}

function asGaussian(event: PrivacyEvent): PrivacyEvent {
  return event.kind !== "discrete-gaussian"
    ? event
    : {
        kind: "gaussian",
        sigma: event.sigma,
        sensitivity: roundedSensitivity(event),
        adjacency: event.adjacency,
      };
}
