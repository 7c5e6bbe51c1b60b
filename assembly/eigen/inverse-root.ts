/**
 * I - t A^{-1/2} of a symmetric A whose eigenvalues lie close together, without finding them.
 *
 * With A = Q T Q^T, T tridiagonal, A^{-1/2} = Q T^{-1/2} Q^T; and T^{-1/2} is a sum of inverses of T + s I, whose entries follow
 * from each other. The sum is the one whose largest error is smallest (Zolotarev 1877), as Hale, Higham and Trefethen (2008) write it,
 * "Computing A^alpha, log(A), and related matrix functions by contour integrals", method 3. Less than half the time of eigenvectors
 * and of their product, from 17 rows on.
 */
import { mirrorUpper } from "../blas/symmetric";
import { maxAbs } from "../blas/vector";
import { addInverses, inversesWorkspace, turnBack } from "./tridiagonal-inverses";

/** A bound of the largest eigenvalue to the smallest, at most. */
const RATIO: f64 = 256;
/** Inverses, whose sum is off by 1.4e-16 of itself on [1 / RATIO, 1]. */
const TERMS: i32 = 16;
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
  addRoot(d, e, n, most, -t * sqrt(most), sum, step, products + step);
  mirrorUpper(sum, ld);
  turnBack(sum, v, ld, tau, n, products);
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
  return 8 * ld * (ld + 1) + 2 * <f64>ROW + inversesWorkspace(<i32>ld, TERMS);
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

/** sum[n,n] += scale (T / most)^{-1/2} / most on and right of the diagonal. */
function addRoot(
  d: usize, e: usize, n: i32, most: f64, scale: f64, sum: usize, step: usize, work: usize,
): void {
  const shifts = work;
  const weights = shifts + ROW;
  for (let k: usize = 0; k < ROW; k += 16) {
    const root = load<f64>(terms + k);
    const factor = scale * load<f64>(terms + k, 8);
    const other = 0.0625 / root;
    store<f64>(shifts + k, most * root * root);
    store<f64>(shifts + k, most * other * other, 8);
    store<f64>(weights + k, factor * root);
    store<f64>(weights + k, factor * other, 8);
  }
  addInverses(d, e, n, shifts, weights, TERMS, sum, step, weights + ROW);
}
