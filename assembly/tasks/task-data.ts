/**
 * Where the data of all tasks lies: one record, because nearly every kernel reads it and it stays the same.
 */
import { at } from "../address";

/** As src/learning/tasks/task-data.ts writes it. */
@unmanaged
export class TaskData {
  /** X[N, d], rows task by task: f64, or f32 where `wide` is set. */
  x: usize;
  /** y f64[N]. */
  y: usize;
  /** u32[m + 1]: the first row of every task, then N. */
  offsets: usize;
  /** f64[m]: the c_i of L_i = c_i sum_j loss. */
  scales: usize;
  m: i32;
  d: i32;
  /** 0 squared, 1 logistic; softmax has kernels of its own. */
  loss: i32;
  /** Numbers predicted a row: C for softmax, else 1. */
  outputs: i32;
  /** s f64[N] >= 0: L_i = c_i sum_j s_j loss; 0 where all are 1. */
  weights: usize;
  /**
   * Of sparse rows, else 0: row j has the entries starts[j] up to starts[j + 1], starts u32[N + 1], of values f64 at x
   * and their columns u32, ascending.
   */
  columns: usize;
  starts: usize;
  /** Of rows in f32, which are dense: f64[room, d], where some of them lie in f64 for the time; else 0. */
  wide: usize;
  room: i32;
}

/** Tasks without a fold of their rows: entry e is task owners[e] without its rows folds[e], folds[e] + parts, ... */
@unmanaged
export class FoldEntries {
  /** u32[count] each; entries of a task lie side by side. */
  owners: usize;
  folds: usize;
  /** f64[count]: the weight of each entry's loss. */
  scales: usize;
  count: i32;
  parts: i32;
}

/** Number of the first row of task i, of all rows; N for i = m. */
@inline export function firstRow(data: TaskData, i: i32): u32 {
  return load<u32>(data.offsets + ((<usize>i) << 2));
}

/** Rows of task i. */
@inline export function rowCount(data: TaskData, i: i32): i32 {
  return <i32>(firstRow(data, i + 1) - firstRow(data, i));
}

/** Where a row of dense features lies, of f64 or of f32, and its target. */
@inline export function rowAt(data: TaskData, row: u32): usize {
  return data.x + ((<usize>row * <usize>data.d) << 3);
}
@inline export function narrowAt(data: TaskData, row: u32): usize {
  return data.x + ((<usize>row * <usize>data.d) << 2);
}
@inline export function targetAt(data: TaskData, row: u32): usize {
  return data.y + ((<usize>row) << 3);
}

/** c_i. */
@inline export function scaleOf(data: TaskData, i: i32): f64 {
  return load<f64>(at(data.scales, i));
}

/** Where the s_j from a row on lie; 0 where all are 1. */
@inline export function weightsAt(data: TaskData, row: u32): usize {
  return data.weights ? data.weights + ((<usize>row) << 3) : 0;
}
