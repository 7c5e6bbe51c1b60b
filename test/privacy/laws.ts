/** One law of the privacy loss of every kind, by name, in both directions; and the profile that a law has. */
import {
  gaussianEvent,
  laplaceEvent,
  pureEvent,
  subsampledGaussianEvent,
  wishartEvent,
} from "../../src/privacy/events/events.js";
import { lossLaw } from "../../src/privacy/accounting/pld/laws.js";
import type { PrivacyEvent } from "../../src/privacy/events/event-kinds.js";
import type { LossLaw } from "../../src/privacy/accounting/pld/loss-law.js";

const adjacency = "zero-out" as const;

/** One-sided Wishart noise in one dimension. */
export const chiSquare = (degreesOfFreedom: number, scale: number): PrivacyEvent =>
  wishartEvent({ dimension: 1, degreesOfFreedom, scale, adjacency });

/** An event of every kind whose law has a closed form. */
export const EVENTS: readonly [string, PrivacyEvent][] = [
  ["normal noise", gaussianEvent({ sigma: 0.7, adjacency })],
  ["Laplace noise", laplaceEvent({ scale: 0.8, adjacency })],
  ["randomized response", pureEvent({ epsilon: 1.3, adjacency })],
  ["a sample", subsampledGaussianEvent({ sigma: 0.9, rate: 0.2 })],
  ["chi-square noise of 2 degrees", chiSquare(2, 0.9)],
];

/** The laws of these events, in both directions. */
export function lawsOf(events: readonly [string, PrivacyEvent][]): [string, LossLaw][] {
  return events.flatMap(([name, event]) =>
    (["with-against-without", "without-against-with"] as const).map(
      (direction): [string, LossLaw] => [`${name}, ${direction}`, lossLaw(event, direction)!],
    ),
  );
}

/** P(L > loss) - e^loss Q(L > loss). */
export function profile(law: LossLaw, loss: number): number {
  const at = { pAbove: 0, qAbove: 0, pBelow: 0, qBelow: 0 };
  law.tails(loss, at);
  return at.pAbove - Math.exp(loss) * at.qAbove;
}
