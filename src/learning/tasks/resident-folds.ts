/**
 * Tasks without folds of their rows, or those folds alone, copied within the core where their tasks lie.
 * @module
 */
import { rowsLeft, heldOutCount, type FoldEntries } from "./fold-entries.js";
import { changed, type ResidentTasks } from "./resident-tasks.js";

/**
 * A task for every entry: of the rows that are left without its fold, or of those in it. Undefined for rows that are sparse, in
 * Float32 or weighted, whose mean weight would be another.
 */
export function residentFolds(
  tasks: ResidentTasks,
  entries: FoldEntries,
  which: "left" | "held out",
): ResidentTasks | undefined {
  const { core, d, weights, wide, isDense, lossScale } = tasks;
  if (!isDense || wide !== 0 || weights !== 0) return undefined;
  const { arena } = core;
  const { parts, owners, folds } = entries;
  const m = owners.length;
  const starts = arena.words(tasks.offsets, tasks.m + 1).slice();
  const left = rowsLeft(starts, entries);
  const isLeft = which === "left";
  const counts = left.map((n, k) => {
    if (isLeft) return n;
    const task = owners[k]!;
    return heldOutCount(starts[task + 1]! - starts[task]!, folds[k]!, parts);
  });
  const rows = counts.reduce((sum, n) => sum + n, 0);
  const [rowsAt, y, scales] = [arena.f64(rows * d), arena.f64(rows), arena.f64(m)];
  const offsets = arena.bytes(4 * (m + 1));
  const ends = arena.words(offsets, m + 1);
  ends[0] = 0;
  counts.forEach((n, k) => (ends[k + 1] = ends[k]! + n));
  const of = arena.view(scales, m);
  counts.forEach((n, k) => (of[k] = lossScale === "sum" ? 1 : 1 / n));
  const from = arena.view(tasks.rowsAt, tasks.rows * d);
  const to = arena.view(rowsAt, rows * d);
  const targets = arena.view(tasks.y, tasks.rows);
  const into = arena.view(y, rows);
  let at = 0;
  const copy = (first: number, end: number) => {
    to.set(from.subarray(first * d, end * d), at * d);
    for (let row = first; row < end; row++) into[at++] = targets[row]!;
  };
  owners.forEach((task, k) => {
    const [first, end] = [starts[task]!, starts[task + 1]!];
    let next = first;
    for (let row = first + folds[k]!; row < end; row += parts) {
      if (!isLeft) copy(row, row + 1);
      else if (row > next) copy(next, row);
      next = row + 1;
    }
    if (isLeft && next < end) copy(next, end);
  });
  return changed(tasks, { m, rows, rowsAt, y, offsets, scales });
}
