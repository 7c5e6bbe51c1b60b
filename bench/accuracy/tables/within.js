/** How many held-out rows lie within 80 % intervals, and how far chance alone takes such a part from 80 %. */
import { normalCdf } from "../../../build/modules/privacy/accounting/special/erfc.js";

const LEVEL = 0.8;
/** How far from the level the part of a table may be. */
const OFF = 0.02;

/** name => [rows within, rows] of the tasks in `test`, on which the model was fitted. */
export function rowsWithin(model, test) {
  return new Map(
    [...test].map(({ name, x, y }) => {
      const { lower, upper } = model.predictInterval(name, x, LEVEL);
      const within = y.reduce((sum, v, row) => sum + (lower[row] <= v && v <= upper[row]), 0);
      return [name, [within, y.length]];
    }),
  );
}

/**
 * The part of all rows of several fits of a table that lie within, with its standard error over tasks: rows of a task go together, and so do a task's
 * rows in several splits.
 * @param fits of `rowsWithin`.
 */
export function partWithin(fits) {
  const tasks = new Map();
  for (const fit of fits) {
    for (const [name, [within, rows]] of fit) {
      const [before, all] = tasks.get(name) ?? [0, 0];
      tasks.set(name, [before + within, all + rows]);
    }
  }
  const sums = [...tasks.values()];
  const rows = sums.reduce((sum, [, own]) => sum + own, 0);
  const part = sums.reduce((sum, [within]) => sum + within, 0) / rows;
  const squares = sums.reduce((sum, [within, own]) => sum + (within - part * own) ** 2, 0);
  return { part, error: Math.sqrt(squares) / rows };
}

/** How many of the tables hold another part than the level, by more than .02; and how many would by chance if each held the level. */
export function outside(parts) {
  const found = parts.filter(({ part }) => Math.abs(part - LEVEL) > OFF).length;
  const chance = parts.reduce((sum, { error }) => sum + 2 * normalCdf(-OFF / error), 0);
  return { found, chance };
}
