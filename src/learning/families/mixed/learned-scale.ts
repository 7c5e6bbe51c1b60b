/**
 * Size and location of columns that nobody declared: charged releases of votes before the others.
 *
 * All such columns, the target among them, vote at once: first on their magnitude, then on their location, then on
 * their spread around it. They count if the noise of a count is at most .31 m; where the public sizes say that it
 * would be more, nothing is spent and the caller is told to declare ranges. Where the budget has room, the location is looked for
 * in ever narrower windows, for columns such as years, which lie far from zero and close together.
 * @module
 */
import { OptionError } from "../../../core/index.js";
import type { CommonWork } from "../../round/common-work.js";
import type { MixedExchange, MixedModels, MixedRelease } from "./exchange.js";
import { ColumnScale, type ScaleFigure } from "./column-scale.js";
import { shapesOf } from "./scale-election.js";
import { LOCATION, MAGNITUDE, spreadBins, vote, type VoteBins } from "./scale-votes.js";
import type { TaskRows } from "./task-spectrum.js";
import { inUnits, modelsFromUnits, type Units } from "./units.js";

/** Part of mu^2 for all votes: what makes the noise small, but at least and at most. */
const PART = { least: 0.06, most: 0.3 } as const;

/** Noise of a count, as a part of m: what is aimed at, and the most at which votes are asked for. */
const COUNT_NOISE = { aimed: 0.15, most: 0.31 } as const;

/** Windows of the location, one after the other, where a part of the budget makes noise as small as that, and where not. */
const WINDOWS = { many: 3, one: 1, room: { part: 0.1, noise: 0.08 } } as const;

/** The votes of a run. */
export interface ScaleVotes {
  readonly columns: number;
  /** Part of mu^2 that they take. */
  readonly part: number;
  /** Windows in which the location is looked for. */
  readonly windows: number;
}

/** A release of votes. */
interface VoteRelease {
  readonly about: ScaleFigure;
  readonly scale: VoteBins;
  /** Part of the budget, beside those of the others. */
  readonly weight: number;
}

/** A magnitude that is wrong spoils the votes after it. */
const MAGNITUDE_WEIGHT = 1.5;

function votesOf(windows: number): VoteRelease[] {
  const location = { about: "locations", scale: LOCATION, weight: 1 } as const;
  return [
    { about: "magnitudes", scale: MAGNITUDE, weight: MAGNITUDE_WEIGHT },
    ...Array.from({ length: windows }, () => location),
    { about: "spreads", scale: spreadBins(windows), weight: 1 },
  ];
}

const weightOf = (votes: readonly VoteRelease[]) =>
  votes.reduce((sum, { weight }) => sum + weight, 0);

/**
 * The votes for so many columns, by what they take of the budget mu.
 * @throws OptionError where they would be lost in their noise.
 */
export function scaleVotes(columns: number, m: number, mu: number): ScaleVotes {
  if (columns === 0) return { columns, part: 0, windows: 0 };
  const partFor = (noise: number, windows: number) =>
    weightOf(votesOf(windows)) * ((2 * columns) / (mu * noise * m) ** 2);
  if (partFor(COUNT_NOISE.most, WINDOWS.one) > PART.most) {
    throw new OptionError(
      `epsilon: at this budget ${m} tasks are too few to learn the size of ${columns} columns that nobody declared ` +
        "(the target may be one of them). Declare their ranges, which costs nothing (--ranges FILE, which inspect " +
        '--out drafts; a schema in code), or, if they are of about unit size, say so: scale: "unit" (--scale unit).',
    );
  }
  const room = partFor(WINDOWS.room.noise, WINDOWS.many) <= WINDOWS.room.part;
  const windows = room ? WINDOWS.many : WINDOWS.one;
  const aimed = partFor(COUNT_NOISE.aimed, windows);
  return { columns, windows, part: Math.min(Math.max(aimed, PART.least), PART.most) };
}

/** The releases of the votes. */
export function scaleReleases({ columns, part, windows }: ScaleVotes): MixedRelease[] {
  if (columns === 0) return [];
  const votes = votesOf(windows);
  const whole = weightOf(votes);
  return votes.map(({ about, scale, weight }) => ({
    ...{ label: `scale: ${about}`, statistic: "moment", length: columns * scale.bins },
    fraction: (part * weight) / whole,
  }));
}

