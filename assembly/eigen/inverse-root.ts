/**
 * I - t A^{-1/2} of a symmetric A whose eigenvalues lie close together, without finding them.
 *
 * With A = Q T Q^T, T tridiagonal, A^{-1/2} = Q T^{-1/2} Q^T; and T^{-1/2} is a sum of inverses of T + s I, whose entries follow
 * from each other. The sum is the one whose largest error is smallest (Zolotarev 1877), as Hale, Higham and Trefethen (2008) write it,
 * "Computing A^alpha, log(A), and related matrix functions by contour integrals", method 3. Less than half the time of eigenvectors
 * and of their product, from 17 rows on.
 */
import { rowsTimes } from "../blas/rows";
import { mirrorUpper } from "../blas/symmetric";
import { maxAbs } from "../blas/vector";
import { addMultiples } from "./form-q";
import { reflectBoth } from "./unblocked";

/** A bound of the largest eigenvalue to the smallest, at most. */
const RATIO: f64 = 256;
/** Bytes of a number for each of the 16 terms, whose sum is off by 1.4e-16 of itself on [1 / RATIO, 1]. */
const ROW: usize = 128;
/**
 * x^{-1/2} = sum_j t_j c_j / (x + t_j^2), j = 1 .. 16: t_j and c_j of the first eight; t_{17-j} = 1 / (16 t_j), c_{17-j} = c_j. With
 * Jacobi's functions of parameter 1 - 1/256, quarter period K, at u = (j - 1/2) K / 16: t = sn / (16 cn), c = 2 K dn / (16 pi cn sn).
 */
const terms: usize = memory.data<f64>([
  0.0081518841839546253, 1.28043940594971537, 0.02501276648836531, 0.445834049416315927,
  0.0435850670431624173, 0.289780404839026848, 0.0651474861632573899, 0.229970539210198544,
  0.0912011704887162677, 0.201587115747340676, 0.123595487214605583, 0.186980779981510264,
  0.164705916059523102, 0.17950788650876151, 0.217711886564048228, 0.176324235316670876,
]);

/**
 * out[n,n] <- I - t A^{-1/2}, where all eigenvalues of A are above t^2, and close together.
 *
 * v, tau the reflectors of A = Q T Q^T, `ld` entries apart, as `tridiagonalise` leaves them; d, e f64[n], T
 * work   `inverseRootWorkspace(n)` bytes
 * Returns whether they are; else nothing is written.
 * Cost: 2 n^3 + 16 n^2 flops and 32 n divisions. Error: a small multiple of 2^-53 t ||A^{-1/2}|| times the ratio of the eigenvalues.
 */
export function shrinkClose(
  v: usize, ld: i32, tau: usize, d: usize, e: usize, n: i32, t: f64, out: usize, work: usize,
): bool {
  const most = maxAbs(d, n) + 2 * maxAbs(e, n);
  if (!isAbove(max(most / RATIO, t * t), d, e, n)) return false;
  const step = (<usize>ld) << 3;
  const sum = work;
  const products = sum + <usize>ld * step;
  memory.fill(sum, 0, <usize>ld * step);
  addInverses(d, e, n, most, -t * sqrt(most), sum, step, products + step);
  mirrorUpper(sum, ld);
  for (let j = n - 2; j >= 0; j--) {
    const factor = load<f64>(tau + ((<usize>j) << 3));
    if (factor == 0) continue;
    const group = (j + 1) & ~3;
    const at = (<usize>group) << 3;
    const x = v + <usize>j * step + at;
    let above = sum + at;
    // What lies above the rows that the reflector turns is only multiplied from the right.
    rowsTimes(above, step, group, x, ld - group, -factor, products);
    for (let i = 0; i < group; i += 4) {
      addMultiples(above, step, products + ((<usize>i) << 3), x, ld - group);
      above += step << 2;
    }
    reflectBoth(above, step, x, factor, products, ld - group, 0);
  }
  for (let i = 0; i < n; i++) {
    const row = sum + <usize>i * step;
    const own = row + ((<usize>i) << 3);
    store<f64>(own, 1 + load<f64>(own));
    memory.copy(out + ((<usize>(i * n)) << 3), row, (<usize>n) << 3);
  }
  mirrorUpper(out, n);
  return true;
}

