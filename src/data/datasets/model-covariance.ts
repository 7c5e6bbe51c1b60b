/**
 * A covariance of tasks' models that a caller gives for a simulation, checked, and its root.
 * @module
 */
import { eigh } from "../../linalg/index.js";

/** Part of the largest entry or eigenvalue up to which a difference counts as rounding. */
const ROUNDING = 1e-10;

/** What a covariance stands beside. */
interface Beside {
  readonly pattern: string;
  readonly clusters?: number;
  readonly variance?: number;
}

/**
 * A, [m, m], with A A^T = Sigma: eigenvectors times the roots of the eigenvalues.
 *
 * @throws RangeError if Sigma is not [m, m], symmetric and positive semi-definite, or stands beside what it replaces.
 */
export function rootOfCovariance(
  covariance: ArrayLike<number>,
  m: number,
  { pattern, clusters, variance }: Beside,
): Float64Array {
  if (pattern !== "low-rank" || clusters !== undefined || variance !== undefined) {
    throw new RangeError(
      'covariance: expected with pattern "low-rank", without clusters and variance, which it replaces',
    );
  }
  if (covariance.length !== m * m) {
    throw new RangeError(
      `covariance: expected ${m} x ${m} = ${m * m} numbers for ${m} tasks, got ${covariance.length}`,
    );
  }
  const sigma = Float64Array.from(covariance);
  const largest = sigma.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  for (let i = 0; i < m; i++) {
    for (let j = 0; j <= i; j++) {
      const [below, above] = [sigma[i * m + j]!, sigma[j * m + i]!];
      if (!(Math.abs(below - above) <= ROUNDING * largest)) {
        throw new RangeError(
          `covariance: expected a symmetric matrix of finite numbers; entries (${i}, ${j}) and (${j}, ${i}) are none, or differ`,
        );
      }
      sigma[i * m + j] = sigma[j * m + i] = (below + above) / 2;
    }
  }
  const { values, vectors } = eigh(sigma, m);
  if (values[m - 1]! < -ROUNDING * Math.max(values[0]!, 0)) {
    throw new RangeError(
      "covariance: expected no negative eigenvalue; such a matrix is nobody's covariance",
    );
  }
  return vectors.map((entry, at) => entry * Math.sqrt(Math.max(0, values[at % m]!)));
}
