/**
 * The spectrum of a task of fewer rows than coordinates under a Gaussian prior w = a + L z: with Z = X L and Z Z^T = U S^2 U^T
 * the squares S^2, the observations U^T (y - X a) and the directions W^T = S^-1 U^T Z.
 *
 * Every sum is taken in the order of a plain loop over coordinates or rows, several sums side by side, so that all builds have
 * the same bits.
 */
import { at } from "../address";
import { combineRows } from "../blas/combine";
import { transpose } from "../blas/transpose";
import { rationalEigh } from "../eigen/eigh";

/** As src/learning/families/mixed/spectra/wide-spectrum.ts writes it. */
@unmanaged
export class WideSpectrum {
  /** Squares below this part of the largest are taken for zero. */
  negligible: f64;
  /** The most rows, and coordinates. */
  most: i32;
  d: i32;
  /** X f64[n, d] and y f64[n]. */
  rows: usize;
  targets: usize;
  /** a f64[d] and L f64[d, d], zero above the diagonal. */
  center: usize;
  factor: usize;
  /** Results: f64[n], f64[n] and f64[n, d]. */
  squares: usize;
  observed: usize;
  directions: usize;
  /** f64[most, d], twice, f64[most], twice, and f64[most, most]. */
  whitened: usize;
  turned: usize;
  residual: usize;
  parts: usize;
  gram: usize;
  vectors: usize;
  /** `eighWorkspace(most)` bytes. */
  work: usize;
}

/** Of n rows; returns |y - X a|^2, or -1 where the decomposition did not converge. Cost: n d (2 d + 4 n) flops and that of `eigh`. */
export function wideSpectrum(job: WideSpectrum, n: i32): f64 {
  const d = job.d;
  let total = 0.0;
  for (let i = 0; i < n; i++) {
    const row = at(job.rows, i * d);
    combineRows(1.0, 0, row, job.factor, at(job.whitened, i * d), d, d);
    let left = load<f64>(at(job.targets, i));
    for (let c = 0; c < d; c++) left -= load<f64>(at(row, c)) * load<f64>(at(job.center, c));
    store<f64>(at(job.residual, i), left);
    total += left * left;
  }
  transpose(job.whitened, job.turned, n, d);
  for (let i = 0; i < n; i++) {
    combineRows(1.0, 0, at(job.whitened, i * d), job.turned, at(job.gram, i * n), d, n);
  }
  if (rationalEigh(job.gram, job.squares, job.vectors, n, job.work)) return -1.0;
  combineRows(1.0, 0, job.residual, job.vectors, job.observed, n, n);
  const least = job.negligible * Math.max(load<f64>(job.squares), 0.0);
  for (let j = 0; j < n; j++) {
    const square = load<f64>(at(job.squares, j)), to = at(job.directions, j * d);
    if (!(square > least)) {
      store<f64>(at(job.squares, j), 0.0);
      store<f64>(at(job.observed, j), 0.0);
      memory.fill(to, 0, (<usize>d) << 3);
      continue;
    }
    const size = Math.sqrt(square);
    for (let i = 0; i < n; i++) {
      store<f64>(at(job.parts, i), load<f64>(at(job.vectors, i * n + j)) / size);
    }
    combineRows(1.0, 0, job.parts, job.whitened, to, n, d);
  }
  return total;
}
