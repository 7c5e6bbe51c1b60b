/**
 * Size and location of columns that nobody declared: three charged releases of votes before the others.
 *
 * All such columns, the target among them, vote at once: first on their magnitude, then on their location, then on
 * their spread around it. They count if the noise of a count is at most .27 m; where the public sizes say that it
 * would be more, nothing is spent and the caller is told to declare ranges.
 * @module
 */
import { OptionError } from "../../../core/index.js";
import type { CommonWork } from "../../round/common-work.js";
import type { MixedExchange, MixedModels, MixedRelease } from "./exchange.js";
import {
  elected,
  LOCATION,
  locationAt,
  locationPosition,
  MAGNITUDE,
  magnitudeAt,
  magnitudePosition,
  SPREAD,
  spreadAt,
  spreadPosition,
  vote,
  type VoteBins,
} from "./scale-votes.js";
import type { TaskRows } from "./task-spectrum.js";
import { inUnits, modelsFromUnits, type Units } from "./units.js";

/** The releases, in order. */
const VOTES: readonly { readonly label: string; readonly scale: VoteBins }[] = [
  { label: "scale: magnitudes", scale: MAGNITUDE },
  { label: "scale: locations", scale: LOCATION },
  { label: "scale: spreads", scale: SPREAD },
];

/** Part of mu^2 for them: what makes the noise small, but at least and at most. */
const PART = { least: 0.06, most: 0.3 } as const;

/** Noise of a count, as a part of m: what is aimed at, and the most at which votes are asked for. */
const COUNT_NOISE = { aimed: 0.2, most: 0.27 } as const;

/** What the votes take of the budget, mu^2, for so many columns. */
export function votesPart(columns: number, m: number, mu: number): number {
  if (columns === 0) return 0;
  const partFor = (noise: number) => VOTES.length * ((2 * columns) / (mu * noise * m) ** 2);
  if (partFor(COUNT_NOISE.most) > PART.most) {
    throw new OptionError(
      `epsilon: at this budget ${m} tasks are too few to learn the size of ${columns} columns that nobody declared ` +
        "(the target may be one of them). Declare their ranges, which costs nothing (--ranges FILE, which inspect " +
        '--out drafts; a schema in code), or, if they are of about unit size, say so: scale: "unit" (--scale unit).',
    );
  }
  return Math.min(Math.max(partFor(COUNT_NOISE.aimed), PART.least), PART.most);
}

/** The releases of the votes. */
export function scaleReleases(columns: number, part: number): MixedRelease[] {
  if (columns === 0) return [];
  return VOTES.map(({ label, scale }) => ({
    ...{ label, statistic: "moment", length: columns * scale.bins },
    fraction: part / VOTES.length,
  }));
}

/** What is known of the columns beforehand. */
export interface KnownScale {
  /** Positions of those that nobody declared, d standing for the target. */
  readonly columns: readonly number[];
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
  readonly #make: (rows: TaskRows, units: Units) => MixedExchange;
  readonly #d: number;
  readonly #magnitudes: Float64Array;
  readonly #locations: Float64Array;
  readonly #size: number;
  #units: Units;
  #inner: MixedExchange | undefined;

  /** @param make the exchange of rows in units. */
  constructor(
    rows: TaskRows,
    { columns, known, rangeSize }: KnownScale,
    make: (rows: TaskRows, units: Units) => MixedExchange,
  ) {
    this.#rows = rows;
    this.#columns = columns;
    this.#d = known.centers.length;
    this.#units = known;
    this.#size = rangeSize / TYPICAL;
    this.#make = make;
    this.#magnitudes = new Float64Array(columns.length);
    this.#locations = new Float64Array(columns.length);
    if (columns.length === 0) this.#inner = make(inUnits(known, rows), known);
  }

  /** The units, once they are known. */
  get units(): Units {
    return this.#units;
  }

  get #votes(): number {
    return this.#columns.length === 0 ? 0 : VOTES.length;
  }

  upload(release: number): Float64Array {
    if (release >= this.#votes) return this.#inner!.upload(release - this.#votes);
    const { scale } = VOTES[release]!;
    const k = this.#columns.length;
    const m = this.#rows.offsets.length - 1;
    const out = new Float64Array(m * k * scale.bins);
    for (let i = 0; i < m; i++) {
      this.#columns.forEach((_, column) => {
        const position = this.#position(release, i, column);
        if (!Number.isFinite(position)) return;
        const own = vote(scale, position).map((x) => x / Math.sqrt(k));
        out.set(own, (i * k + column) * scale.bins);
      });
    }
    return out;
  }

  common(release: number): CommonWork | undefined {
    return release < this.#votes ? undefined : this.#inner!.common?.(release - this.#votes);
  }

  /** Where a task's figure stands; NaN where it has none. */
  #position(release: number, task: number, column: number): number {
    const [magnitude, location] = [this.#magnitudes[column]!, this.#locations[column]!];
    const values = this.#valuesOf(task, this.#columns[column]!);
    const { mean, rms } = figuresOf(values, release === 2 ? location : 0);
    if (release === 0) return magnitudePosition(rms);
    if (release === 1) return locationPosition(mean, magnitude);
    return spreadPosition(rms, magnitude);
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
    if (release >= this.#votes) {
      this.#inner!.receive(release - this.#votes, sum, deviation);
      return;
    }
    const { scale } = VOTES[release]!;
    const positions = this.#columns.map((_, column) =>
      elected(scale, sum.subarray(column * scale.bins, (column + 1) * scale.bins)),
    );
    positions.forEach((position, column) => {
      const magnitude = this.#magnitudes[column]!;
      if (release === 0) this.#magnitudes[column] = magnitudeAt(position);
      else if (release === 1) this.#locations[column] = locationAt(position, magnitude);
    });
    if (release < 2) return;
    this.#units = this.#decided(positions);
    this.#inner = this.#make(inUnits(this.#units, this.#rows), this.#units);
  }

  /** The units by the votes, with those of the columns that need none. */
  #decided(positions: readonly number[]): Units {
    const centers = this.#units.centers.slice();
    const sizes = this.#units.sizes.slice();
    let { targetCenter, targetSize } = this.#units;
    this.#columns.forEach((at, column) => {
      const size = this.#size * spreadAt(positions[column]!, this.#magnitudes[column]!);
      if (at === this.#d - 1) [targetCenter, targetSize] = [this.#locations[column]!, size];
      else [centers[at], sizes[at]] = [this.#locations[column]!, size];
    });
    return { centers, sizes, targetCenter, targetSize };
  }

  solve(): MixedModels {
    return modelsFromUnits(this.#units, this.#inner!.solve());
  }
}

/** Mean, and root mean square distance from a point. */
function figuresOf(values: Float64Array, point: number) {
  const n = values.length;
  const mean = values.reduce((sum, value) => sum + value, 0) / n;
  const square = values.reduce((sum, value) => sum + (value - point) ** 2, 0) / n;
  return { mean, rms: Math.sqrt(square) };
}
