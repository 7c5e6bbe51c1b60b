/**
 * Vectors in single precision, four numbers to a register, in rows of a multiple of 8 entries: to and from doubles, and clipping.
 */

/** Tasks side by side. */
export const QUAD: i32 = 4;
/** Sums of squares below it are far from what single precision does not hold. */
const MOST_SQUARES: f32 = 1e30;

/** Where entry i of a vector of float32s lies. */
@inline export function single(base: usize, i: i32): usize {
  return base + ((<usize>i) << 2);
}

/** out f32[n] <- factor x, x f64[n]. */
export function narrow(x: usize, factor: f64, out: usize, n: i32): void {
  const end = single(out, n);
  if (ASC_FEATURE_SIMD) {
    const factors = f64x2.splat(factor);
    for (const fours = end - 15; out < fours; out += 16, x += 32) {
      const a = f32x4.demote_f64x2_zero(f64x2.mul(factors, v128.load(x)));
      const b = f32x4.demote_f64x2_zero(f64x2.mul(factors, v128.load(x, 16)));
      v128.store(out, v128.shuffle<f64>(a, b, 0, 2));
    }
  }
  for (; out < end; out += 4, x += 8) {
    store<f32>(out, <f32>(factor * load<f64>(x)));
  }
}

/** out f32[n] <- x: of so few that a call of the host's would take longer. */
export function copySingle(x: usize, out: usize, n: i32): void {
  const end = single(out, n);
  if (ASC_FEATURE_SIMD) {
    for (const fours = end - 15; out < fours; out += 16, x += 16) v128.store(out, v128.load(x));
  }
  for (; out < end; out += 4, x += 4) store<f32>(out, load<f32>(x));
}

/** out f64[n] <- factor x, x f32[n]. */
export function widen(x: usize, factor: f64, out: usize, n: i32): void {
  for (const end = single(x, n); x < end; x += 4, out += 8) {
    store<f64>(out, factor * <f64>load<f32>(x));
  }
}

/**
 * Four rows of n entries v <- v / max(1, |v| / bound), and 0 where |v| is not finite; an entry behind them, if there is one, is left as it
 * is. @param mask f32[stride], all bits where entries are, none elsewhere.
 */
export function clipFour(v: usize, mask: usize, n: i32, stride: i32, bound: f64): void {
  const step = (<usize>stride) << 2;
  if (ASC_FEATURE_SIMD) {
    let sa = f32x4.splat(0), sb = sa, sc = sa, se = sa;
    let a = v, own = mask;
    for (const end = a + step; a < end; a += 16, own += 16) {
      const is = v128.load(own);
      sa = addSquares(sa, is, a);
      sb = addSquares(sb, is, a + step);
      sc = addSquares(sc, is, a + 2 * step);
      se = addSquares(se, is, a + 3 * step);
    }
    const squares = sumsOfFour(sa, sb, sc, se);
    const factors = f32x4.div(f32x4.splat(<f32>bound), f32x4.sqrt(squares));
    const calm = f32x4.lt(squares, f32x4.splat(MOST_SQUARES));
    if (!i32x4.extract_lane(calm, 0)) clipWide(v, n, bound);
    else scaleRow(v, v128.shuffle<f32>(factors, factors, 0, 0, 0, 0), mask, step);
    if (!i32x4.extract_lane(calm, 1)) clipWide(v + step, n, bound);
    else scaleRow(v + step, v128.shuffle<f32>(factors, factors, 1, 1, 1, 1), mask, step);
    if (!i32x4.extract_lane(calm, 2)) clipWide(v + 2 * step, n, bound);
    else scaleRow(v + 2 * step, v128.shuffle<f32>(factors, factors, 2, 2, 2, 2), mask, step);
    if (!i32x4.extract_lane(calm, 3)) clipWide(v + 3 * step, n, bound);
    else scaleRow(v + 3 * step, v128.shuffle<f32>(factors, factors, 3, 3, 3, 3), mask, step);
    return;
  }
  for (let k = 0; k < QUAD; k++, v += step) {
    const squares = squaresOf(v, n);
    if (squares < MOST_SQUARES) scaleEntries(v, min<f32>(1, <f32>bound / sqrt<f32>(squares)), n);
    else clipWide(v, n, bound);
  }
}

@inline function addSquares(sum: v128, mask: v128, at: usize): v128 {
  const x = v128.and(mask, v128.load(at));
  return f32x4.add(sum, f32x4.mul(x, x));
}

/** A row times min(1, factor) where the mask is. */
@inline function scaleRow(row: usize, factor: v128, mask: usize, step: usize): void {
  const one = f32x4.splat(1), least = f32x4.pmin(one, factor);
  if (v128.all_true<i32>(f32x4.eq(least, one))) return;
  for (const end = row + step; row < end; row += 16, mask += 16) {
    v128.store(row, f32x4.mul(v128.load(row), v128.bitselect(least, one, v128.load(mask))));
  }
}

/** The sum of each vector's entries. */
@inline function sumsOfFour(a: v128, b: v128, c: v128, e: v128): v128 {
  const left = f32x4.add(v128.shuffle<f32>(a, b, 0, 4, 1, 5), v128.shuffle<f32>(a, b, 2, 6, 3, 7));
  const right = f32x4.add(v128.shuffle<f32>(c, e, 0, 4, 1, 5), v128.shuffle<f32>(c, e, 2, 6, 3, 7));
  return f32x4.add(v128.shuffle<f64>(left, right, 0, 2), v128.shuffle<f64>(left, right, 1, 3));
}

/** The same sum of squares. */
function squaresOf(v: usize, n: i32): f32 {
  return squaresFrom(v, n, 0) + squaresFrom(v, n, 2) + (squaresFrom(v, n, 1) + squaresFrom(v, n, 3));
}

function squaresFrom(v: usize, n: i32, l: i32): f32 {
  let sum: f32 = 0;
  for (let j = l; j < n; j += 4) sum += load<f32>(single(v, j)) * load<f32>(single(v, j));
  return sum;
}

function scaleEntries(v: usize, factor: f32, n: i32): void {
  for (let j = 0; j < n; j++) store<f32>(single(v, j), factor * load<f32>(single(v, j)));
}

/** In double precision, which holds all squares: nothing is released of a model that is not finite, so that 0 does no harm. */
function clipWide(v: usize, n: i32, bound: f64): void {
  let squares = 0.0;
  for (let j = 0; j < n; j++) squares += <f64>load<f32>(single(v, j)) * <f64>load<f32>(single(v, j));
  const norm = Math.sqrt(squares);
  if (norm <= bound) return;
  if (norm < Infinity) scaleEntries(v, <f32>(bound / norm), n);
  else memory.fill(v, 0, (<usize>n) << 2);
}
