/**
 * What charged events come to, worked out anew: by the definition of Gaussian DP as an integral, by sums of
 * epsilons, and where neither covers them by the accountants.
 * @module
 */
import { deltaOf, type PrivacyEvent } from "../../src/privacy/index.js";

/** Relative errors of the integral and of sums here. */
const INTEGRAL_ERROR = 1e-7;
const SUM_ERROR = 1e-12;

/** mu of one Gaussian event; undefined for any other. */
function muOf(event: PrivacyEvent): number | undefined {
  if (event.kind === "gaussian") return event.sensitivity / event.sigma;
  if (event.kind !== "discrete-gaussian") return undefined;
  return (event.sensitivity + event.grid * Math.sqrt(event.entries)) / event.sigma;
}

/** eps of one event that has no delta; undefined for any other. */
export function pureOf(event: PrivacyEvent): number | undefined {
  switch (event.kind) {
    case "pure":
      return event.epsilon;
    case "laplace":
    case "spherical-laplace":
      return event.sensitivity / event.scale;
    case "two-sided-wishart":
      return event.sensitivity / (2 * event.scale);
    default:
      return undefined;
  }
}

/** sqrt(sum mu^2) where all events are Gaussian. */
export function composedMu(events: readonly PrivacyEvent[]): number | undefined {
  let squares = 0;
  for (const event of events) {
    const mu = muOf(event);
    if (mu === undefined) return undefined;
    squares += mu * mu;
  }
  return Math.sqrt(squares);
}

/** Sum of epsilons where all events are pure. */
export function composedEpsilon(events: readonly PrivacyEvent[]): number | undefined {
  let total = 0;
  for (const event of events) {
    const epsilon = pureOf(event);
    if (epsilon === undefined) return undefined;
    total += epsilon;
  }
  return total;
}

/**
 * delta(eps) of N(mu, 1) against N(0, 1): the integral of p - e^eps q over the points where it is positive, which
 * begin at eps / mu + mu / 2, by Simpson's rule.
 */
export function gaussianDelta(mu: number, epsilon: number): number {
  if (mu === 0) return 0;
  const from = epsilon / mu + mu / 2;
  const density = (x: number) =>
    (Math.exp(-((x - mu) ** 2) / 2) * -Math.expm1(epsilon + mu * mu / 2 - mu * x)) / Math.sqrt(2 * Math.PI); // prettier-ignore
  // All but e^-200 of the normal lies within 20; what decays faster is followed in its own scale.
  const width = Math.min(Math.max(mu - from, 0) + 20, 40 / Math.max(from - mu, 1) + Math.max(mu - from, 0) + 2); // prettier-ignore
  const steps = 20_000;
  const h = width / steps;
  let sum = density(from) + density(from + width);
  for (let k = 1; k < steps; k++) sum += (k % 2 ? 4 : 2) * density(from + k * h);
  return (sum * h) / 3;
}

/** Why events do not stay within (epsilon, delta); undefined if they do. */
export function overspent(
  events: readonly PrivacyEvent[],
  { epsilon, delta }: { epsilon: number; delta: number },
): string | undefined {
  const pure = composedEpsilon(events);
  if (pure !== undefined && pure <= epsilon * (1 + SUM_ERROR)) return undefined;
  const mu = composedMu(events);
  const spent =
    mu === undefined
      ? deltaOf(events, { epsilon })
      : gaussianDelta(mu, epsilon) * (1 - INTEGRAL_ERROR);
  if (spent <= delta) return undefined;
  return `the charged events have delta ${spent} at epsilon ${epsilon}, the budget is ${delta}`;
}
