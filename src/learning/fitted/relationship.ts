/**
 * The task relationship matrix of given models.
 * @module
 */
import { eigh, gemm, svd, syrk } from "../../linalg/index.js";

/**
 * Omega = (W^T W)^(1/2) / tr (W^T W)^(1/2), the minimiser of tr(W Omega^-1 W^T) over Omega >= 0,
 * tr Omega = 1; I / m where W is zero and every Omega is as good.
 *
 * @param weights W, [m, d], row i is task i.
 * @returns Omega, [m, m].
 * @see Zhang and Yeung (2010), equation (11).
 */
export function taskRelationship(weights: Float64Array, m: number, d: number): Float64Array {
  const { u, s } = inFewDirections(weights, m, d) ?? svd(weights, m, d);
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

/** Fewer features than this have a decomposition that is quick in any case. */
const MANY = 128;
/** Eigenvalues of the models' squares below this times the largest may be rounding. */
const NEGLIGIBLE = 1e-12;
/** What of models may be missed, relative to their norm: about what a decomposition of them does not know. */
const ROUNDING = 2 ** -48;

/**
 * U and s of models that lie in few directions, as those of low rank do, by a decomposition in these; undefined where others are not
 * shown to be rounding.
 */
function inFewDirections(
  weights: Float64Array,
  m: number,
  d: number,
): { readonly u: Float64Array; readonly s: Float64Array } | undefined {
  if (d < MANY || d > m) return undefined;
  const squares = syrk(weights, m, d);
  if (!squares.every(Number.isFinite)) return undefined;
  const { values, vectors } = eigh(squares, d);
  const rank = values.filter((value) => value > NEGLIGIBLE * values[0]!).length;
  if (rank === 0 || rank > d / 4) return undefined;
  const basis = new Float64Array(d * rank);
  const transposed = new Float64Array(rank * d);
  for (let j = 0; j < d; j++) {
    for (let k = 0; k < rank; k++) {
      basis[j * rank + k] = transposed[k * d + j] = vectors[j * d + k]!;
    }
  }
  const along = gemm(weights, basis, m, d, rank);
  const back = gemm(along, transposed, m, rank, d);
  let [missed, all] = [0, 0];
  for (let k = 0; k < weights.length; k++) {
    missed += (weights[k]! - back[k]!) ** 2;
    all += weights[k]! ** 2;
  }
  return missed <= ROUNDING ** 2 * all ? svd(along, m, rank) : undefined;
}
