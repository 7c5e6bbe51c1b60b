/**
 * Rows in f64 for the kernels that take a task's rows again and again, or few at a time: rows that lie in f32 are widened,
 * which rounds nothing, so that a kernel gives the bits that it gives for f64 rows of the same values. What reads all rows
 * once a round reads them where they are (`row-products.ts`).
 */
import { narrowAt, rowAt, TaskData } from "./task-data";

/** Where n dense rows from `row` on lie in f64: in their place, or in the record's room until the next call. */
export function rowsAt(data: TaskData, row: u32, n: i32): usize {
  if (!data.wide) return rowAt(data, row);
  // More would go where others' numbers lie.
  if (n > data.room) unreachable();
  widen(data, row, n, data.wide);
  return data.wide;
}

/** out f64[n, d] <- n dense rows from `row` on. */
export function copyRows(data: TaskData, row: u32, n: i32, out: usize): void {
  if (data.wide) widen(data, row, n, out);
  else memory.copy(out, rowAt(data, row), (<usize>n * <usize>data.d) << 3);
}

function widen(data: TaskData, row: u32, n: i32, out: usize): void {
  let x = narrowAt(data, row);
  const end = narrowAt(data, row + n);
  if (ASC_FEATURE_SIMD) {
    for (const fours = end - 15; x < fours; x += 16, out += 32) {
      v128.store(out, f64x2.promote_low_f32x4(v128.load64_zero(x)));
      v128.store(out, f64x2.promote_low_f32x4(v128.load64_zero(x, 8)), 16);
    }
  }
  for (; x < end; x += 4, out += 8) store<f64>(out, <f64>load<f32>(x));
}
