/**
 * The rows of a task that are left without a fold of them, side by side: a task alone, for kernels that take tasks.
 */
import { at } from "../address";
import { copyRows } from "./wide-rows";
import { firstRow, FoldEntries, rowCount, targetAt, TaskData } from "./task-data";

const alone = changetype<TaskData>(memory.data(<i32>offsetof<TaskData>(), 16));
const offsets = memory.data(8, 4);

/** Bytes for entries of tasks of at most `rows` rows. */
export function leftRowsBytes(rows: i32, d: i32): f64 {
  return 8.0 * <f64>rows * <f64>(d + 1);
}

/** Task 0 of the result is entry e, until the next call. Dense rows without weights. @param out `leftRowsBytes` bytes. */
export function takeLeftRows(data: TaskData, entries: FoldEntries, e: i32, out: usize): TaskData {
  const owner = load<u32>(entries.owners + ((<usize>e) << 2));
  const parts = entries.parts;
  const first = firstRow(data, owner), n = rowCount(data, owner);
  alone.m = 1;
  alone.d = data.d;
  alone.x = out;
  alone.offsets = offsets;
  // Rows before the first that is held out, then those between two of them.
  let left = 0;
  for (let row = 0, next = <i32>load<u32>(entries.folds + ((<usize>e) << 2)); row < n; row = next + 1, next += parts) {
    const count = min(next, n) - row;
    copyRows(data, first + row, count, at(out, left * data.d));
    left += count;
  }
  alone.y = at(out, left * data.d);
  for (let row = 0, k = 0, next = <i32>load<u32>(entries.folds + ((<usize>e) << 2)); row < n; row++) {
    if (row == next) next += parts;
    else store<f64>(at(alone.y, k++), load<f64>(targetAt(data, first + row)));
  }
  store<u32>(offsets, left, 4);
  return alone;
}
