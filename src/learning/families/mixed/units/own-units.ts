/**
 * A task's own units of columns: what it learns alone should not depend on what noise made of a vote on a column's size, nor on how small a
 * part of a declared range its rows lie in.
 *
 * Of voted sizes, on 70 raw tables at eps 1 and 3, half a percent of error less on the whole, up to a third where a vote had failed or tasks are of
 * very different sizes; of declared ranges .1 to .2 % less on 91 tables, 3 to 6 % on panels of countries.
 * @module
 */
import { identity } from "../../../../linalg/small-matrices.js";
import { ownVariance } from "../../../tasks/own-models/own-variance.js";
import type { TaskRows } from "../spectra/task-spectrum.js";
import { voteDoubt } from "./vote-doubt.js";

/**
 * Rows that the declared or voted size counts as: slopes from a few rows that happen to lie close are not to be believed far from them. None:
 * wages, of three to six rows a task, lost 30 % at eps 1; one: half of what is gained elsewhere is lost.
 */
const SIZE_ROWS = 0.5;

/**
 * Mean squares that are no longer those of rows that happen to lie close, in units of the declared or voted size, which is then far off, as that of
 * features of 1e-6 is, of which votes are lost or off their scale. Below the second a column is the same in all rows but for rounding.
 * On five raw tables at eps 0.3 to 10 no error changed by more than 1 %; with features of 1e-6 errors were more than twice those of learning alone before.
 */
const FAR_OFF = { square: 1e-3, same: 1e-20 } as const;

/** What the size counts as for rows of that mean square: the farther off it is, the less. */
function sizeRows(square: number): number {
  if (!(square > FAR_OFF.same && square < FAR_OFF.square)) return SIZE_ROWS;
  return SIZE_ROWS * (square / FAR_OFF.square) ** 2;
}

/**
 * By task: U, [d, d], lower triangular, with w = U v for a model v of features that are taken about the task's mean, in deviations
 * of its rows as `single-task` has them. It is overwritten by the next task's.
 */
export type OwnUnits = (task: number) => Float64Array;

/**
 * Units of the tasks in `rows`.
 * @param columns positions of those that have them, the target not among them.
 */
export function ownUnits(
  { x, offsets, counts }: TaskRows,
  d: number,
  columns: readonly number[],
): OwnUnits {
  const units = identity(d);
  return (task) => {
    const rows = x.subarray(offsets[task]! * d, offsets[task + 1]! * d);
    writeUnits(rows, counts ? counts[task]! : rows.length / d, d, columns, units);
    return units;
  };
}

/** Writes what of U depends on rows that stand for n. */
function writeUnits(
  rows: Float64Array,
  n: number,
  d: number,
  columns: readonly number[],
  units: Float64Array,
): void {
  for (const c of columns) {
    const { mean, variance } = momentsOf(rows, n, d, c);
    const factor = 1 / Math.sqrt(variance);
    units[c * (d + 1)] = factor;
    units[(d - 1) * d + c] = -mean * factor;
  }
}

/** A task's own units of differences within it. */
export interface OwnDifferences {
  /** U as above, without a mean: differences have none. */
  readonly units: Float64Array;
  /** Mean square of the target's differences, the voted one being 1 and counting as half of one. */
  readonly square: number;
  /** How likely it is, by the target's differences, that the vote on their size failed. */
  readonly doubt: number;
}

/** Of the tasks in `rows`, which are differences: of every column, and of the target, so that no vote decides what is learned alone. */
export function ownDifferences(
  { x, y, offsets }: TaskRows,
  d: number,
): (task: number) => OwnDifferences {
  return (task) => {
    const [from, to] = [offsets[task]!, offsets[task + 1]!];
    const n = to - from;
    const units = new Float64Array(d * d);
    for (let c = 0; c < d; c++) {
      let sum = 0;
      for (let row = from; row < to; row++) sum += x[row * d + c]! ** 2;
      // With a row of mean size more, as in what `single-task` scales by.
      const own = n > 0 ? sum + sum / n : 0;
      const rows = n > 0 ? sizeRows(sum / n) : SIZE_ROWS;
      units[c * (d + 1)] = Math.sqrt((n + rows) / (own + rows));
    }
    let sum = 0;
    for (let row = from; row < to; row++) sum += y[row]! ** 2;
    const square = (sum + SIZE_ROWS) / (n + SIZE_ROWS);
    return { units, square, doubt: voteDoubt(n > 0 ? sum / n : 0, n) };
  };
}

/** Of column c of rows that stand for n; the constant, in the last, holds the root of a row's weight. */
function momentsOf(rows: Float64Array, n: number, d: number, c: number) {
  let [sum, whole] = [0, 0];
  for (let at = 0; at < rows.length; at += d) {
    const root = rows[at + d - 1]!;
    sum += rows[at + c]! * root;
    whole += root * root;
  }
  const mean = whole > 0 ? sum / whole : 0;
  let spread = 0;
  for (let at = 0; at < rows.length; at += d) {
    spread += (rows[at + c]! - mean * rows[at + d - 1]!) ** 2;
  }
  const freedom = n > 0 ? Math.max(n - 1, 1) : 0;
  const own = n > 0 ? freedom * ownVariance(spread, mean, n, true) : 0;
  // The declared or voted size is 1.
  const most = freedom > 0 ? sizeRows(own / freedom) : SIZE_ROWS;
  return { mean, variance: (own + most) / (freedom + most) };
}