export function inverseRootWorkspace(n: i32): f64 {
  const ld = <f64>((n + 3) & ~3);
  return 8 * ld * (ld + 1) + <f64>ROW * (2 * ld + 5);
}

/** Whether all eigenvalues of T are above `low`, which its pivots tell. */
function isAbove(low: f64, d: usize, e: usize, n: i32): bool {
  let coupled: f64 = 0;
  for (const end = d + ((<usize>n) << 3); d < end; d += 8) {
    const pivot = load<f64>(d) - low - coupled;
    if (!(pivot > 0)) return false;
    coupled = (load<f64>(e) * load<f64>(e)) / pivot;
    e += 8;
  }
  return true;
}

/**
 * sum[n,n] <- scale (T / most)^{-1/2} / most on and right of the diagonal. By T + shift I = L D L^T an entry of an inverse is that
 * below it times a ratio, and one on the diagonal follows from the next.
 */
function addInverses(
  d: usize, e: usize, n: i32, most: f64, scale: f64, sum: usize, step: usize, work: usize,
): void {
  const shifts = work;
  const weights = shifts + ROW;
  const entry = weights + ROW;
  const next = entry + ROW;
  const ratios = next + ROW; // zeros, then row by row what an entry is to that below it
  const inverses = ratios + <usize>(n + 1) * ROW;
  for (let k: usize = 0; k < ROW; k += 16) {
    const root = load<f64>(terms + k);
    const factor = scale * load<f64>(terms + k, 8);
    const other = 0.0625 / root;
    store<f64>(shifts + k, most * root * root);
    store<f64>(shifts + k, most * other * other, 8);
    store<f64>(weights + k, factor * root);
    store<f64>(weights + k, factor * other, 8);
  }
  memory.fill(next, 0, 2 * ROW);
  let before: f64 = 0;
  for (let i = 0; i < n; i++) {
    const own = load<f64>(d + ((<usize>i) << 3));
    const after = load<f64>(e + ((<usize>i) << 3));
    const row = <usize>i * ROW;
    for (let k: usize = 0; k < ROW; k += 8) {
      const at = row + k;
      const pivot = own + load<f64>(shifts + k) + before * load<f64>(ratios + at);
      store<f64>(inverses + at, load<f64>(weights + k) / pivot);
      store<f64>(ratios + at, -after / pivot, ROW);
    }
    before = after;
  }
  for (let j = n - 1; j >= 0; j--) {
    const row = <usize>j * ROW;
    for (let k: usize = 0; k < ROW; k += 8) {
      const at = row + k;
      const ratio = load<f64>(ratios + at, ROW);
      const x = load<f64>(inverses + at) + ratio * ratio * load<f64>(next + k);
      store<f64>(next + k, x);
      store<f64>(entry + k, x);
    }
    let to = sum + <usize>j * (step + 8);
    for (let at = ratios + row; at >= ratios; at -= ROW) {
      store<f64>(to, sumAndGoOn(entry, at));
      to -= step;
    }
  }
}

/** The sum over the terms of an entry, which becomes the one above it. */
@inline function sumAndGoOn(entry: usize, ratios: usize): f64 {
  if (ASC_FEATURE_SIMD) {
    let s = f64x2.splat(0);
    for (let k: usize = 0; k < ROW; k += 16) {
      const x = v128.load(entry + k);
      s = f64x2.add(s, x);
      v128.store(entry + k, f64x2.mul(x, v128.load(ratios + k)));
    }
    return f64x2.extract_lane(s, 0) + f64x2.extract_lane(s, 1);
  }
  let even: f64 = 0;
  let odd: f64 = 0;
  for (let k: usize = 0; k < ROW; k += 16) {
    const x = load<f64>(entry + k);
    const y = load<f64>(entry + k, 8);
    even += x;
    odd += y;
    store<f64>(entry + k, x * load<f64>(ratios + k));
    store<f64>(entry + k, y * load<f64>(ratios + k, 8), 8);
  }
  return even + odd;
}