/** What is known of the columns beforehand. */
export interface KnownScale {
  /** Positions of those that nobody declared, d standing for the target. */
  readonly columns: readonly number[];
  readonly votes: ScaleVotes;
  /** Of the others. */
  readonly known: Units;
  /** Size that the exchange gives to what was brought to [-1, 1]. */
  readonly rangeSize: number;
}

/** Values lie within two spreads of their location: a column of spread 1/2 is like one brought to [-1, 1]. */
const TYPICAL = 0.5;

/** Votes, then the exchange of the rows in the units that were voted for. */
export class LearnedScaleExchange implements MixedExchange {
  readonly #rows: TaskRows;
  readonly #columns: readonly number[];
  readonly #votes: readonly VoteRelease[];
  readonly #make: (rows: TaskRows, units: Units) => MixedExchange;
  readonly #d: number;
  readonly #scales: readonly ColumnScale[];
  readonly #size: number;
  #units: Units;
  #inner: MixedExchange | undefined;

  /** @param make the exchange of rows in units. */
  constructor(
    rows: TaskRows,
    { columns, votes, known, rangeSize }: KnownScale,
    make: (rows: TaskRows, units: Units) => MixedExchange,
  ) {
    this.#rows = rows;
    this.#columns = columns;
    this.#votes = columns.length > 0 ? votesOf(votes.windows) : [];
    this.#d = known.centers.length;
    this.#units = known;
    this.#size = rangeSize / TYPICAL;
    this.#make = make;
    this.#scales = columns.map(() => new ColumnScale());
    if (columns.length === 0) this.#inner = make(inUnits(known, rows), known);
  }

  /** The units, once they are known. */
  get units(): Units {
    return this.#units;
  }

  upload(release: number): Float64Array {
    const votes = this.#votes[release];
    if (!votes) return this.#inner!.upload(release - this.#votes.length);
    const { about, scale } = votes;
    const { bins } = scale;
    const k = this.#columns.length;
    const m = this.#rows.offsets.length - 1;
    const out = new Float64Array(m * k * bins);
    for (let i = 0; i < m; i++) {
      this.#columns.forEach((place, column) => {
        const values = this.#valuesOf(i, place);
        const position = this.#scales[column]!.positionOf(about, scale, values);
        if (Number.isNaN(position)) return;
        const own = vote(scale, position).map((x) => x / Math.sqrt(k));
        out.set(own, (i * k + column) * bins);
      });
    }
    return out;
  }

  common(release: number): CommonWork | undefined {
    const votes = this.#votes.length;
    return release < votes ? undefined : this.#inner!.common?.(release - votes);
  }

  #valuesOf(task: number, column: number): Float64Array {
    const { x, y, offsets } = this.#rows;
    const [from, to] = [offsets[task]!, offsets[task + 1]!];
    if (column === this.#d - 1) return y.subarray(from, to);
    return Float64Array.from(
      { length: to - from },
      (_, row) => x[(from + row) * this.#d + column]!,
    );
  }

  receive(release: number, sum: Float64Array, deviation: number): void {
    const votes = this.#votes[release];
    if (!votes) {
      this.#inner!.receive(release - this.#votes.length, sum, deviation);
      return;
    }
    const { about, scale } = votes;
    const { bins } = scale;
    const shapes = shapesOf(scale);
    this.#scales.forEach((own, column) => {
      const counts = sum.subarray(column * bins, (column + 1) * bins);
      own.receive(about, { shapes, counts, deviation });
    });
    if (about !== "spreads") return;
    this.#units = this.#decided();
    this.#inner = this.#make(inUnits(this.#units, this.#rows), this.#units);
  }

  /** The units by the votes, with those of the columns that need none. */
  #decided(): Units {
    const centers = this.#units.centers.slice();
    const sizes = this.#units.sizes.slice();
    let { targetCenter, targetSize } = this.#units;
    this.#columns.forEach((at, column) => {
      const { center, spread } = this.#scales[column]!;
      const size = this.#size * spread;
      if (at === this.#d - 1) [targetCenter, targetSize] = [center, size];
      else [centers[at], sizes[at]] = [center, size];
    });
    return { centers, sizes, targetCenter, targetSize };
  }

  solve(): MixedModels {
    return modelsFromUnits(this.#units, this.#inner!.solve());
  }
}
