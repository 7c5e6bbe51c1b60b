/**
 * Size and location of columns that nobody declared: charged releases of votes before the others.
 *
 * All such columns, the target among them, vote at once: first on their magnitude, then on their location, then on
 * their spread around it; or once, on the size of differences within tasks (`scale-plan.ts`). Where the votes on locations leave these open,
 * the third is on differences. In both cases the rows are their differences from then on. Which it is follows from releases and public sizes,
 * so that all tasks conclude the same.
 * @module
 */
import { Room } from "../../../../linalg/room.js";
import type { CommonWork } from "../../../round/common-work.js";
import type { MixedExchange, MixedModels } from "../exchange.js";
import type { ScaleFigure } from "./column-scale.js";
import type { Differences } from "./differences.js";
import type { ScalePlan, VoteRelease } from "./scale-plan.js";
import type { TaskRows } from "../spectra/task-spectrum.js";
import { inUnits, type Units } from "../units/units.js";
import { modelsFromUnits } from "../units/change-units.js";
import { UploadRoom } from "../upload-room.js";
import { VotedColumns } from "./voted-columns.js";

/** What is known of the columns beforehand. */
export interface KnownScale {
  /** Positions of those that nobody declared, d standing for the target. */
  readonly columns: readonly number[];
  /** What is voted on. */
  readonly plan: ScalePlan;
  /** The units of the columns that were not voted on. */
  readonly known: Units;
  /** Size that the exchange gives to what was brought to [-1, 1]. */
  readonly rangeSize: number;
}

/** Rows as differences within tasks, where the plan says so or the votes leave open where columns lie. */
export interface WithinTasks {
  /** Ascending positions of coordinates that are the same in all rows of a task; the constant is the last. */
  readonly untold: readonly number[];
  differences(): Differences;
}

/** Values lie within two spreads of their location: a column of spread 1/2 is like one brought to [-1, 1]. */
const TYPICAL = 0.5;

/**
 * The target's part of what tasks say of differences: where its size is wrong so is everything that is shared, where a feature's is wrong
 * little else.
 */
const TARGET_PART = 3;

/** Votes, then the exchange of the rows in the units that were voted for. */
export class LearnedScaleExchange implements MixedExchange {
  #rows: TaskRows;
  readonly #columns: readonly number[];
  readonly #votes: readonly VoteRelease[];
  readonly #openFrom: number;
  readonly #within: WithinTasks | undefined;
  #differences: Differences | undefined;
  readonly #make: (rows: TaskRows, units: Units) => MixedExchange;
  readonly #d: number;
  readonly #voted: VotedColumns;
  readonly #size: number;
  #units: Units;
  #inner: MixedExchange | undefined;
  /** Of votes. */
  #uploads = new UploadRoom();

  /**
   * @param make the exchange of rows in units, which have `untold` where the rows are differences within tasks.
   * @param within for plans that are on differences, or may turn to them; default: rows stay as they are.
   */
  constructor(
    rows: TaskRows,
    { columns, plan, known, rangeSize }: KnownScale,
    make: (rows: TaskRows, units: Units) => MixedExchange,
    within?: WithinTasks,
  ) {
    this.#rows = rows;
    this.#openFrom = plan.openFrom ?? Infinity;
    this.#within = within;
    this.#columns = columns;
    this.#votes = plan.votes;
    this.#d = known.centers.length;
    this.#units = known;
    this.#size = rangeSize / TYPICAL;
    this.#make = make;
    this.#voted = new VotedColumns(columns.length);
    if (plan.within) this.#takeDifferences();
    if (plan.votes.length === 0) this.#inner = make(inUnits(known, rows), known);
  }

  /** The units, once they are known. */
  get units(): Units {
    return this.#units;
  }

