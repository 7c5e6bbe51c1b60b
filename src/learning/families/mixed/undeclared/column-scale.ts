/**
 * Magnitude, location and spread of one column as votes on them come in.
 * @module
 */
import { log } from "../../../../core/elementary.js";
import type { Room } from "../../../../linalg/room.js";
import { locationVote } from "./location-code.js";
import { electedLocation, type Located } from "./location-election.js";
import { differenceBelief, magnitudeBelief, spreadBelief } from "./scale-beliefs.js";
import { elected, shapesOf, type NoisyVotes } from "../../../votes/election.js";
import { MAGNITUDE, magnitudePosition, vote } from "../../../votes/size-votes.js";
import { LARGER, magnitudeAt, SPREAD, spreadAt, spreadPosition } from "./scale-votes.js";

/** What is voted on: the first three in this order, or the size of differences within tasks. */
export type ScaleFigure = "magnitudes" | "locations" | "spreads" | "differences";

/** What is concluded of a column from a sum of votes, in numbers: what they are is `ColumnScale`'s matter. */
export type Concluded = readonly [number, number, number];
export const CONCLUDED = 3;

/**
 * Whose size is taken for all: that of tasks so many standard deviations of the logarithm above the middle. Of differences it is the
 * middle's, which made labels' effects less too small, and changed no error for the worse.
 */
const UPPER = 0.8;

/** Bins by which a magnitude is too large where everything lies at its location. */
const TOO_LARGE = 3;

/** A height that is no noise, in deviations of it: noise alone is as high on one scale in 20, over all its shapes. */
const CLEAR = 3;

/** Of a place's doubt: effects of columns with more had errors of up to hundreds of their standard errors, with less few did. */
const MOST_DOUBT = 0.05;

/** What is known before anything is received. */
const NOWHERE: Located = { center: 0, level: 0, doubt: 1 };

export class ColumnScale {
  #votes: (NoisyVotes & { readonly position: number }) | undefined;
  #magnitude = 0;
  #located = NOWHERE;
  /** Once the spreads, or the differences, are received. */
  spread = 0;
  /** How far off that may be: standard deviation of its logarithm. */
  unsure = 0;

  /** Once a location is received. */
  get center(): number {
    return this.#located.center;
  }

  /** Probability that the values lie elsewhere than the votes on locations say. */
  get doubt(): number {
    return this.#located.doubt;
  }

  /** Whether the votes left open where the values lie; where they are not asked, it is not needed. */
  get unplaced(): boolean {
    return this.#votes !== undefined && this.doubt > MOST_DOUBT;
  }

  /** A task's vote, in that room; undefined where its values say nothing. */
  voteOn(about: ScaleFigure, values: Float64Array, room: Room): Float64Array | undefined {
    if (about === "locations") return locationVote(values, this.#magnitude, room);
    const spreads = about === "spreads";
    const position = spreads
      ? spreadPosition(distance(values, this.center), this.#magnitude)
      : magnitudePosition(distance(values, 0));
    if (Number.isNaN(position)) return undefined;
    const bins = spreads ? SPREAD : MAGNITUDE;
    return vote(bins, position, room.take(bins.bins));
  }

  /** What a noisy sum of votes says of this column: numbers for `take`. Nothing is kept of it. */
  conclusion(about: ScaleFigure, votes: NoisyVotes): Concluded {
    if (about === "magnitudes") {
      const { position, apart } = elected(shapesOf(MAGNITUDE), votes, magnitudeBelief);
      return [position, magnitudeAt(position + UPPER * apart), 0];
    }
    if (about === "differences") {
      const { position, doubt } = elected(shapesOf(MAGNITUDE), votes, differenceBelief);
      return [position, magnitudeAt(position) / LARGER, doubt * log(4)];
    }
    if (about === "locations") {
      const { center, level, doubt } = electedLocation(votes, this.#magnitude);
      return [center, level, doubt];
    }
    return this.#spreadOf(votes);
  }

  /** Goes on from a conclusion, whoever has drawn it. */
  take(about: ScaleFigure, votes: NoisyVotes, [figure, other, doubt]: Concluded): void {
    if (about !== "locations") this.unsure = doubt;
    if (about === "magnitudes") {
      this.#votes = { ...votes, counts: votes.counts.slice(), position: figure };
      this.#magnitude = other;
    } else if (about === "differences") {
      this.spread = other;
      // Differences lie around zero, wherever the values do.
      this.#votes = undefined;
      this.#located = NOWHERE;
    } else if (about === "locations") {
      this.#located = { center: figure, level: other, doubt };
    } else {
      this.spread = figure;
      if (other === 1) this.#located = NOWHERE;
    }
  }

  /** The spread, 1 where the location says nothing, and how far off the spread may be. */
  #spreadOf(votes: NoisyVotes): Concluded {
    const belief = (position: number) => spreadBelief(position, this.#located.level);
    const { position, apart, height, doubt } = elected(shapesOf(SPREAD), votes, belief);
    const seen = height > CLEAR * votes.deviation;
    const lower = seen ? undefined : this.#lowerMagnitude();
    if (lower !== undefined) return [lower.size / LARGER, 1, lower.doubt * log(4)];
    const spread = spreadAt(Math.max(position - UPPER * apart, 0), this.#magnitude);
    return [spread, 0, doubt * log(2)];
  }

  /**
   * The magnitude that stands out of the noise far below the elected one. Where no spread does, all tasks' values lie at the
   * location, as they do if noise elected a magnitude that is far too large.
   */
  #lowerMagnitude(): { readonly size: number; readonly doubt: number } | undefined {
    const votes = this.#votes!;
    const below = shapesOf(MAGNITUDE).filter((one) => one.position <= votes.position - TOO_LARGE);
    if (below.length === 0) return undefined;
    const found = elected(below, votes, magnitudeBelief);
    if (found.height <= CLEAR * votes.deviation) return undefined;
    return { size: magnitudeAt(found.position + UPPER * found.apart), doubt: found.doubt };
  }
}

/** Root mean square distance from a point; NaN of no values. */
function distance(values: Float64Array, point: number): number {
  let sum = 0;
  const { length } = values;
  for (let k = 0; k < length; k++) sum += (values[k]! - point) ** 2;
  return Math.sqrt(sum / length);
}
