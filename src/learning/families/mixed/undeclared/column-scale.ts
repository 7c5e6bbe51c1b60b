/**
 * Magnitude, location and spread of one column as votes on them come in.
 * @module
 */
import { log } from "../../../../core/elementary.js";
import type { Room } from "../../../../linalg/room.js";
import {
  CLEAR,
  differencesIn,
  FAR_DIFFERENCE,
  FAR_SPREAD,
  FINE_LEVEL,
  isMissed,
  spreadsIn,
  twofoldVote,
} from "./far-columns.js";
import { locationVote } from "./location-code.js";
import { electedLocation, type Located } from "./location-election.js";
import { differenceBelief, magnitudeBelief, spreadBelief } from "./scale-beliefs.js";
import { elected, shapesOf, type Elected, type NoisyVotes } from "../../../votes/election.js";
import {
  MAGNITUDE,
  magnitudePosition,
  sizeAt,
  vote,
  type VoteBins,
} from "../../../votes/size-votes.js";
import { LARGER, magnitudeAt, SPREAD, spreadAt, spreadPosition } from "./scale-votes.js";

/**
 * What is voted on: the first three in this order, or the size of differences within tasks, or that beside the spreads, of the columns
 * that were found on fine digits.
 */
export type ScaleFigure =
  "magnitudes" | "locations" | "spreads" | "spreads and differences" | "differences";

/** What is concluded of a column from a sum of votes, in numbers: what they are is `ColumnScale`'s matter. */
export type Concluded = readonly number[];
/** How many these are, at most. */
export const CONCLUDED = 8;

/**
 * Whose size is taken for all: that of tasks so many standard deviations of the logarithm above the middle. Of differences it is the
 * middle's, which made labels' effects less too small, and changed no error for the worse.
 */
const UPPER = 0.8;

/** Bins by which a magnitude is too large where everything lies at its location. */
const TOO_LARGE = 3;

/**
 * Of a place's doubt: effects of columns with more had errors of up to hundreds of their standard errors, with less few did. Of a size's, where errors
 * are up to 1e7 of them: with less one effect by differences in 350 was off by more than four, with up to .05 one in 130.
 */
const MOST_DOUBT = { place: 0.05, size: 0.02 } as const;

/**
 * Where a fit turns to differences on which a column was not voted: a spread is about so many of these, up to a factor
 * whose logarithm has that deviation.
 */
