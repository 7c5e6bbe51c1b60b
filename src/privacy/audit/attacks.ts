/**
 * Attacks on one release: how much it speaks for one of two known contributions.
 *
 * The residual is the release minus what the adversary knows, the other tasks' part: the canary's
 * contribution plus noise. Scores of independent rounds add up.
 * @module
 */
import * as math from "../../core/elementary.js";
import { wishartLogDensity } from "./wishart-density.js";
import type { PrivacyEvent } from "../events/event-kinds.js";

/** A release and the two contributions it may hold, all of the statistic's length. */
export interface Residual {
  readonly values: Float64Array;
  readonly present: Float64Array;
  readonly neighbour: Float64Array;
  readonly event: PrivacyEvent;
}

/** A score that grows with the evidence for `present`; Infinity where `neighbour` is impossible. */
export interface Attack {
  readonly name: "likelihood-ratio" | "projection" | "support";
  score(release: Residual): number;
}

/** Difference of a norm's power at the two noises that would explain the release. */
function contrast({ values, present, neighbour }: Residual, power: (x: number) => number): number {
  let total = 0;
  for (let k = 0; k < values.length; k++) {
    total += power(values[k]! - neighbour[k]!) - power(values[k]! - present[k]!);
  }
  return total;
}

/** <R - (A + B)/2, A - B>: half the difference of squared distances, without cancellation. */
function alongChange({ values, present, neighbour }: Residual): number {
  let total = 0;
  for (let k = 0; k < values.length; k++) {
    const middle = (present[k]! + neighbour[k]!) / 2;
    total += (values[k]! - middle) * (present[k]! - neighbour[k]!);
  }
  return total;
}

function distance(values: Float64Array, from: Float64Array): number {
  let squares = 0;
  for (let k = 0; k < values.length; k++) squares += (values[k]! - from[k]!) ** 2;
  return Math.sqrt(squares);
}

/** p - q, and 0 where both worlds are impossible and nothing can be said. */
function gap(p: number, q: number): number {
  return p === -Infinity && q === -Infinity ? 0 : p - q;
}

/**
 * ln p(release | present) / p(release | neighbour) for the events whose density is known, the
 * projection for the others: rounds of both kinds may be added up.
 */
function logLikelihoodRatio(release: Residual): number {
  const { values, present, neighbour, event } = release;
  switch (event.kind) {
    case "gaussian":
    case "discrete-gaussian":
      return alongChange(release) / event.sigma ** 2;
    case "subsampled-gaussian": {
      const { rate } = event.sampling;
      const ratio = alongChange(release) / event.sigma ** 2;
      // ln(1 - q + q e^ratio), from the side that does not overflow.
      return ratio > 0
        ? ratio + math.log(rate + (1 - rate) * math.exp(-ratio))
        : math.log1p(rate * math.expm1(ratio));
    }
    case "laplace":
      return contrast(release, Math.abs) / event.scale;
    case "spherical-laplace":
      return (distance(values, neighbour) - distance(values, present)) / event.scale;
    case "wishart":
      return gap(
        wishartLogDensity(values, present, event),
        wishartLogDensity(values, neighbour, event),
      );
    default:
      return projectionScore(release);
  }
}

const likelihoodRatio: Attack = { name: "likelihood-ratio", score: logLikelihoodRatio };

/** The release along the direction in which the worlds differ, in units of the noise. */
function projectionScore(release: Residual): number {
  return alongChange(release) / noiseScaleOf(release.event) ** 2;
}

const projection: Attack = { name: "projection", score: projectionScore };

/** Whether S - C is in the cone of the noise: outside of it, a world is impossible with certainty. */
const support: Attack = {
  name: "support",
  score: ({ values, present, neighbour, event }) => {
    if (event.kind !== "wishart") return 0;
    const possible = (from: Float64Array) =>
      wishartLogDensity(values, from, event) === -Infinity ? -Infinity : 0;
    return gap(possible(present), possible(neighbour));
  },
};

/** The scale of an event's noise: sigma, v or the Laplace scale; 1 where it has none. */
export function noiseScaleOf(event: PrivacyEvent): number {
  if ("sigma" in event) return event.sigma;
  return "scale" in event ? event.scale : 1;
}

/** The attacks worth trying on a release with this event. */
export function attacksOn(event: PrivacyEvent): readonly Attack[] {
  switch (event.kind) {
    case "wishart":
      return [support, likelihoodRatio];
    case "two-sided-wishart":
    case "pure":
      return [projection];
    default:
      return [likelihoodRatio];
  }
}

/** Adds up the scores of independent rounds; a proof in any round is a proof. */
export class ScoreSum {
  #finite = 0;
  #proofs = 0;

  add(score: number): void {
    if (Number.isFinite(score)) this.#finite += score;
    else this.#proofs += Math.sign(score);
  }

  /** The sum; contradicting proofs, which only a wrong guess of the contributions gives, cancel. */
  get value(): number {
    return this.#proofs === 0 ? this.#finite : this.#proofs * Infinity;
  }
}
