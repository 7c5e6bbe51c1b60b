/**
 * Elementwise and row operations of the proximal steps. All f64, row-major; outputs may be their
 * inputs, and nothing is allocated. Sizes are checked by the TypeScript caller.
 */

import { at } from "./address";
import { dot as dotRun } from "./blas/vector";

/** y += alpha x for f64[n]. */
export function axpy(alpha: f64, x: usize, y: usize, n: i32): void {
  combine(1.0, y, alpha, x, y, n);
}

/** out = alpha a + beta b for f64[n]; a factor of exactly 1 costs no rounding. */
export function combine(alpha: f64, a: usize, beta: f64, b: usize, out: usize, n: i32): void {
  let i = 0;
  if (ASC_FEATURE_SIMD) {
    const alphas = f64x2.splat(alpha), betas = f64x2.splat(beta);
    for (const even = n & ~1; i < even; i += 2) {
      const left = f64x2.mul(alphas, v128.load(at(a, i)));
      v128.store(at(out, i), f64x2.add(left, f64x2.mul(betas, v128.load(at(b, i)))));
    }
  }
  for (; i < n; i++) {
    store<f64>(at(out, i), alpha * load<f64>(at(a, i)) + beta * load<f64>(at(b, i)));
  }
}

/** out = a + beta (a - b) for f64[n]. */
export function extrapolate(a: usize, b: usize, out: usize, n: i32, beta: f64): void {
  let i = 0;
  if (ASC_FEATURE_SIMD) {
    const betas = f64x2.splat(beta);
    for (const even = n & ~1; i < even; i += 2) {
      const x = v128.load(at(a, i));
      const step = f64x2.mul(betas, f64x2.sub(x, v128.load(at(b, i))));
      v128.store(at(out, i), f64x2.add(x, step));
    }
  }
  for (; i < n; i++) {
    const x = load<f64>(at(a, i));
    store<f64>(at(out, i), x + beta * (x - load<f64>(at(b, i))));
  }
}

/** out row i = z row i - steps[i] * g row i, f64[m, d], steps f64[m]. */
export function gradientStep(z: usize, g: usize, steps: usize, out: usize, m: i32, d: i32): void {
  const stride = (<usize>d) << 3;
  for (let i = 0; i < m; i++) {
    const row = <usize>i * stride;
    combine(1.0, z + row, -load<f64>(at(steps, i)), g + row, out + row, d);
  }
}

/** out = factor v for f64[n]. */
function scale(v: usize, factor: f64, out: usize, n: i32): void {
  let i = 0;
  if (ASC_FEATURE_SIMD) {
    const factors = f64x2.splat(factor);
    for (const even = n & ~1; i < even; i += 2) {
      v128.store(at(out, i), f64x2.mul(factors, v128.load(at(v, i))));
    }
  }
  for (; i < n; i++) store<f64>(at(out, i), factor * load<f64>(at(v, i)));
}

/**
 * Euclidean norm of f64[n]. Where the plain sum of squares leaves the safe range, it is taken again
 * of v scaled by its largest entry.
 */
function norm2(v: usize, n: i32): f64 {
  const squares = dot(v, v, n);
  if (squares > 1e-280 && squares < 1e300) return Math.sqrt(squares);
  if (squares != squares) return squares;
  let largest = 0.0;
  for (let i = 0; i < n; i++) {
    largest = Math.max(largest, Math.abs(load<f64>(at(v, i))));
  }
  if (largest == 0.0 || !(largest < Infinity)) return largest;
  let sum = 0.0;
  for (let i = 0; i < n; i++) {
    const x = load<f64>(at(v, i)) / largest;
    sum += x * x;
  }
  return largest * Math.sqrt(sum);
}

const LEAST_FACTOR: f64 = 1e-290;
const HALF_WAY: f64 = 7.458340731200207e-155; // 2^-512

/**
 * Row i of out = row i of v / max(1, ||row|| / bound), f64[m, d]. Returns how many rows were cut.
 *
 * What privacy rests on holds after rounding too: no row of `out` has a norm above `bound`. So rows
 * are cut at, and to, a bound smaller by a few ulp per term of the norm; clipping twice cuts
 * nothing more. A row with NaN or an infinity becomes 0 and counts as cut: one task's divergence
 * must neither show in nor spoil what is computed from all of them.
 */
