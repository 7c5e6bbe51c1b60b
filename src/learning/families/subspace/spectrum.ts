/**
 * Which directions of a noisy covariance stand out: a pure function of the release.
 *
 * Two things hide a direction: the release's noise, whose spectral edge is known, and the scatter of the tasks' own
 * directions, which shows in the lower half of the spectrum, where no signal is. An eigenvalue counts that lies above
 * the median by more than the larger of the two.
 * @module
 */
import { eigh, type Eigendecomposition } from "../../../linalg/index.js";
import { multiply, symmetric, transpose } from "../../../linalg/small-matrices.js";
import { LEAST_VARIANCE, STANDS_OUT, TENTH_OF_SEMICIRCLE } from "./settings.js";

/** An orthonormal basis of k directions, [k, d] row by row. */
export interface Subspace {
  readonly k: number;
  readonly d: number;
  readonly basis: Float64Array;
}

/** What a noisy covariance says. */
export interface StartingSubspace extends Subspace {
  /** Its eigenvalues, descending, [d]. */
  readonly spectrum: Float64Array;
  /** The covariance without what the noise adds to its spectrum, of trace d, [d, d]. */
  readonly covariance: Float64Array;
}

/**
 * @param sum noisy sum of u u^T, [d, d], symmetric.
 * @param edge spectral edge of its noise.
 * @param most directions to take at most.
 * @param m tasks: the trace of the sum without noise, or more.
 */
export function standingOut(
  sum: Float64Array,
  d: number,
  { edge: noise, most, m }: { edge: number; most: number; m: number },
): StartingSubspace {
  const { values, vectors } = eigh(sum, d);
  const median = quantile(values, 0.5);
  const scatter = (median - quantile(values, 0.1)) / TENTH_OF_SEMICIRCLE;
  // Of unit vectors that lie anywhere the sampling error is a semicircle of its own; variances add up.
  const isotropic = Math.sqrt(noise ** 2 + (4 * m) / d);
  const edge = STANDS_OUT * Math.max(isotropic, scatter);
  let k = 0;
  while (k < Math.min(most, d) && values[k]! - median > edge) k++;
  const basis = new Float64Array(k * d);
  for (let a = 0; a < k; a++) for (let j = 0; j < d; j++) basis[a * d + j] = vectors[j * d + a]!;
  return {
    k,
    d,
    basis,
    spectrum: values,
    covariance: withoutNoise({ values, vectors }, { edge: noise, m }),
  };
}

/**
 * The covariance of trace d after the noise is taken out. Noise whose eigenvalues are a semicircle of radius e moves an
 * eigenvalue theta to lambda = theta + e^2 / (4 theta) and turns its vector, of which theta - e^2 / (4 theta) =
 * sqrt(lambda^2 - e^2) is then the best multiple; within the edge nothing is left. What is missing of the trace, at most the
 * tasks' number, is spread evenly.
 */
function withoutNoise(
  { values, vectors }: Eigendecomposition,
  { edge, m }: { edge: number; m: number },
): Float64Array {
  const d = values.length;
  const kept = values.map((value) => (value > edge ? Math.sqrt(value ** 2 - edge ** 2) : 0));
  const rest = Math.max(m - kept.reduce((sum, value) => sum + value, 0), 0) / d;
  const least = LEAST_VARIANCE * (m / d);
  const total = kept.reduce((sum, value) => sum + value + Math.max(rest, least), 0);
  const variances = kept.map((value) => (d * (value + Math.max(rest, least))) / total);
  const scaled = vectors.map((value, at) => value * variances[at % d]!);
  return symmetric(multiply(scaled, transpose(vectors, d, d), d, d, d), d);
}

/** The q-quantile of descending values, linear between two. */
function quantile(descending: Float64Array, q: number): number {
  const at = (1 - q) * (descending.length - 1);
  const low = Math.floor(at);
  const next = Math.min(low + 1, descending.length - 1);
  return descending[low]! + (at - low) * (descending[next]! - descending[low]!);
}

/** Orthonormal rows for the same span, by Gram-Schmidt, twice; in place. */
export function orthonormal(basis: Float64Array, k: number, d: number): void {
  for (let a = 0; a < k; a++) {
    const row = basis.subarray(a * d, (a + 1) * d);
    for (let pass = 0; pass < 2; pass++) {
      for (let b = 0; b < a; b++) {
        const other = basis.subarray(b * d, (b + 1) * d);
        let dot = 0;
        for (let j = 0; j < d; j++) dot += row[j]! * other[j]!;
        for (let j = 0; j < d; j++) row[j]! -= dot * other[j]!;
      }
      let square = 0;
      for (let j = 0; j < d; j++) square += row[j]! ** 2;
      const root = Math.sqrt(square);
      for (let j = 0; j < d; j++) row[j]! /= root;
    }
  }
}
