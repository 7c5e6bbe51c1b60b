/**
 * Magnitude, location and spread of one column as votes on them come in.
 * @module
 */
import { elected, type Shape } from "./scale-election.js";
import {
  LARGER,
  locationAt,
  locationPosition,
  magnitudeAt,
  magnitudePosition,
  narrower,
  spreadAt,
  spreadPosition,
  type VoteBins,
  type Window,
} from "./scale-votes.js";

/** What is voted on, in this order. */
export type ScaleFigure = "magnitudes" | "locations" | "spreads";

/** Whose size is taken for all: that of tasks so many standard deviations of the logarithm above the middle. */
const UPPER = 0.8;

/** Bins by which a magnitude is too large where everything lies at its location. */
const TOO_LARGE = 3;

/** A height that is no noise, in deviations of it: noise alone is as high on one scale in 20, over all its shapes. */
const CLEAR = 3;

/** A noisy sum of votes on one column, and what it may look like. */
interface Votes {
  readonly shapes: readonly Shape[];
  readonly counts: Float64Array;
  readonly deviation: number;
}

export class ColumnScale {
  #onMagnitude: { readonly votes: Votes; readonly position: number } | undefined;
  #magnitude = 0;
  #window: Window = { center: 0, half: 0 };
  /** Once the spreads are received. */
  spread = 0;

  /** Once a location is received. */
  get center(): number {
    return this.#window.center;
  }

  /** Where a task's values stand on the scale of the next votes; NaN where they say nothing. */
  positionOf(about: ScaleFigure, scale: VoteBins, values: Float64Array): number {
    if (about === "magnitudes") return magnitudePosition(distance(values, 0));
    if (about === "locations") return locationPosition(mean(values), this.#window);
    return spreadPosition(distance(values, this.center), this.#magnitude, scale);
  }

  /** Takes a noisy sum of votes. */
  receive(about: ScaleFigure, votes: Votes): void {
    const { shapes, counts, deviation } = votes;
    const found = elected(shapes, counts, deviation);
    const { position, apart } = found;
    if (about === "magnitudes") {
      this.#onMagnitude = { votes: { ...votes, counts: counts.slice() }, position };
      this.#magnitude = magnitudeAt(position + UPPER * apart);
      this.#window = { center: 0, half: this.#magnitude };
    } else if (about === "locations") {
      this.#window = narrower(locationAt(position, this.#window), this.#window);
    } else {
      const seen = found.height > CLEAR * deviation;
      const lower = seen ? undefined : this.#lowerMagnitude();
      if (lower === undefined) {
        this.spread = spreadAt(Math.max(position - UPPER * apart, 0), this.#magnitude);
      } else {
        this.#window = { center: 0, half: lower };
        this.spread = lower / LARGER;
      }
    }
  }

  /**
   * The magnitude that stands out of the noise far below the elected one. Where no spread does, all tasks' values lie at the
   * location, as they do if noise elected a magnitude that is far too large.
   */
  #lowerMagnitude(): number | undefined {
    const { votes, position } = this.#onMagnitude!;
    const { shapes, counts, deviation } = votes;
    const below = shapes.filter((shape) => shape.position <= position - TOO_LARGE);
    if (below.length === 0) return undefined;
    const found = elected(below, counts, deviation);
    if (found.height <= CLEAR * deviation) return undefined;
    return magnitudeAt(found.position + UPPER * found.apart);
  }
}

const mean = (values: Float64Array) =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/** Root mean square distance from a point. */
const distance = (values: Float64Array, point: number) =>
  Math.sqrt(values.reduce((sum, value) => sum + (value - point) ** 2, 0) / values.length);
