/**
 * The two products of dense rows: predictions, and the sum of rows. Entries of rows are f64 or f32 (`entries.ts`), all else f64,
 * and sums run in the same order for both.
 */
import { at } from "../address";
import { entry, pair } from "../blas/entries";
import { addScaledOf, dotOf } from "../blas/vector";
import { addFour } from "../blas/add-four";

/** Up to so many features rows are predicted four at a time. */
export const SHORT_ROW: i32 = 64;

/**
 * out[j] <- x_j . w + b for n rows, of T, `stride` bytes apart. Short rows are taken four at a time, which hides the
 * latency of their sums; long ones one by one, because four streams defeat the prefetcher.
 */
export function predictRows<T>(
  x: usize, stride: usize, w: usize, b: f64, out: usize, n: i32, d: i32,
): void {
  const end = out + ((<usize>n) << 3);
  if (d <= SHORT_ROW) {
    for (const fours = out + ((<usize>(n & ~3)) << 3); out < fours; out += 32, x += stride << 2) {
      predictFour<T>(x, stride, w, b, out, d);
    }
    for (; out < end; out += 8, x += stride) store<f64>(out, dotOfPairs<T>(x, w, d) + b);
    return;
  }
  for (; out < end; out += 8, x += stride) store<f64>(out, dotOf<T>(x, w, d) + b);
}

/** sum_i x[i] y[i]: even and odd i apart, as `predictFour` rounds it. */
function dotOfPairs<T>(x: usize, y: usize, n: i32): f64 {
  const size = sizeof<T>();
  const end = x + <usize>n * size;
  let even = 0.0, odd = 0.0;
  for (const pairs = end - (2 * size - 1); x < pairs; x += 2 * size, y += 16) {
    even += entry<T>(x) * load<f64>(y);
    odd += entry<T>(x + size) * load<f64>(y, 8);
  }
  const sum = even + odd;
  return x < end ? sum + entry<T>(x) * load<f64>(y) : sum;
}

function predictFour<T>(x: usize, stride: usize, w: usize, b: f64, out: usize, d: i32): void {
  if (!ASC_FEATURE_SIMD) {
    for (let r: usize = 0; r < 32; r += 8, x += stride) store<f64>(out + r, dotOfPairs<T>(x, w, d) + b);
    return;
  }
  let x1 = x + stride, x2 = x1 + stride, x3 = x2 + stride;
  let s0 = f64x2.splat(0), s1 = s0, s2 = s0, s3 = s0;
  const end = w + ((<usize>d) << 3);
  for (const pairs = end - 15; w < pairs; w += 16) {
    const v = v128.load(w);
    s0 = f64x2.add(s0, f64x2.mul(pair<T>(x), v));
    s1 = f64x2.add(s1, f64x2.mul(pair<T>(x1), v));
    s2 = f64x2.add(s2, f64x2.mul(pair<T>(x2), v));
    s3 = f64x2.add(s3, f64x2.mul(pair<T>(x3), v));
    x += 2 * sizeof<T>();
    x1 += 2 * sizeof<T>();
    x2 += 2 * sizeof<T>();
    x3 += 2 * sizeof<T>();
  }
  let low = f64x2.add(v128.shuffle<f64>(s0, s1, 0, 2), v128.shuffle<f64>(s0, s1, 1, 3));
  let high = f64x2.add(v128.shuffle<f64>(s2, s3, 0, 2), v128.shuffle<f64>(s2, s3, 1, 3));
  if (w < end) {
    const v = v128.load64_splat(w);
    const left = f64x2.replace_lane(f64x2.splat(entry<T>(x)), 1, entry<T>(x1));
    const right = f64x2.replace_lane(f64x2.splat(entry<T>(x2)), 1, entry<T>(x3));
    low = f64x2.add(low, f64x2.mul(left, v));
    high = f64x2.add(high, f64x2.mul(right, v));
  }
  const bias = f64x2.splat(b);
  v128.store(out, f64x2.add(low, bias));
  v128.store(out, f64x2.add(high, bias), 16);
}

/** g += sum_j r_j x_j for n consecutive rows of T. */
export function addRows<T>(r: usize, x: usize, g: usize, n: i32, d: i32): void {
  const stride = <usize>d * sizeof<T>();
  let j = 0;
  for (; j + 4 <= n; j += 4) addFour<T>(at(r, j), x + <usize>j * stride, stride, g, d);
  for (; j < n; j++) addScaledOf<T>(load<f64>(at(r, j)), x + <usize>j * stride, g, d);
}
