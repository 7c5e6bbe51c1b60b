/**
 * Products of a few tasks in single precision, with the steps that follow them. Rows are `stride` entries apart, a multiple of 8, zero
 * beyond entry n: those of d features, and behind them, where n is d + 1, one of an intercept. Every number is a sum in the same order
 * in both builds.
 */
import { QUAD, single } from "./single-steps";

/** Whether the entry behind d features has eight columns for itself: they cost no more than it. */
@inline function standsAlone(d: i32, n: i32): bool {
  return n > d && (d & 7) == 0;
}

/**
 * out f32[4, stride] <- V M of M f32[n, stride], and z <- out + beta (out - last). M leaves the intercept as it is: its row and column are
 * those of the identity.
 */
export function multiplyFour(
  v: usize, matrix: usize, last: usize, out: usize, z: usize, beta: f32, d: i32, n: i32, stride: i32,
): void {
  for (let j = 0; j < d; j += 8) {
    const terms = j + 8 < n ? d : n;
    if (ASC_FEATURE_SIMD) {
      eightColumns(v, matrix, last, out, z, beta, terms, stride, j);
      continue;
    }
    for (let k = 0; k < QUAD; k++) {
      for (let c = j; c < j + 8; c++) {
        let sum: f32 = 0;
        for (let i = 0; i < terms; i++) {
          sum += load<f32>(single(v, k * stride + i)) * load<f32>(single(matrix, i * stride + c));
        }
        moveOne(sum, beta, last, out, z, k * stride + c);
      }
    }
  }
  if (!standsAlone(d, n)) return;
  for (let place = d; place < QUAD * stride; place += stride) {
    moveOne(load<f32>(single(v, place)), beta, last, out, z, place);
  }
}

@inline function moveOne(x: f32, beta: f32, last: usize, out: usize, z: usize, place: i32): void {
  store<f32>(single(out, place), x);
  store<f32>(single(z, place), x + beta * (x - load<f32>(single(last, place))));
}

/** Columns j .. j + 7 of four rows. */
function eightColumns(
  v: usize, matrix: usize, last: usize, out: usize, z: usize, beta: f32, terms: i32, stride: i32, j: i32,
): void {
  const step = (<usize>stride) << 2;
  let row = single(matrix, j), a = v, b = a + step, c = b + step, e = c + step;
  let a0 = f32x4.splat(0), a1 = a0, b0 = a0, b1 = a0, c0 = a0, c1 = a0, e0 = a0, e1 = a0;
  for (const end = single(v, terms); a < end; a += 4, row += step) {
    const x = v128.load(row), y = v128.load(row, 16);
    let factor = v128.load32_splat(a);
    a0 = f32x4.add(a0, f32x4.mul(factor, x));
    a1 = f32x4.add(a1, f32x4.mul(factor, y));
    factor = v128.load32_splat(b);
    b0 = f32x4.add(b0, f32x4.mul(factor, x));
    b1 = f32x4.add(b1, f32x4.mul(factor, y));
    factor = v128.load32_splat(c);
    c0 = f32x4.add(c0, f32x4.mul(factor, x));
    c1 = f32x4.add(c1, f32x4.mul(factor, y));
    factor = v128.load32_splat(e);
    e0 = f32x4.add(e0, f32x4.mul(factor, x));
    e1 = f32x4.add(e1, f32x4.mul(factor, y));
    b += 4;
    c += 4;
    e += 4;
  }
  const betas = f32x4.splat(beta);
  let shift = (<usize>j) << 2;
  move(a0, betas, last, out, z, shift);
  move(a1, betas, last, out, z, shift + 16);
  shift += step;
  move(b0, betas, last, out, z, shift);
  move(b1, betas, last, out, z, shift + 16);
  shift += step;
  move(c0, betas, last, out, z, shift);
  move(c1, betas, last, out, z, shift + 16);
  shift += step;
  move(e0, betas, last, out, z, shift);
  move(e1, betas, last, out, z, shift + 16);
}

/** Four entries of out and z. */
@inline function move(x: v128, beta: v128, last: usize, out: usize, z: usize, shift: usize): void {
  v128.store(out + shift, x);
  v128.store(z + shift, f32x4.add(x, f32x4.mul(beta, f32x4.sub(x, v128.load(last + shift)))));
}

/** out f32[stride] <- z + h - A z of symmetric A f32[n, stride], `out` apart from z. */
export function descendSingle(
  form: usize, h: usize, z: usize, out: usize, d: i32, n: i32, stride: i32,
): void {
  const alone = standsAlone(d, n), columns = alone ? d : stride;
  if (ASC_FEATURE_SIMD) {
    let j = 0;
    // Eight columns wait for their sums: two such passes would take longer than one of 32.
    for (; columns >= 32 && columns - j >= 16; j += 32) {
      columnsOfStep(form, h, z, out, n, stride, min(j, columns - 32));
    }
    for (; j < columns; j += 8) eightOfStep(form, h, z, out, n, stride, j);
  } else {
    for (let j = 0; j < columns; j++) {
      let sum = load<f32>(single(z, j)) + load<f32>(single(h, j));
      for (let i = 0; i < n; i++) sum -= load<f32>(single(z, i)) * load<f32>(single(form, i * stride + j));
      store<f32>(single(out, j), sum);
    }
  }
  if (!alone) return;
  const start = load<f32>(single(z, d)) + load<f32>(single(h, d));
  store<f32>(single(out, d), start - dotSingle(single(form, d * stride), z, stride));
}

