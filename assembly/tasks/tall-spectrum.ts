/**
 * The spectrum of a task of at least as many rows as coordinates under a Gaussian prior w = a + L z, by its moments: with
 * L^T X^T X L = W S^2 W^T the squares S^2, the directions W^T and the observations U^T (y - X a) = S^-1 W^T L^T X^T (y - X a).
 *
 * Every sum is taken in the order of a plain loop over coordinates, several sums side by side, so that all builds have the same
 * bits.
 */
import { at } from "../address";
import { combineRows } from "../blas/combine";
import { symmetrize } from "../blas/inspect";
import { transpose } from "../blas/transpose";
import { rationalEigh } from "../eigen/eigh";
import { addScaled } from "../blas/vector";

/** As src/learning/families/mixed/spectra/tall-spectrum.ts writes it. */
@unmanaged
export class TallSpectrum {
  /** Squares below this part of the largest are taken for zero. */
  negligible: f64;
  d: i32;
  /** X^T X f64[d, d], symmetric to the bit, and X^T y f64[d]. */
  gram: usize;
  cross: usize;
  /** a f64[d] and L f64[d, d], zero above the diagonal. */
  center: usize;
  factor: usize;
  /** Results: f64[d], f64[d] and f64[d, d]. */
  squares: usize;
  observed: usize;
  directions: usize;
  /** f64[d], three times, and f64[d, d], three times. */
  left: usize;
  pulled: usize;
  half: usize;
  turned: usize;
  matrix: usize;
  vectors: usize;
  /** `eighWorkspace(d)` bytes. */
  work: usize;
}

/** Of y^T y = square; returns |y - X a|^2, or -1 where the decomposition did not converge. Cost: 3 d^3 flops and that of `eigh`. */
export function tallSpectrum(job: TallSpectrum, square: f64): f64 {
  const d = job.d;
  combineRows(1.0, 0, job.center, job.gram, job.left, d, d);
  let total = square;
  for (let c = 0; c < d; c++) {
    const cross = load<f64>(at(job.cross, c)), left = cross - load<f64>(at(job.left, c));
    store<f64>(at(job.left, c), left);
    total -= load<f64>(at(job.center, c)) * (cross + left);
  }
  combineRows(1.0, 0, job.left, job.factor, job.pulled, d, d);
  whitenedGram(job.gram, job.factor, job.matrix, d, d, job.turned, job.half);
  symmetrize(job.matrix, d);
  if (rationalEigh(job.matrix, job.squares, job.vectors, d, job.work)) return -1.0;
  combineRows(1.0, 0, job.pulled, job.vectors, job.observed, d, d);
  transpose(job.vectors, job.directions, d, d);
  const least = job.negligible * Math.max(load<f64>(job.squares), 0.0);
  for (let j = 0; j < d; j++) {
    const value = load<f64>(at(job.squares, j)), isSeen = value > least && value > 0.0;
    if (!isSeen) store<f64>(at(job.squares, j), 0.0);
    store<f64>(at(job.observed, j), isSeen ? load<f64>(at(job.observed, j)) / Math.sqrt(value) : 0.0);
  }
  return Math.max(total, 0.0);
}

/**
 * The rows of L^T X^T X L, `step` numbers apart.
 * @param turned f64[d, d], which becomes L^T. @param half f64[d] of scratch. Cost: 3 d^3 flops.
 */
export function whitenedGram(
  gram: usize, factor: usize, out: usize, d: i32, step: i32, turned: usize, half: usize,
): void {
  transpose(factor, turned, d, d);
  for (let i = 0; i < d; i++) {
    combineRows(1.0, 0, at(turned, i * d + i), at(gram, i * d), half, d - i, d);
    combineRows(1.0, 0, half, factor, at(out, i * step), d, d);
  }
}

/**
 * Adds to the lower triangle of f64[d, d] at `sum` what rows of k directions tell of their model:
 * sum_j told_j w_j w_j^T, told_j = sum_h priors_h squares_j / (noises_h + squares_j), for `count` hypotheses on the noise.
 */
export function addInformation(
  squares: usize, directions: usize, k: i32, d: i32, noises: usize, priors: usize, count: i32, sum: usize,
): void {
  for (let j = 0; j < k; j++) {
    const square = load<f64>(at(squares, j)), direction = at(directions, j * d);
    let told = 0.0;
    for (let h = 0; h < count; h++) {
      told += (load<f64>(at(priors, h)) * square) / (load<f64>(at(noises, h)) + square);
    }
    for (let c = 0; c < d; c++) {
      addScaled(told * load<f64>(at(direction, c)), direction, at(sum, c * d), c + 1);
    }
  }
}
