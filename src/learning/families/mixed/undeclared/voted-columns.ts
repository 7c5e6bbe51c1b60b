/**
 * Columns on which tasks vote: what a sum of votes says of each is worked out by whoever is asked for it, since it follows from
 * the releases alone.
 * @module
 */
import { sumOfParts, type CommonWork } from "../../../round/common-work.js";
import { ColumnScale, CONCLUDED, type ScaleFigure } from "./column-scale.js";
import type { NoisyVotes } from "../../../votes/election.js";

/** Parts in which the columns are divided among threads. */
const PARTS = 16;

export class VotedColumns {
  readonly scales: readonly ColumnScale[];
  /** Votes, by column, of which nothing was concluded yet. */
  #received: { readonly about: ScaleFigure; readonly votes: readonly NoisyVotes[] } | undefined;

  constructor(count: number) {
    this.scales = Array.from({ length: count }, () => new ColumnScale());
  }

  /** Mean probability that a column lies elsewhere than the votes on locations say, once nothing is left to conclude of these. */
  get doubt(): number {
    return this.scales.reduce((sum, { doubt }) => sum + doubt, 0) / this.scales.length;
  }

  /** Whether the place of a column is missed, once nothing is left to conclude of the votes on spreads. */
  get missed(): boolean {
    return this.scales.some(({ missed }) => missed);
  }

  /** Goes on with differences after votes on spreads. */
  takeDifferences(): void {
    for (const own of this.scales) own.takeDifferences();
  }

  /** Keeps a noisy sum of votes on all columns, [columns, bins], after what was kept before: who uploads nothing concludes here. */
  receive(about: ScaleFigure, sum: Float64Array, bins: number, deviation: number): void {
    this.conclude();
    const votes = this.scales.map((_, column) => ({
      counts: sum.subarray(column * bins, (column + 1) * bins),
      deviation,
    }));
    this.#received = { about, votes };
  }

  /** What the votes received last say of every column, whose numbers are 0 in all parts but one; undefined where that is known. */
  conclusions(): CommonWork | undefined {
    const received = this.#received;
    if (!received) return undefined;
    const { about, votes } = received;
    const columns = votes.length;
    const parts = Math.min(PARTS, columns);
    const length = CONCLUDED * columns;
    const cut = (part: number) => Math.round((columns * part) / parts);
    return {
      parts,
      length,
      compute: (first, end) => {
        const out = new Float64Array((end - first) * length);
        for (let part = first; part < end; part++) {
          for (let column = cut(part); column < cut(part + 1); column++) {
            const own = this.scales[column]!.conclusion(about, votes[column]!);
            out.set(own, (part - first) * length + CONCLUDED * column);
          }
        }
        return out;
      },
      take: (sum) => {
        this.scales.forEach((own, column) => {
          const from = CONCLUDED * column;
          own.take(about, votes[column]!, [...sum.subarray(from, from + CONCLUDED)]);
        });
        this.#received = undefined;
      },
    };
  }

  /** Concludes here what no thread was asked for. */
  conclude(): void {
    const work = this.conclusions();
    work?.take(sumOfParts(work, work.compute(0, work.parts)));
  }
}
