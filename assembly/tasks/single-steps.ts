/**
 * Products and steps of a few tasks in single precision, four numbers to a vector. Rows are `stride` entries apart, a multiple
 * of 8, zero beyond column d. Every number is a sum in the order of its terms, the same in both builds.
 */

/** Tasks side by side. */
export const QUAD: i32 = 4;

/** Where entry i of a vector of float32s lies. */
@inline export function single(base: usize, i: i32): usize {
  return base + ((<usize>i) << 2);
}

/** out f32[n] <- factor x, x f64[n]. */
export function narrow(x: usize, factor: f64, out: usize, n: i32): void {
  for (const end = single(out, n); out < end; out += 4, x += 8) {
    store<f32>(out, <f32>(factor * load<f64>(x)));
  }
}

/** out f64[n] <- factor x, x f32[n]. */
export function widen(x: usize, factor: f64, out: usize, n: i32): void {
  for (const end = single(x, n); x < end; x += 4, out += 8) {
    store<f64>(out, factor * <f64>load<f32>(x));
  }
}

/** a . b of f32[n], summed in double precision: even entries, odd ones, then both. @param n a multiple of 4. */
export function dotWide(a: usize, b: usize, n: i32): f64 {
  const end = single(a, n);
  if (ASC_FEATURE_SIMD) {
    let sum = f64x2.splat(0);
    for (; a < end; a += 16, b += 16) {
      const x = v128.load(a), y = v128.load(b);
      sum = f64x2.add(sum, f64x2.mul(f64x2.promote_low_f32x4(x), f64x2.promote_low_f32x4(y)));
      const u = v128.shuffle<i64>(x, x, 1, 1), v = v128.shuffle<i64>(y, y, 1, 1);
      sum = f64x2.add(sum, f64x2.mul(f64x2.promote_low_f32x4(u), f64x2.promote_low_f32x4(v)));
    }
    return f64x2.extract_lane(sum, 0) + f64x2.extract_lane(sum, 1);
  }
  let even = 0.0, odd = 0.0;
  for (; a < end; a += 8, b += 8) {
    even += <f64>load<f32>(a) * <f64>load<f32>(b);
    odd += <f64>load<f32>(a, 4) * <f64>load<f32>(b, 4);
  }
  return even + odd;
}

/** v f32[n] <- v / max(1, |v| / bound), and 0 where it is not finite: nothing is released of it, so that rounding does no harm. */
export function clipSingle(v: usize, n: i32, bound: f64): void {
  const norm = Math.sqrt(dotWide(v, v, n));
  if (norm <= bound) return;
  if (!(norm < Infinity)) {
    memory.fill(v, 0, (<usize>n) << 2);
    return;
  }
  const factor = <f32>(bound / norm), end = single(v, n);
  if (ASC_FEATURE_SIMD) {
    const factors = f32x4.splat(factor);
    for (; v < end; v += 16) v128.store(v, f32x4.mul(factors, v128.load(v)));
  } else {
    for (; v < end; v += 4) store<f32>(v, factor * load<f32>(v));
  }
}

/** out f32[4, stride] <- V M of M f32[d, stride], and z <- out + beta (out - last). */
export function multiplyFour(
  v: usize, matrix: usize, last: usize, out: usize, z: usize, beta: f32, d: i32, stride: i32,
): void {
  if (ASC_FEATURE_SIMD) {
    for (let j = 0; j < stride; j += 8) eightColumns(v, matrix, last, out, z, beta, d, stride, j);
    return;
  }
  for (let k = 0; k < QUAD; k++) {
    const row = single(v, k * stride);
    for (let j = 0; j < stride; j++) {
      let sum: f32 = 0;
      for (let i = 0; i < d; i++) sum += load<f32>(single(row, i)) * load<f32>(single(matrix, i * stride + j));
      const place = k * stride + j;
      store<f32>(single(out, place), sum);
      store<f32>(single(z, place), sum + beta * (sum - load<f32>(single(last, place))));
    }
  }
}

/** Columns j .. j + 7 of four rows. */
function eightColumns(
  v: usize, matrix: usize, last: usize, out: usize, z: usize, beta: f32, d: i32, stride: i32, j: i32,
): void {
  const step = (<usize>stride) << 2;
  let row = single(matrix, j), a = v, b = a + step, c = b + step, e = c + step;
  let a0 = f32x4.splat(0), a1 = a0, b0 = a0, b1 = a0, c0 = a0, c1 = a0, e0 = a0, e1 = a0;
  for (const end = single(v, d); a < end; a += 4, row += step) {
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

/** out f32[stride] <- z + h - A z, A f32[d, stride], `out` apart from z. */
export function descendSingle(form: usize, h: usize, z: usize, out: usize, d: i32, stride: i32): void {
  if (ASC_FEATURE_SIMD) {
    if (stride >= 32) {
      for (let j = 0; j < stride; j += 32) columnsOfStep(form, h, z, out, d, stride, min(j, stride - 32));
    } else {
      for (let j = 0; j < stride; j += 8) eightOfStep(form, h, z, out, d, stride, j);
    }
    return;
  }
  for (let j = 0; j < stride; j++) {
    let sum = load<f32>(single(z, j)) + load<f32>(single(h, j));
    for (let i = 0; i < d; i++) sum -= load<f32>(single(z, i)) * load<f32>(single(form, i * stride + j));
    store<f32>(single(out, j), sum);
  }
}

/** Columns j .. j + 31. */
function columnsOfStep(form: usize, h: usize, z: usize, out: usize, d: i32, stride: i32, j: i32): void {
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
  for (const end = single(z, d); a < end; a += 4, row += step) {
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
function eightOfStep(form: usize, h: usize, z: usize, out: usize, d: i32, stride: i32, j: i32): void {
  const step = (<usize>stride) << 2, point = single(z, j), shift = single(h, j);
  let s0 = f32x4.add(v128.load(point), v128.load(shift));
  let s1 = f32x4.add(v128.load(point, 16), v128.load(shift, 16));
  let row = single(form, j), a = z;
  for (const end = single(z, d); a < end; a += 4, row += step) {
    const v = v128.load32_splat(a);
    s0 = f32x4.sub(s0, f32x4.mul(v, v128.load(row)));
    s1 = f32x4.sub(s1, f32x4.mul(v, v128.load(row, 16)));
  }
  v128.store(single(out, j), s0);
  v128.store(single(out, j + 4), s1);
}
