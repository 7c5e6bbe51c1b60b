/**
 * The two products of sparse rows, as `predictRows` and `addRows` do them of dense ones. Cost: 2 flops an entry. Every
 * sum runs over a row's entries in the order of columns, so that both builds give the same bits.
 */
import { TaskData } from "./task-data";

/** First entry of a row, of all entries. */
@inline function firstEntry(data: TaskData, row: u32): u32 {
  return load<u32>(data.starts + ((<usize>row) << 2));
}
@inline function columnAt(data: TaskData, entry: u32): usize {
  return <usize>load<u32>(data.columns + ((<usize>entry) << 2));
}
@inline function valueAt(data: TaskData, entry: u32): f64 {
  return load<f64>(data.x + ((<usize>entry) << 3));
}

/** x_row . w for w f64[d], whose entries are `stride` bytes apart. */
@inline export function sparseDot(data: TaskData, row: u32, w: usize, stride: usize): f64 {
  let sum = 0.0;
  const end = firstEntry(data, row + 1);
  for (let k = firstEntry(data, row); k < end; k++) {
    sum += valueAt(data, k) * load<f64>(w + columnAt(data, k) * stride);
  }
  return sum;
}

/** g f64[d] += a x_row, entries of g `stride` bytes apart. */
@inline export function addSparse(data: TaskData, row: u32, a: f64, g: usize, stride: usize): void {
  const end = firstEntry(data, row + 1);
  for (let k = firstEntry(data, row); k < end; k++) {
    const at = g + columnAt(data, k) * stride;
    store<f64>(at, load<f64>(at) + a * valueAt(data, k));
  }
}

/** g f64[d] <- 0 where x_row has an entry. */
export function clearSparse(data: TaskData, row: u32, g: usize): void {
  const end = firstEntry(data, row + 1);
  for (let k = firstEntry(data, row); k < end; k++) store<f64>(g + (columnAt(data, k) << 3), 0.0);
}

/** out f64[n] <- x_j . w + b of n rows from `row` on. */
export function predictSparse(data: TaskData, row: u32, n: i32, w: usize, b: f64, out: usize): void {
  for (let j = 0; j < n; j++) store<f64>(out + ((<usize>j) << 3), sparseDot(data, row + j, w, 8) + b);
}

/** g f64[d] += sum_j r_j x_j of n rows from `row` on, r f64[n]. */
export function addSparseRows(data: TaskData, row: u32, n: i32, r: usize, g: usize): void {
  for (let j = 0; j < n; j++) addSparse(data, row + j, load<f64>(r + ((<usize>j) << 3)), g, 8);
}
