/**
 * Sums of inverses of one symmetric matrix with several shifts, without eigenvectors: with A = Q T Q^T, T tridiagonal, the entries of each
 * (T + s I)^-1 follow from each other, and one pass of reflectors turns their sum back.
 */
import { rowsTimes } from "../blas/rows";
import { addMultiples } from "./form-q";
import { reflectBoth } from "./unblocked";

/**
 * sum[n,n] += sum_k weights_k (T + shifts_k I)^-1 on and right of the diagonal, where all T + shifts_k I are positive definite. By
 * T + shift I = L D L^T an entry of an inverse is that below it times a ratio, and one on the diagonal follows from the next.
 *
 * d, e  f64[n], T
 * terms how many shifts, even
 * step  bytes from a row of `sum` to the next
 * work  `inversesWorkspace(n, terms)` bytes
 * Cost: 2 n^2 flops and n divisions a shift.
 */
export function addInverses(
  d: usize, e: usize, n: i32, shifts: usize, weights: usize, terms: i32, sum: usize, step: usize, work: usize,
): void {
  const width = (<usize>terms) << 3;
  const entry = work;
  const next = entry + width;
  const ratios = next + width; // zeros, then row by row what an entry is to that below it
  const inverses = ratios + <usize>(n + 1) * width;
  memory.fill(next, 0, 2 * width);
  let before: f64 = 0;
  for (let i = 0; i < n; i++) {
    const own = load<f64>(d + ((<usize>i) << 3));
    const after = load<f64>(e + ((<usize>i) << 3));
    const row = <usize>i * width;
    for (let k: usize = 0; k < width; k += 8) {
      const at = row + k;
      const pivot = own + load<f64>(shifts + k) + before * load<f64>(ratios + at);
      store<f64>(inverses + at, load<f64>(weights + k) / pivot);
      store<f64>(ratios + (at + width), -after / pivot);
    }
    before = after;
  }
  for (let j = n - 1; j >= 0; j--) {
    const row = <usize>j * width;
    for (let k: usize = 0; k < width; k += 8) {
      const at = row + k;
      const ratio = load<f64>(ratios + (at + width));
      const x = load<f64>(inverses + at) + ratio * ratio * load<f64>(next + k);
      store<f64>(next + k, x);
      store<f64>(entry + k, x);
    }
    let to = sum + <usize>j * (step + 8);
    for (let at = ratios + row; at >= ratios; at -= width) {
      store<f64>(to, load<f64>(to) + sumAndGoOn(entry, at, width));
      to -= step;
    }
  }
}

/** A multiple of 16. */
export function inversesWorkspace(n: i32, terms: i32): f64 {
  return 8 * <f64>terms * (2 * <f64>n + 3);
}

/** The sum over the terms of an entry, which becomes the one above it. */
@inline function sumAndGoOn(entry: usize, ratios: usize, width: usize): f64 {
  if (ASC_FEATURE_SIMD) {
    let s = f64x2.splat(0);
    for (let k: usize = 0; k < width; k += 16) {
      const x = v128.load(entry + k);
      s = f64x2.add(s, x);
      v128.store(entry + k, f64x2.mul(x, v128.load(ratios + k)));
    }
    return f64x2.extract_lane(s, 0) + f64x2.extract_lane(s, 1);
  }
  let even: f64 = 0;
  let odd: f64 = 0;
  for (let k: usize = 0; k < width; k += 16) {
    const x = load<f64>(entry + k);
    const y = load<f64>(entry + k, 8);
    even += x;
    odd += y;
    store<f64>(entry + k, x * load<f64>(ratios + k));
    store<f64>(entry + k, y * load<f64>(ratios + k, 8), 8);
  }
  return even + odd;
}

/**
 * a[ld,ld] <- Q A Q^T on and above the diagonal, A symmetric, both triangles.
 *
 * v, tau   the reflectors of Q, `ld` entries apart, as `tridiagonalise` leaves them
 * products f64[ld]
 * Cost: 2 n^3 flops.
 */
export function turnBack(a: usize, v: usize, ld: i32, tau: usize, n: i32, products: usize): void {
  const step = (<usize>ld) << 3;
  for (let j = n - 2; j >= 0; j--) {
    const factor = load<f64>(tau + ((<usize>j) << 3));
    if (factor == 0) continue;
    const group = (j + 1) & ~3;
    const at = (<usize>group) << 3;
    const x = v + <usize>j * step + at;
    let above = a + at;
    // What lies above the rows that the reflector turns is only multiplied from the right.
    rowsTimes(above, step, group, x, ld - group, -factor, products);
    for (let i = 0; i < group; i += 4) {
      addMultiples(above, step, products + ((<usize>i) << 3), x, ld - group);
      above += step << 2;
    }
    reflectBoth(above, step, x, factor, products, ld - group, 0);
  }
}
