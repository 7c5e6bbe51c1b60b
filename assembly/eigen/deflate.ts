/**
 * Deflation: which eigenpairs of two halves survive their joining unchanged.
 *
 * After Cuppen (1981) and Gu and Eisenstat (1995), "A divide-and-conquer algorithm for the symmetric
 * tridiagonal eigenproblem" (LAPACK dlaed2).
 */
import { rotate } from "../blas/vector";

const EPS: f64 = 1.1102230246251565e-16; // 2^-53

/** Where a vector is nonzero: in the first half's columns, in both, in the second half's. */
export const FIRST: u32 = 0;
export const BOTH: u32 = 1;
export const SECOND: u32 = 2;

/** 8 2^-53 of the largest entry of d[n] and z[n]: what a deflation may cost. */
export function deflationTolerance(d: usize, z: usize, n: i32): f64 {
  let largest: f64 = 0;
  for (let at: usize = 0; at < (<usize>n) << 3; at += 8) {
    largest = max(largest, max(abs(load<f64>(d + at)), abs(load<f64>(z + at))));
  }
  return 8 * EPS * largest;
}

/**
 * Sorts the pairs of diag(d) + rho z z^T into kept ones and deflated ones.
 *
 * d       f64[n]; changed where a rotation deflates
 * z       f64[n]; likewise
 * order   u32[n], ascending order of d
 * kinds   u32[n], FIRST, BOTH or SECOND; changed where a rotation mixes halves
 * rows    row i is vector i, `step` bytes apart, `cols` entries
 * partners rows that are turned alike, or 0: left singular vectors beside right ones
 * tolerance see `deflationTolerance`; the matrix is scaled to norm about 1, so that it is absolute too
 * kept    u32[n] <- the kept, d strictly ascending
 * deflated u32[n] <- the others
 * Returns the number kept. Each deflation perturbs the matrix by at most the tolerance.
 */
export function deflate(
  d: usize,
  z: usize,
  n: i32,
  rho: f64,
  order: usize,
  kinds: usize,
  rows: usize,
  partners: usize,
  step: usize,
  cols: i32,
  tolerance: f64,
  kept: usize,
  deflated: usize,
): i32 {
  let k = 0;
  let out = deflated;
  let previous = -1;
  for (let i = 0; i < n; i++) {
    const next = load<u32>(order + ((<usize>i) << 2));
    const nextAt = (<usize>next) << 3;
    if (rho * abs(load<f64>(z + nextAt)) <= tolerance) {
      store<u32>(out, next);
      out += 4;
      continue;
    }
    if (previous < 0) {
      previous = next;
      continue;
    }
    const previousAt = (<usize>previous) << 3;
    const zp = load<f64>(z + previousAt);
    const zn = load<f64>(z + nextAt);
    const dp = load<f64>(d + previousAt);
    const dn = load<f64>(d + nextAt);
    const both = sqrt(zp * zp + zn * zn);
    const c = zn / both;
    const s = zp / both;
    if (abs((dn - dp) * c * s) <= tolerance) {
      // Nearly equal values: turn the two vectors so that one of them has z = 0.
      store<f64>(z + nextAt, both);
      store<f64>(z + previousAt, 0);
      rotate(rows + <usize>previous * step, rows + <usize>next * step, c, s, cols);
      if (partners) rotate(partners + <usize>previous * step, partners + <usize>next * step, c, s, cols);
      store<f64>(d + previousAt, dp * c * c + dn * s * s);
      store<f64>(d + nextAt, dp * s * s + dn * c * c);
      const kind = kinds + ((<usize>previous) << 2);
      const nextKind = kinds + ((<usize>next) << 2);
      if (load<u32>(kind) != load<u32>(nextKind)) {
        store<u32>(kind, BOTH);
        store<u32>(nextKind, BOTH);
      }
      store<u32>(out, previous);
      out += 4;
    } else {
      store<u32>(kept + ((<usize>k) << 2), previous);
      k++;
    }
    previous = next;
  }
  if (previous >= 0) {
    store<u32>(kept + ((<usize>k) << 2), previous);
    k++;
  }
  return k;
}
