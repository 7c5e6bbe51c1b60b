/**
 * Rows with weights as rows of the same noise: a row of weight s has noise of variance 1 / s times the others', so times
 * sqrt(s), the constant too, it is one of theirs.
 * @module
 */
import type { TaskRows } from "./task-spectrum.js";

/** The rows times the roots of their weights, [N]; themselves without any. */
export function rootedRows(rows: TaskRows, weights: Float64Array | undefined): TaskRows {
  if (!weights) return rows;
  const roots = weights.map(Math.sqrt);
  const d = rows.x.length / roots.length;
  return {
    x: rows.x.map((value, at) => value * roots[Math.floor(at / d)]!),
    y: rows.y.map((value, row) => value * roots[row]!),
    offsets: rows.offsets,
  };
}
