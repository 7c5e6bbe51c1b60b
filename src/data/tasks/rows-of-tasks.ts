/**
 * Parts of the concatenated layout, copied: some tasks with all their rows, or some rows of all tasks.
 * @module
 */
import { callable } from "../../core/checks.js";
import { takeSparse } from "../sparse/sparse-rows.js";
import type { RowRule } from "../split/split.js";
import type { TaskArrays } from "./task-arrays.js";

/** A layout, and its number of features. */
type Layout = Pick<
  TaskArrays,
  "x" | "sparse" | "y" | "offsets" | "names" | "persons" | "sampleWeights"
> & {
  readonly d: number;
};
type Rows = Pick<TaskArrays, "x" | "sparse" | "y" | "persons" | "sampleWeights">;

/** The rows of these numbers, in this order, copied. */
export function takeRows(from: Omit<Layout, "offsets" | "names">, rows: Uint32Array): Rows {
  const { x, sparse, y, persons, sampleWeights, d } = from;
  const n = rows.length;
  return {
    ...(sparse ? { sparse: takeSparse(sparse, rows) } : { x: takeDense(x!, rows, d) }),
    y: Float64Array.from({ length: n }, (_, j) => y[rows[j]!]!),
    persons: persons && Uint32Array.from(rows, (row) => persons[row]!),
    sampleWeights:
      sampleWeights && Float64Array.from({ length: n }, (_, j) => sampleWeights[rows[j]!]!),
  };
}

/** Runs of rows at once. */
function takeDense(x: Float64Array, rows: Uint32Array, d: number): Float64Array {
  const out = new Float64Array(rows.length * d);
  for (let j = 0; j < rows.length;) {
    let end = j + 1;
    while (end < rows.length && rows[end] === rows[end - 1]! + 1) end++;
    out.set(x.subarray(rows[j]! * d, (rows[j]! + end - j) * d), j * d);
    j = end;
  }
  return out;
}

/** [N], 1 for the rows of which a rule says true. */
export function marksBy(
  { offsets, names }: Pick<Layout, "offsets" | "names">,
  rule: RowRule,
): Uint8Array {
  callable("rule", rule);
  const marks = new Uint8Array(offsets[names.length]!);
  for (let i = 0; i < names.length; i++) {
    const from = offsets[i]!;
    const n = offsets[i + 1]! - from;
    for (let row = 0; row < n; row++) marks[from + row] = rule(row, i, n) ? 1 : 0;
  }
  return marks;
}

/** All rows of the tasks at these positions, in that order. */
export function rowsOfTasks(
  layout: Layout,
  chosen: readonly number[],
): Rows & Pick<TaskArrays, "offsets"> {
  const { offsets } = layout;
  const ends = new Uint32Array(chosen.length + 1);
  chosen.forEach((task, i) => {
    ends[i + 1] = ends[i]! + offsets[task + 1]! - offsets[task]!;
  });
  const rows = new Uint32Array(ends[chosen.length]!);
  chosen.forEach((task, i) => {
    for (let at = ends[i]!, row = offsets[task]!; at < ends[i + 1]!; at++, row++) rows[at] = row;
  });
  return { ...takeRows(layout, rows), offsets: ends };
}

/** The rows whose mark is `keep`, of the tasks that have any. */
export function markedRows(
  layout: Layout,
  marks: Uint8Array,
  keep: 0 | 1,
): Rows & Pick<TaskArrays, "offsets" | "names"> {
  const { offsets, names } = layout;
  const rows = new Uint32Array(marks.reduce((count, mark) => count + (mark === keep ? 1 : 0), 0));
  const ends = [0];
  const kept: string[] = [];
  let at = 0;
  for (let i = 0; i < names.length; i++) {
    for (let row = offsets[i]!; row < offsets[i + 1]!; row++) {
      if (marks[row] === keep) rows[at++] = row;
    }
    if (at > ends[kept.length]!) {
      kept.push(names[i]!);
      ends.push(at);
    }
  }
  return { ...takeRows(layout, rows), offsets: Uint32Array.from(ends), names: kept };
}
