/**
 * Householder reduction of a small symmetric matrix to tridiagonal form, one reflector at a time: panels
 * (`tridiagonalise.ts`) pay from orders on whose matrices leave the first cache.
 *
 * Every step multiplies what is left by the reflector's vector, then corrects it: A -= v w^T + w v^T. Only entries on and
 * above the diagonal are read and corrected, in bands of four rows.
 */
import { addSymmetricTimes } from "../blas/rows";
import { dot } from "../blas/vector";
import { reflector } from "./householder";

/** As `tridiagonalise`, of an order of at least 1. @param w f64[ld]. Cost: 4 n^3 / 3 flops. */
export function tridiagonaliseSmall(
  a: usize, n: i32, ld: i32, d: usize, e: usize, tau: usize, w: usize,
): void {
  const step = (<usize>ld) << 3;
  for (let j = 0; j < n - 1; j++) {
    const at = (<usize>j) << 3;
    const row = a + <usize>j * step;
    store<f64>(d + at, load<f64>(row + at));
    store<f64>(e + at, reflector(row + at + 8, n - 1 - j, tau + at));
    const group = (j + 1) & ~3;
    zeroFrom(row, group, j + 1);
    const first = (<usize>group) << 3;
    const rest = a + <usize>group * step + first;
    // Rows and columns that are done, in the group of those that are not, are left as they are.
    reflectBoth(rest, step, row + first, load<f64>(tau + at), w, ld - group, j + 1 - group);
  }
  const last = (<usize>(n - 1)) << 3;
  store<f64>(d + last, load<f64>(a + <usize>(n - 1) * step + last));
  store<f64>(e + last, 0);
}

/**
 * A[n, n] <- H A H on and above the diagonal, H = I - t v v^T, n a multiple of 4.
 * @param done leading rows and columns that stay as they are, where v is zero, fewer than 4. @param p f64[n] of scratch.
 */
export function reflectBoth(a: usize, step: usize, v: usize, t: f64, p: usize, n: i32, done: i32): void {
  if (t == 0) return;
  zeroFrom(p, 0, n);
  addSymmetricTimes(a, step, v, p, n);
  combine(t, p, -0.5 * t * t * dot(p, v, n), v, n);
  zeroFrom(p, 0, done);
  correct(a, step, v, p, n);
}

/** Zeros entries from..to-1 of a row. */
@inline export function zeroFrom(row: usize, from: i32, to: i32): void {
  for (let i = from; i < to; i++) store<f64>(row + ((<usize>i) << 3), 0);
}

/** x <- alpha x + beta y. */
@inline export function combine(alpha: f64, x: usize, beta: f64, y: usize, n: i32): void {
  const end = x + ((<usize>n) << 3);
  if (ASC_FEATURE_SIMD) {
    const p = f64x2.splat(alpha);
    const q = f64x2.splat(beta);
    while (x < end) {
      v128.store(x, f64x2.add(f64x2.mul(p, v128.load(x)), f64x2.mul(q, v128.load(y))));
      x += 16;
      y += 16;
    }
  } else {
    while (x < end) {
      store<f64>(x, alpha * load<f64>(x) + beta * load<f64>(y));
      x += 8;
      y += 8;
    }
  }
}

/** A[n, n] -= v w^T + w v^T from the diagonal's 4 x 4 blocks on, n a multiple of 4. */
function correct(a: usize, step: usize, v: usize, w: usize, n: i32): void {
  for (; n > 0; n -= 4) {
    correctFour(a, step, v, w, n);
    a += (step << 2) + 32;
    v += 32;
    w += 32;
  }
}

/** The first four rows. */
function correctFour(a: usize, step: usize, v: usize, w: usize, n: i32): void {
  const end = (<usize>n) << 3;
  if (ASC_FEATURE_SIMD) {
    const b = a + step, c = b + step, d = c + step;
    const v0 = v128.load64_splat(v), v1 = v128.load64_splat(v, 8);
    const v2 = v128.load64_splat(v, 16), v3 = v128.load64_splat(v, 24);
    const w0 = v128.load64_splat(w), w1 = v128.load64_splat(w, 8);
    const w2 = v128.load64_splat(w, 16), w3 = v128.load64_splat(w, 24);
    for (let i: usize = 0; i < end; i += 16) {
      const x = v128.load(v + i), y = v128.load(w + i);
      corrected(a + i, v0, y, w0, x);
      corrected(b + i, v1, y, w1, x);
      corrected(c + i, v2, y, w2, x);
      corrected(d + i, v3, y, w3, x);
    }
    return;
  }
  for (let r: usize = 0; r < 32; r += 8, a += step) {
    const own = load<f64>(v + r), other = load<f64>(w + r);
    for (let i: usize = 0; i < end; i += 8) {
      store<f64>(a + i, load<f64>(a + i) - own * load<f64>(w + i) - other * load<f64>(v + i));
    }
  }
}

@inline function corrected(at: usize, v: v128, y: v128, w: v128, x: v128): void {
  v128.store(at, f64x2.sub(f64x2.sub(v128.load(at), f64x2.mul(v, y)), f64x2.mul(w, x)));
}
