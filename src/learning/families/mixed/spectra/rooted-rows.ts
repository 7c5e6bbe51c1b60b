/**
 * Rows with weights as rows of the same noise: a row of weight s has noise of variance 1 / s times the others', so times
 * sqrt(s), the constant too, it is one of theirs.
 * @module
 */
import { relativeWeights, type TaskSet } from "../../../../data/index.js";
import type { TaskRows } from "./task-spectrum.js";

/** The rows of a batch, [N], times the roots of their weights; where they stand for others, of how many. */
export function rootedRows(rows: TaskRows, data: TaskSet): TaskRows {
  const { standFor, offsets, m } = data;
  if (!standFor) return timesRoots(rows, relativeWeights(data));
  const each = new Float64Array(rows.y.length);
  for (let i = 0; i < m; i++) {
    const [from, to] = [offsets[i]!, offsets[i + 1]!];
    each.fill(standFor[i]! / (to - from), from, to);
  }
  return { ...timesRoots(rows, each), counts: standFor };
}

function timesRoots(rows: TaskRows, weights: Float64Array | undefined): TaskRows {
  if (!weights) return rows;
  const roots = weights.map(Math.sqrt);
  const d = rows.x.length / roots.length;
  const [x, y] = [rows.x.slice(), rows.y.slice()];
  for (let row = 0, at = 0; row < roots.length; row++) {
    const root = roots[row]!;
    for (let c = 0; c < d; c++, at++) x[at]! *= root;
    y[row]! *= root;
  }
  return { x, y, offsets: rows.offsets, names: rows.names };
}
