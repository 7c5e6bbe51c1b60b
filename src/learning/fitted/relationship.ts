/**
 * The task relationship matrix of given models.
 * @module
 */
import { svd, syrk } from "../../linalg/index.js";

/**
 * Omega = (W^T W)^(1/2) / tr (W^T W)^(1/2), the minimiser of tr(W Omega^-1 W^T) over Omega >= 0,
 * tr Omega = 1; I / m where W is zero and every Omega is as good.
 *
 * @param weights W, [m, d], row i is task i.
 * @returns Omega, [m, m].
 * @see Zhang and Yeung (2010), equation (11).
 */
export function taskRelationship(weights: Float64Array, m: number, d: number): Float64Array {
  const { u, s } = svd(weights, m, d);
  const trace = s.reduce((sum, value) => sum + value, 0);
  if (trace === 0) {
    return new Float64Array(m * m).map((_, k) => (k % (m + 1) === 0 ? 1 / m : 0));
  }
  // W^T W = U diag(s^2) U^T in this layout, so Omega = R^T R with rows sqrt(s_k / trace) u_k.
  const roots = new Float64Array(s.length * m);
  for (let k = 0; k < s.length; k++) {
    const scale = Math.sqrt(s[k]! / trace);
    for (let i = 0; i < m; i++) roots[k * m + i] = scale * u[i * s.length + k]!;
  }
  return syrk(roots, s.length, m);
}
