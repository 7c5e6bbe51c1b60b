/**
 * Parts of the concatenated layout, copied: some tasks with all their rows, or some rows of all tasks.
 * @module
 */
import type { TaskArrays } from "./build.js";

/** A layout, and its number of features. */
type Layout = Pick<TaskArrays, "x" | "y" | "offsets" | "names" | "persons"> & {
  readonly d: number;
};

/** Says true or false of a row: its place within its task (from 0), the task's position, the task's number of rows. */
type RowRule = (row: number, task: number, n: number) => boolean;

/** [N], 1 for the rows of which a rule says true. */
export function marksBy(
  { offsets, names }: Pick<Layout, "offsets" | "names">,
  rule: RowRule,
): Uint8Array {
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
  { x, y, offsets, persons, d }: Layout,
  chosen: readonly number[],
): Pick<TaskArrays, "x" | "y" | "offsets" | "persons"> {
  const ends = new Uint32Array(chosen.length + 1);
  chosen.forEach((task, i) => {
    ends[i + 1] = ends[i]! + offsets[task + 1]! - offsets[task]!;
  });
  const rows = ends[chosen.length]!;
  const part = {
    ...{ x: new Float64Array(rows * d), y: new Float64Array(rows), offsets: ends },
    persons: persons && new Uint32Array(rows),
  };
  chosen.forEach((task, i) => {
    const [from, to] = [offsets[task]!, offsets[task + 1]!];
    part.x.set(x.subarray(from * d, to * d), ends[i]! * d);
    part.y.set(y.subarray(from, to), ends[i]!);
    if (persons) part.persons!.set(persons.subarray(from, to), ends[i]!);
  });
  return part;
}

/** The rows whose mark is `keep`, of the tasks that have any. */
export function markedRows(
  { x, y, offsets, names, persons, d }: Layout,
  marks: Uint8Array,
  keep: 0 | 1,
): Pick<TaskArrays, "x" | "y" | "offsets" | "names" | "persons"> {
  const total = marks.reduce((count, mark) => count + (mark === keep ? 1 : 0), 0);
  const part = {
    ...{ x: new Float64Array(total * d), y: new Float64Array(total) },
    persons: persons && new Uint32Array(total),
  };
  const ends = [0];
  const kept: string[] = [];
  let at = 0;
  for (let i = 0; i < names.length; i++) {
    for (let row = offsets[i]!; row < offsets[i + 1]!; row++) {
      if (marks[row] !== keep) continue;
      part.x.set(x.subarray(row * d, (row + 1) * d), at * d);
      if (persons) part.persons![at] = persons[row]!;
      part.y[at++] = y[row]!;
    }
    if (at > ends[kept.length]!) {
      kept.push(names[i]!);
      ends.push(at);
    }
  }
  return { ...part, offsets: Uint32Array.from(ends), names: kept };
}