export function clipRows(v: usize, out: usize, m: i32, d: i32, bound: f64): i32 {
  const stride = (<usize>d) << 3;
  // Above the relative error of `norm2` and of the scaling together.
  const slack = (<f64>d * 0.125 + 32.0) * 2.220446049250313e-16;
  const limit = bound * (1.0 - slack);
  const target = bound * (1.0 - 2.0 * slack);
  let cut = 0;
  for (let i = 0; i < m; i++) {
    const from = v + <usize>i * stride;
    const to = out + <usize>i * stride;
    const norm = norm2(from, d);
    if (norm <= limit) {
      if (from != to) scale(from, 1.0, to, d);
      continue;
    }
    cut++;
    if (!(norm < Infinity)) {
      memory.fill(to, 0, stride);
      continue;
    }
    const factor = target / norm;
    if (factor >= LEAST_FACTOR) scale(from, factor, to, d);
    else {
      // Near the smallest doubles a factor has no relative precision: half of it first.
      scale(from, HALF_WAY, to, d);
      const rest = target / (norm * HALF_WAY);
      scale(to, rest >= LEAST_FACTOR ? rest : 0.0, to, d);
    }
  }
  return cut;
}

/** out[i] = sign(v[i]) max(0, |v[i]| - threshold) for f64[n]. */
export function softThreshold(v: usize, out: usize, n: i32, threshold: f64): void {
  for (let i = 0; i < n; i++) {
    const x = load<f64>(at(v, i));
    store<f64>(at(out, i), Math.max(0.0, x - threshold) + Math.min(0.0, x + threshold));
  }
}

/** Row i of out = row i of v times max(0, 1 - threshold / ||row i||), f64[m, d]. */
export function shrinkRows(v: usize, out: usize, m: i32, d: i32, threshold: f64): void {
  const stride = (<usize>d) << 3;
  for (let i = 0; i < m; i++) {
    const from = v + <usize>i * stride;
    const norm = norm2(from, d);
    const factor = norm > threshold ? 1.0 - threshold / norm : norm == norm ? 0.0 : NaN;
    scale(from, factor, out + <usize>i * stride, d);
  }
}

/** out[i] = max(0, 1 - threshold / sqrt(squares[i])), 0 where squares[i] <= 0, for f64[n]. */
export function shrinkFactors(squares: usize, out: usize, n: i32, threshold: f64): void {
  for (let i = 0; i < n; i++) {
    const square = load<f64>(at(squares, i));
    const factor = square > 0.0 ? Math.max(0.0, 1.0 - threshold / Math.sqrt(square)) : 0.0;
    store<f64>(at(out, i), factor);
  }
}

/** out[i, j] = v[i, j] factors[j], f64[m, d], factors f64[d]. */
export function scaleColumns(v: usize, factors: usize, out: usize, m: i32, d: i32): void {
  const stride = (<usize>d) << 3;
  for (let i = 0; i < m; i++) {
    const from = v + <usize>i * stride;
    const to = out + <usize>i * stride;
    let j = 0;
    if (ASC_FEATURE_SIMD) {
      for (const even = d & ~1; j < even; j += 2) {
        v128.store(at(to, j), f64x2.mul(v128.load(at(from, j)), v128.load(at(factors, j))));
      }
    }
    for (; j < d; j++) store<f64>(at(to, j), load<f64>(at(from, j)) * load<f64>(at(factors, j)));
  }
}

const DOT_BLOCK: i32 = 1024;

/** sum_i a[i] b[i] for f64[n]: blocks of DOT_BLOCK added in order; both builds, same bits. */
export function dot(a: usize, b: usize, n: i32): f64 {
  let total = 0.0;
  for (let i = 0; i < n; i += DOT_BLOCK) {
    total += dotRun(at(a, i), at(b, i), min(DOT_BLOCK, n - i));
  }
  return total;
}
