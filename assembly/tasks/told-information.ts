/**
 * What rows tell of their model, averaged over hypotheses on their noise, without their spectrum: for w = a + L z, A = L^T X^T X L and K
 * = X L L^T X^T, sum_h p_h A (A + s_h I)^-1, which is
 *   sum_h p_h (I - s_h (A + s_h I)^-1) = L^T X^T sum_h p_h (K + s_h I)^-1 X L:
 * the former of at least as many rows as coordinates, by their moments, the latter of fewer. Sums of inverses follow from a tridiagonal
 * form (`eigen/tridiagonal-inverses.ts`), in a third of the time that eigenvectors take.
 *
 * Every sum but those of the decomposition is taken in the order of a plain loop, so that all builds have the same bits.
 */
import { at } from "../address";
import { combineRows } from "../blas/combine";
import { roundUp4 } from "../blas/gemm";
import { mirrorUpper } from "../blas/symmetric";
import { transpose } from "../blas/transpose";
import { maxAbs, scale, unitScale } from "../blas/vector";
import { addInverses, inversesWorkspace, turnBack } from "../eigen/tridiagonal-inverses";
import { SMALL, tridiagonalise, tridiagonaliseWorkspace } from "../eigen/tridiagonalise";
import { whitenedGram } from "./tall-spectrum";

/** Where the largest eigenvalue may be larger than this many times the smallest noise, rounding would count. */
const RATIO: f64 = 1048576; // 2^20

/** As src/learning/families/mixed/spectra/told-information.ts writes it. */
@unmanaged
export class ToldInformation {
  d: i32;
  /** Hypotheses, even in number: noises f64[count], > 0, and weights f64[count]. */
  count: i32;
  noises: usize;
  weights: usize;
  /** L f64[d, d], zero above the diagonal. */
  factor: usize;
  /** X^T X f64[d, d]; or X f64[n, d]. */
  rows: usize;
  /** f64[count], twice; f64[4, most4], f64[most4, most4], twice, most4 the next multiple of four; f64[d, d], three times. */
  shifts: usize;
  shares: usize;
  lines: usize;
  matrix: usize;
  inverses: usize;
  half: usize;
  turned: usize;
  whole: usize;
  /** `toldInformationWorkspace(most, count)` bytes. */
  work: usize;
}

export function toldInformationWorkspace(n: i32, count: i32): f64 {
  return Math.max(tridiagonaliseWorkspace(n), inversesWorkspace(n, count));
}

/**
 * Adds what rows tell to the lower triangle of f64[d, d] at `sum`: n of them, or where n is 0 those of which `rows` has X^T X.
 * Returns 0, or 1 where that is not known precisely: nothing is added then.
 * Cost, of the order k = d or n: 3.3 k^3 flops; by moments 3 d^3 more, of rows 5 n d^2 and 4 n^2 d.
 */
export function addToldInformation(job: ToldInformation, n: i32, sum: usize): i32 {
  const d = job.d, k = n > 0 ? n : d;
  if (k > SMALL) return 1;
  const ld = roundUp4(k);
  memory.fill(job.matrix, 0, <usize>(ld * ld) << 3);
  if (n > 0) whitenRows(job, n, ld);
  else whitenedGram(job.rows, job.factor, job.matrix, d, ld, job.turned, job.half);
  if (!sumInverses(job, k, ld, n > 0)) return 1;
  if (n > 0) addOfRows(job, n, ld, sum);
  else addOfMoments(job, ld, sum);
  return 0;
}

/** half f64[n, d] <- X L, turned its transpose, and matrix K. */
function whitenRows(job: ToldInformation, n: i32, ld: i32): void {
  const d = job.d;
  for (let i = 0; i < n; i++) combineRows(1.0, 0, at(job.rows, i * d), job.factor, at(job.half, i * d), d, d);
  transpose(job.half, job.turned, n, d);
  for (let i = 0; i < n; i++) combineRows(1.0, 0, at(job.half, i * d), job.turned, at(job.matrix, i * ld), d, n);
}

/**
 * inverses f64[ld, ld] <- sum_h p_h (matrix + s_h I)^-1 or, where it is not `plain`, that times s_h. False where eigenvalues
 * reach too far for that.
 */
function sumInverses(job: ToldInformation, k: i32, ld: i32, plain: bool): bool {
  const count = job.count, step = (<usize>ld) << 3;
  const unit = unitScale(maxAbs(job.matrix, ld * ld));
  if (unit != 1) scale(unit, job.matrix, ld * ld);
  const diagonal = job.lines, off = at(diagonal, ld), tau = at(off, ld), products = at(tau, ld);
  tridiagonalise(job.matrix, k, ld, diagonal, off, tau, job.work);
  const most = maxAbs(diagonal, k) + 2 * maxAbs(off, k);
  let least = Infinity;
  for (let h = 0; h < count; h++) {
    const noise = load<f64>(at(job.noises, h)), weight = load<f64>(at(job.weights, h)), shift = unit * noise;
    least = Math.min(least, shift);
    store<f64>(at(job.shifts, h), shift);
    store<f64>(at(job.shares, h), plain ? unit * weight : shift * weight);
  }
  // False of what is no number, too.
  if (!(most <= RATIO * least)) return false;
  memory.fill(job.inverses, 0, <usize>ld * step);
  addInverses(diagonal, off, k, job.shifts, job.shares, count, job.inverses, step, job.work);
  mirrorUpper(job.inverses, ld);
  turnBack(job.inverses, job.matrix, ld, tau, k, products);
  mirrorUpper(job.inverses, ld);
  return true;
}

function addOfMoments(job: ToldInformation, ld: i32, sum: usize): void {
  const d = job.d;
  let whole = 0.0;
  for (let h = 0; h < job.count; h++) whole += load<f64>(at(job.weights, h));
  for (let c = 0; c < d; c++) {
    const from = at(job.inverses, c * ld), to = at(sum, c * d);
    store<f64>(at(to, c), load<f64>(at(to, c)) + whole);
    for (let e = 0; e <= c; e++) store<f64>(at(to, e), load<f64>(at(to, e)) - load<f64>(at(from, e)));
  }
}

function addOfRows(job: ToldInformation, n: i32, ld: i32, sum: usize): void {
  const d = job.d;
  for (let i = 0; i < n; i++) combineRows(1.0, 0, at(job.inverses, i * ld), job.half, at(job.whole, i * d), n, d);
  // One row at a time, of which the half that nobody asks for takes less than leaving it out.
  for (let c = 0; c < d; c++) {
    const row = at(sum, c * d);
    combineRows(1.0, row, at(job.turned, c * n), job.whole, job.half, n, d);
    memory.copy(row, job.half, (<usize>d) << 3);
  }
}
