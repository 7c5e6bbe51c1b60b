/**
 * The task relationship matrix of given models.
 * @module
 */
import { largest } from "../../core/largest.js";
import { addMultiple, dot } from "../../linalg/dot.js";
import { svd, syrk } from "../../linalg/index.js";
import { transpose } from "../../linalg/small-matrices.js";

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
  // W^T W = U diag(s^2) U^T in this layout, so Omega = R^T R with rows sqrt(s_k / trace) u_k. What is rounding of models of low rank is not multiplied.
  const rank = s.filter((value) => value > ROUNDING * s[0]!).length;
  const roots = new Float64Array(rank * m);
  for (let k = 0; k < rank; k++) {
    const scale = Math.sqrt(s[k]! / trace);
    for (let i = 0; i < m; i++) roots[k * m + i] = scale * u[i * s.length + k]!;
  }
  return syrk(roots, rank, m);
}

/** Fewer features than this have a decomposition that is quick in any case. */
const MANY = 128;
/** One direction in so many features is few: to find more takes as long as the decomposition. */
const FEW = 8;
/** What of models may be missed, relative to their norm: about what a decomposition of them does not know. */
const ROUNDING = 2 ** -48;
/** The least sum of squares of which a part of 2^-96 can be told from zero. */
const LEAST_SQUARE = 1e-270;

/**
 * U and s of models that lie in few directions, as those of low rank do, by a decomposition in these; undefined where they do not. Each
 * direction is that of the model of which most is left when the directions before it are taken away.
 */
function inFewDirections(
  weights: Float64Array,
  m: number,
  d: number,
): { readonly u: Float64Array; readonly s: Float64Array } | undefined {
  // What is no number goes to the decomposition, which refuses it.
  if (!(d >= MANY && d <= m)) return undefined;
  const left = weights.slice();
  const rows = Array.from({ length: m }, (_, i) => left.subarray(i * d, (i + 1) * d));
  const squares = Float64Array.from(rows, (row) => dot(row, row));
  const total = () => squares.reduce((sum, square) => sum + square, 0);
  const all = total();
  if (!(all > LEAST_SQUARE && all < Infinity)) return undefined;
  const basis: Float64Array[] = [];
  const along = new Float64Array(m * Math.ceil(d / FEW));
  while (total() > ROUNDING ** 2 * all) {
    const rank = basis.length;
    if (rank > d / FEW - 1) return undefined;
    const direction = directionOf(rows[squares.indexOf(largest(squares))]!, basis);
    rows.forEach((row, i) => {
      const length = dot(row, direction);
      addMultiple(row, -length, direction);
      squares[i] = dot(row, row);
      along[rank * m + i] = length;
    });
    basis.push(direction);
  }
  const rank = basis.length;
  return svd(transpose(along.subarray(0, rank * m), rank, m), m, rank);
}

/** Of length 1, without what rounding has left in it of the others. */
function directionOf(row: Float64Array, others: readonly Float64Array[]): Float64Array {
  const direction = row.slice();
  for (const other of others) addMultiple(direction, -dot(direction, other), other);
  const length = Math.sqrt(dot(direction, direction));
  return direction.map((value) => value / length);
}
