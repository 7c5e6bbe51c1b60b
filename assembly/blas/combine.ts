/**
 * Combinations of rows, which for a symmetric matrix are its products with vectors.
 */
import { at } from "../address";

/**
 * out f64[d] <- sign init + sum_{k < n} a[k] row k, rows f64[n, d]; init f64[d], or 0 for zeros. The sums are
 * kept in registers, sixteen columns at a time, and each is taken in the order of the rows. `out` lies apart
 * from everything else. Cost: 2 n d flops.
 */
export function combineRows(
  sign: f64, init: usize, a: usize, rows: usize, out: usize, n: i32, d: i32,
): void {
  if (!ASC_FEATURE_SIMD || d < 2) {
    for (let j = 0; j < d; j++) {
      let sum = init ? sign * load<f64>(at(init, j)) : 0.0;
      let row = at(rows, j);
      for (let k = 0; k < n; k++, row += (<usize>d) << 3) sum += load<f64>(at(a, k)) * load<f64>(row);
      store<f64>(at(out, j), sum);
    }
    return;
  }
  // The last strip of a width overlaps the one before it, and computes some sums twice.
  if (d >= 16) {
    for (let j = 0; j < d; j += 16) sixteen(sign, init, a, rows, out, n, d, min(j, d - 16));
  } else if (d >= 6) {
    for (let j = 0; j < d; j += 6) six(sign, init, a, rows, out, n, d, min(j, d - 6));
  } else {
    for (let j = 0; j < d; j += 2) two(sign, init, a, rows, out, n, d, min(j, d - 2));
  }
}

@inline function start(sign: v128, init: usize, j: i32): v128 {
  return init ? f64x2.mul(sign, v128.load(at(init, j))) : f64x2.splat(0.0);
}

function sixteen(
  sign: f64, init: usize, a: usize, rows: usize, out: usize, n: i32, d: i32, j: i32,
): void {
  let s0 = f64x2.splat(0), s1 = s0, s2 = s0, s3 = s0, s4 = s0, s5 = s0, s6 = s0, s7 = s0;
  // Asked once, not for each pair of columns.
  if (init) {
    const s = f64x2.splat(sign), from = at(init, j);
    s0 = f64x2.mul(s, v128.load(from));
    s1 = f64x2.mul(s, v128.load(from, 16));
    s2 = f64x2.mul(s, v128.load(from, 32));
    s3 = f64x2.mul(s, v128.load(from, 48));
    s4 = f64x2.mul(s, v128.load(from, 64));
    s5 = f64x2.mul(s, v128.load(from, 80));
    s6 = f64x2.mul(s, v128.load(from, 96));
    s7 = f64x2.mul(s, v128.load(from, 112));
  }
  const stride = (<usize>d) << 3;
  let row = at(rows, j);
  for (const end = at(a, n); a < end; a += 8, row += stride) {
    const v = v128.load64_splat(a);
    s0 = f64x2.add(s0, f64x2.mul(v, v128.load(row)));
    s1 = f64x2.add(s1, f64x2.mul(v, v128.load(row, 16)));
    s2 = f64x2.add(s2, f64x2.mul(v, v128.load(row, 32)));
    // Never taken, like the next: V8 hoists all loads of a loop's body to its top and spills; a way out stops that.
    if (row == 0) break;
    s3 = f64x2.add(s3, f64x2.mul(v, v128.load(row, 48)));
    s4 = f64x2.add(s4, f64x2.mul(v, v128.load(row, 64)));
    s5 = f64x2.add(s5, f64x2.mul(v, v128.load(row, 80)));
    if (row == 1) break;
    s6 = f64x2.add(s6, f64x2.mul(v, v128.load(row, 96)));
    s7 = f64x2.add(s7, f64x2.mul(v, v128.load(row, 112)));
  }
  const to = at(out, j);
  v128.store(to, s0);
  v128.store(to, s1, 16);
  v128.store(to, s2, 32);
  v128.store(to, s3, 48);
  v128.store(to, s4, 64);
  v128.store(to, s5, 80);
  v128.store(to, s6, 96);
  v128.store(to, s7, 112);
}

function six(
  sign: f64, init: usize, a: usize, rows: usize, out: usize, n: i32, d: i32, j: i32,
): void {
  const s = f64x2.splat(sign);
  let s0 = start(s, init, j), s1 = start(s, init, j + 2), s2 = start(s, init, j + 4);
  const stride = (<usize>d) << 3;
  let row = at(rows, j);
  for (const end = at(a, n); a < end; a += 8, row += stride) {
    const v = v128.load64_splat(a);
    s0 = f64x2.add(s0, f64x2.mul(v, v128.load(row)));
    s1 = f64x2.add(s1, f64x2.mul(v, v128.load(row, 16)));
    s2 = f64x2.add(s2, f64x2.mul(v, v128.load(row, 32)));
  }
  const to = at(out, j);
  v128.store(to, s0);
  v128.store(to, s1, 16);
  v128.store(to, s2, 32);
}

function two(
  sign: f64, init: usize, a: usize, rows: usize, out: usize, n: i32, d: i32, j: i32,
): void {
  let sum = start(f64x2.splat(sign), init, j);
  const stride = (<usize>d) << 3;
  let row = at(rows, j);
  for (const end = at(a, n); a < end; a += 8, row += stride) {
    sum = f64x2.add(sum, f64x2.mul(v128.load64_splat(a), v128.load(row)));
  }
  v128.store(at(out, j), sum);
}