const GUESS = { spread: 1.5, unsure: log(2) } as const;

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
  /** Probability that votes on magnitudes, and those on the spread after them, say another size than the tasks'. */
  #far = { magnitude: 0, spread: 0 };

  /** Whether the votes on differences say that the place is none of the values'. */
  missed = false;
  /** Size of differences, and how far off it may be, once it is known beside a spread. */
  #difference = { size: 0, unsure: 0, far: 0 };

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
    return this.#votes !== undefined && this.doubt > MOST_DOUBT.place;
  }

  /**
   * Whether the votes left open how large the column is. Where noise elected a size that is far too large the effect of a unit of it is held near
   * zero by the prior, which would be stated as if it were known.
   */
  get unsized(): boolean {
    return this.#far.magnitude + this.#far.spread > MOST_DOUBT.size;
  }

  /** A task's vote, in that room; undefined where its values say nothing. */
  voteOn(about: ScaleFigure, values: Float64Array, room: Room): Float64Array | undefined {
    if (about === "locations") return locationVote(values, this.#magnitude, room);
    if (about === "spreads") return this.#voteOnSpreads(SPREAD, values, room);
    if (about === "spreads and differences") {
      if (!this.#fine) return this.#voteOnSpreads(SPREAD, values, room);
      const spreads = this.#voteOnSpreads(FAR_SPREAD, values, room);
      return twofoldVote(spreads, values, this.#magnitude, room);
    }
    return voteAt(MAGNITUDE, magnitudePosition(distance(values, 0)), room);
  }

  #voteOnSpreads(scale: VoteBins, values: Float64Array, room: Room): Float64Array | undefined {
    const position = spreadPosition(distance(values, this.center), this.#magnitude, scale);
    return voteAt(scale, position, room);
  }

  /** What a noisy sum of votes says of this column: numbers for `take`. Nothing is kept of it. */
  conclusion(about: ScaleFigure, votes: NoisyVotes): Concluded {
    if (about === "magnitudes") {
      const { position, apart, far } = elected(shapesOf(MAGNITUDE), votes, magnitudeBelief);
      return [position, magnitudeAt(position + UPPER * apart), 0, far];
    }
    if (about === "differences") {
      const { position, doubt, far } = elected(shapesOf(MAGNITUDE), votes, differenceBelief);
      return [position, magnitudeAt(position) / LARGER, doubt * log(4), far];
    }
    if (about === "locations") {
      const { center, level, doubt } = electedLocation(votes, this.#magnitude);
      return [center, level, doubt];
    }
    return about === "spreads" ? this.#spreadIn(votes) : this.#twofold(votes);
  }

  /** Whether the column was found on fine digits. */
  get #fine(): boolean {
    return this.#located.level >= FINE_LEVEL;
  }

  /** Goes on from a conclusion, whoever has drawn it. */
  take(about: ScaleFigure, votes: NoisyVotes, concluded: Concluded): void {
    const [figure = 0, other = 0, doubt = 0, far = 0, ...twofold] = concluded;
    if (about !== "locations") this.unsure = doubt;
    if (about === "magnitudes") {
      this.#votes = { ...votes, counts: votes.counts.slice(), position: figure };
      this.#magnitude = other;
      this.#far = { magnitude: far, spread: 0 };
    } else if (about === "differences") {
      this.spread = other;
      this.#far = { magnitude: 0, spread: far };
      // Differences lie around zero, wherever the values do.
      this.#votes = undefined;
      this.#located = NOWHERE;
    } else if (about === "locations") {
      this.#located = { center: figure, level: other, doubt };
    } else {
      this.spread = figure;
      this.#far = { ...this.#far, spread: far };
      if (about !== "spreads") {
        const [missed = 0, size = 0, unsure = 0, farther = 0] = twofold;
        this.missed = missed === 1;
        this.#difference = { size, unsure, far: farther };
      }
      if (other === 1) this.#located = NOWHERE;
    }
  }

  /** Goes on with differences, whose size votes beside those on spreads told. */
  takeDifferences(): void {
    const { size, unsure, far } = this.#difference;
    [this.spread, this.unsure] = [size, unsure];
    this.#far = { ...this.#far, spread: far };
    this.#votes = undefined;
    this.#located = NOWHERE;
  }

  /** The spread, whether the place is missed, and the size of differences, with its doubt and how likely it is another. */
  #twofold(votes: NoisyVotes): Concluded {
    if (!this.#fine) {
      const own = this.#spreadIn(votes);
      const [spread = 0, , doubt = 0, far = 0] = own;
      const unsure = Math.sqrt(doubt ** 2 + GUESS.unsure ** 2);
      return [...own, 0, spread / GUESS.spread, unsure, far];
    }
    const spreads = spreadsIn(votes);
    const distances = this.#electedSpread(FAR_SPREAD, spreads);
    const own = this.#spreadOf(distances, spreads);
    const sizeOf = (position: number) => this.#magnitude * sizeAt(position, FAR_DIFFERENCE);
    const belief = (position: number) => differenceBelief(magnitudePosition(sizeOf(position)));
    const apart = elected(shapesOf(FAR_DIFFERENCE), differencesIn(votes), belief);
    const size = sizeOf(apart.position);
    const missed = isMissed(distances, apart, own[0]! / size, votes.deviation);
    return [...own, Number(missed), size, apart.doubt * log(4), apart.far];
  }

  #electedSpread(scale: VoteBins, votes: NoisyVotes): Elected {
    const belief = (position: number) => spreadBelief(position, this.#located.level);
    return elected(shapesOf(scale), votes, belief);
  }

  /** What votes on spreads alone say. */
  #spreadIn(votes: NoisyVotes): Concluded {
    return this.#spreadOf(this.#electedSpread(SPREAD, votes), votes);
  }

  /** The spread, 1 where the location says nothing, how far off the spread may be, and how likely it is another. */
  #spreadOf({ position, apart, height, doubt, far }: Elected, votes: NoisyVotes): Concluded {
    const seen = height > CLEAR * votes.deviation;
    const lower = seen ? undefined : this.#lowerMagnitude();
    if (lower !== undefined) return [lower.size / LARGER, 1, lower.doubt * log(4), lower.far];
    const spread = spreadAt(Math.max(position - UPPER * apart, 0), this.#magnitude);
    return [spread, 0, doubt * log(2), far];
  }

  /**
   * The magnitude that stands out of the noise far below the elected one. Where no spread does, all tasks' values lie at the
   * location, as they do if noise elected a magnitude that is far too large.
   */
  #lowerMagnitude(): (Pick<Elected, "doubt" | "far"> & { readonly size: number }) | undefined {
    const votes = this.#votes!;
    const below = shapesOf(MAGNITUDE).filter((one) => one.position <= votes.position - TOO_LARGE);
    if (below.length === 0) return undefined;
    const found = elected(below, votes, magnitudeBelief);
    if (found.height <= CLEAR * votes.deviation) return undefined;
    const { position, apart, doubt, far } = found;
    return { size: magnitudeAt(position + UPPER * apart), doubt, far };
  }
}

/** A vote at a position, where there is one. */
function voteAt(scale: VoteBins, position: number, room: Room): Float64Array | undefined {
  return Number.isNaN(position) ? undefined : vote(scale, position, room.take(scale.bins));
}

/** Root mean square distance from a point; NaN of no values. */
function distance(values: Float64Array, point: number): number {
  let sum = 0;
  const { length } = values;
  for (let k = 0; k < length; k++) sum += (values[k]! - point) ** 2;
  return Math.sqrt(sum / length);
}