  upload(release: number): Float64Array {
    const votes = this.#votes[release];
    if (!votes) return this.#inner!.upload(release - this.#votes.length);
    const { bins } = votes;
    const about = this.#asked(votes);
    const k = this.#columns.length;
    const m = this.#rows.offsets.length - 1;
    const out = this.#uploads.take(m * k * bins);
    const parts = this.#columns.map((place) => this.#partOf(about, place));
    const whole = parts.reduce((sum, part) => sum + part, 0);
    const divisors = parts.map((part) => Math.sqrt(whole / part));
    const room = new Room();
    for (let i = 0; i < m; i++) {
      for (let column = 0; column < k; column++) {
        room.clear();
        const values = this.#valuesOf(i, this.#columns[column]!, room);
        const own = this.#voted.scales[column]!.voteOn(about, values, room);
        if (!own) continue;
        const at = (i * k + column) * bins;
        const divisor = divisors[column]!;
        // Spreads have fewer bins than what may be asked in their place.
        for (let b = 0; b < own.length; b++) out[at + b] = own[b]! / divisor;
      }
    }
    return out;
  }

  common(release: number): CommonWork | undefined {
    const votes = this.#votes.length;
    return release < votes ? this.#voted.conclusions() : this.#inner!.common?.(release - votes);
  }

  /** What a release is about, once nothing is left to conclude of those before it; where it is about differences, the rows are them from now on. */
  #asked({ about, otherwise }: VoteRelease): ScaleFigure {
    this.#voted.conclude();
    if (!otherwise || !this.#within) return about;
    if (!this.#differences && this.#voted.doubt > this.#openFrom) this.#takeDifferences();
    return this.#differences ? otherwise : about;
  }

  #takeDifferences(): void {
    const { differences, untold } = this.#within!;
    this.#differences = differences();
    this.#rows = this.#differences.rows;
    this.#units = { ...this.#units, untold };
  }

  /** A column's part of the squared norm of a task's votes, beside those of the others. */
  #partOf(about: ScaleFigure, column: number): number {
    return about === "differences" && column === this.#d - 1 ? TARGET_PART : 1;
  }

  #valuesOf(task: number, column: number, room: Room): Float64Array {
    const { x, y, offsets } = this.#rows;
    const [from, to] = [offsets[task]!, offsets[task + 1]!];
    const d = this.#d;
    if (column === d - 1) return y.subarray(from, to);
    const values = room.take(to - from);
    for (let row = 0; row < values.length; row++) values[row] = x[(from + row) * d + column]!;
    return values;
  }

  receive(release: number, sum: Float64Array, deviation: number): void {
    const votes = this.#votes[release];
    if (!votes) {
      this.#inner!.receive(release - this.#votes.length, sum, deviation);
      return;
    }
    this.#voted.receive(this.#asked(votes), sum, votes.bins, deviation);
    // The exchange of the rows is asked for its own common work next.
    if (release < this.#votes.length - 1) return;
    this.#voted.conclude();
    if (this.#within && this.#voted.missed) {
      this.#voted.takeDifferences();
      this.#takeDifferences();
    }
    this.#units = this.#decided();
    this.#uploads = new UploadRoom();
    this.#inner = this.#make(inUnits(this.#units, this.#rows), this.#units);
  }

  /** The units by the votes, with those of the columns that need none. */
  #decided(): Units {
    const centers = this.#units.centers.slice();
    const sizes = this.#units.sizes.slice();
    const unsure = new Float64Array(this.#d);
    let { targetCenter, targetSize } = this.#units;
    this.#columns.forEach((at, column) => {
      const { center, spread } = this.#voted.scales[column]!;
      const size = this.#size * spread;
      if (at === this.#d - 1) [targetCenter, targetSize] = [center, size];
      else
        [centers[at], sizes[at], unsure[at]] = [center, size, this.#voted.scales[column]!.unsure];
    });
    const voted = this.#columns.filter((at) => at < this.#d - 1);
    const unplaced = this.#unplaced();
    return { ...this.#units, centers, sizes, targetCenter, targetSize, voted, unsure, unplaced };
  }

  /** All effects rest on the target's place and size, the constant's on those of all. */
  #unplaced(): readonly number[] {
    const open = this.#columns.filter((_, column) => {
      const { unplaced, unsized } = this.#voted.scales[column]!;
      return unplaced || unsized;
    });
    if (open.length === 0) return [];
    const constant = this.#d - 1;
    return open.includes(constant)
      ? Array.from({ length: this.#d }, (_, at) => at)
      : [...open, constant];
  }

  solve(): MixedModels {
    const models = modelsFromUnits(this.#units, this.#inner!.solve());
    return this.#differences ? this.#differences.back(models) : models;
  }
}