/** a . b of f32[n], n a multiple of 8, in eight sums. */
function dotSingle(a: usize, b: usize, n: i32): f32 {
  if (ASC_FEATURE_SIMD) {
    let left = f32x4.splat(0), right = left;
    for (const end = single(a, n); a < end; a += 32, b += 32) {
      left = f32x4.add(left, f32x4.mul(v128.load(a), v128.load(b)));
      right = f32x4.add(right, f32x4.mul(v128.load(a, 16), v128.load(b, 16)));
    }
    const sum = f32x4.add(left, right);
    const even = f32x4.extract_lane(sum, 0) + f32x4.extract_lane(sum, 2);
    return even + (f32x4.extract_lane(sum, 1) + f32x4.extract_lane(sum, 3));
  }
  const even = sumsFrom(a, b, n, 0) + sumsFrom(a, b, n, 2);
  return even + (sumsFrom(a, b, n, 1) + sumsFrom(a, b, n, 3));
}

/** The sums of entries l and l + 4 of every eight. */
function sumsFrom(a: usize, b: usize, n: i32, l: i32): f32 {
  let left: f32 = 0, right: f32 = 0;
  for (let j = l; j < n; j += 8) {
    left += load<f32>(single(a, j)) * load<f32>(single(b, j));
    right += load<f32>(single(a, j + 4)) * load<f32>(single(b, j + 4));
  }
  return left + right;
}

/** Columns j .. j + 31. */
function columnsOfStep(form: usize, h: usize, z: usize, out: usize, n: i32, stride: i32, j: i32): void {
  const step = (<usize>stride) << 2, point = single(z, j), shift = single(h, j);
  let s0 = f32x4.add(v128.load(point), v128.load(shift));
  let s1 = f32x4.add(v128.load(point, 16), v128.load(shift, 16));
  let s2 = f32x4.add(v128.load(point, 32), v128.load(shift, 32));
  let s3 = f32x4.add(v128.load(point, 48), v128.load(shift, 48));
  let s4 = f32x4.add(v128.load(point, 64), v128.load(shift, 64));
  let s5 = f32x4.add(v128.load(point, 80), v128.load(shift, 80));
  let s6 = f32x4.add(v128.load(point, 96), v128.load(shift, 96));
  let s7 = f32x4.add(v128.load(point, 112), v128.load(shift, 112));
  let row = single(form, j), a = z;
  for (const end = single(z, n); a < end; a += 4, row += step) {
    const v = v128.load32_splat(a);
    s0 = f32x4.sub(s0, f32x4.mul(v, v128.load(row)));
    s1 = f32x4.sub(s1, f32x4.mul(v, v128.load(row, 16)));
    s2 = f32x4.sub(s2, f32x4.mul(v, v128.load(row, 32)));
    // Never taken, like the next: V8 hoists all loads of a loop's body to its top and spills; a way out stops that.
    if (row == 0) break;
    s3 = f32x4.sub(s3, f32x4.mul(v, v128.load(row, 48)));
    s4 = f32x4.sub(s4, f32x4.mul(v, v128.load(row, 64)));
    s5 = f32x4.sub(s5, f32x4.mul(v, v128.load(row, 80)));
    if (row == 1) break;
    s6 = f32x4.sub(s6, f32x4.mul(v, v128.load(row, 96)));
    s7 = f32x4.sub(s7, f32x4.mul(v, v128.load(row, 112)));
  }
  const to = single(out, j);
  v128.store(to, s0);
  v128.store(to, s1, 16);
  v128.store(to, s2, 32);
  v128.store(to, s3, 48);
  v128.store(to, s4, 64);
  v128.store(to, s5, 80);
  v128.store(to, s6, 96);
  v128.store(to, s7, 112);
}

/** Columns j .. j + 7. */
function eightOfStep(form: usize, h: usize, z: usize, out: usize, n: i32, stride: i32, j: i32): void {
  const step = (<usize>stride) << 2, point = single(z, j), shift = single(h, j);
  let s0 = f32x4.add(v128.load(point), v128.load(shift));
  let s1 = f32x4.add(v128.load(point, 16), v128.load(shift, 16));
  let row = single(form, j), a = z;
  for (const end = single(z, n); a < end; a += 4, row += step) {
    const v = v128.load32_splat(a);
    s0 = f32x4.sub(s0, f32x4.mul(v, v128.load(row)));
    s1 = f32x4.sub(s1, f32x4.mul(v, v128.load(row, 16)));
  }
  v128.store(single(out, j), s0);
  v128.store(single(out, j + 4), s1);
}
