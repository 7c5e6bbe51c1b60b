/**
 * Columns that determine the target, such as a copy of it in another unit, rounded, or in other words (target leakage): mostly they are
 * known only once the target is. Found by looking at all rows, for a person to judge.
 * @module
 */
import type { Column, Table } from "../../table/table.js";

/** Rows below which two columns of numbers may lie on a line by chance. */
const FEWEST_ROWS = 10;
/** The most of the target's variance that a line through its copy leaves: rounding leaves some. */
const LEFT = 1e-3;
/** Rows that must confirm that two columns of words go together, beyond the first row of each pair of words. */
const FEWEST_REPEATS = 20;

/** The columns that determine the target: on a line with it, or with one value for each of the target's. */
export function targetCopies(table: Table, names: readonly string[], target: string): string[] {
  const aim = table.column(target);
  const y = table.isNumeric(aim) ? table.numbers(target) : undefined;
  return names.filter((name) => {
    const column = table.column(name);
    const onLine = y && table.isNumeric(column) && lieOnLine(table.numbers(name), y);
    return onLine || goTogether(table, column, aim);
  });
}

/** Whether each value of the one goes with one value of the other, both ways. */
function goTogether(table: Table, one: Column, other: Column): boolean {
  const there = new Map<number | string, number | string>();
  const back = new Map<number | string, number | string>();
  let repeats = 0;
  for (let row = 0; row < table.rows; row++) {
    if (table.missing(one, row) || table.missing(other, row)) continue;
    const [from, to] = [one.values[row]!, other.values[row]!];
    const known = there.get(from);
    if (known === undefined && !back.has(to)) {
      there.set(from, to);
      back.set(to, from);
    } else if (known === to) repeats++;
    else return false;
  }
  return there.size > 1 && repeats >= FEWEST_REPEATS;
}

function lieOnLine(x: Float64Array, y: Float64Array): boolean {
  const rows = [...x.keys()].filter((row) => Number.isFinite(x[row]! + y[row]!));
  if (rows.length < FEWEST_ROWS) return false;
  const mean = (values: Float64Array) =>
    rows.reduce((sum, row) => sum + values[row]! / rows.length, 0);
  const [mx, my] = [mean(x), mean(y)];
  const farthest = (values: Float64Array, from: number) =>
    rows.reduce((most, row) => Math.max(most, Math.abs(values[row]! - from)), 0);
  // In units of their own, so that no square overflows.
  const [ux, uy] = [farthest(x, mx), farthest(y, my)];
  let [xx, xy, yy] = [0, 0, 0];
  for (const row of rows) {
    const [dx, dy] = [(x[row]! - mx) / ux, (y[row]! - my) / uy];
    xx += dx * dx;
    xy += dx * dy;
    yy += dy * dy;
  }
  return xx > 0 && yy > 0 && xy * xy >= (1 - LEFT) * xx * yy;
}
