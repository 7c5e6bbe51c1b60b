/**
 * A step of the subspace from noisy sums: a pure function of releases.
 *
 * The gradient's noise is the same in every direction, so each of its columns, in coordinates in which the Gram matrix is
 * diagonal, is drawn towards zero by as much of its square as is expected to be noise (James and Stein 1961).
 * @module
 */
import { eigh, svd } from "../../../linalg/index.js";
import { GRAM_FLOOR } from "./settings.js";
import { orthonormal, type Subspace } from "./spectrum.js";

/** A noisy sum, and the standard deviation of each of its entries. */
export interface NoisySum {
  readonly values: Float64Array;
  readonly deviation: number;
}

/**
 * The next subspace.
 * @param gradient sum of g zh^T, [k, d]: row a is that of direction a.
 * @param gram sum of zh zh^T, [k, k], symmetric; its deviation is that of a diagonal entry.
 */
export function nextSubspace(
  { k, d, basis }: Subspace,
  { gradient, gram }: { gradient: NoisySum; gram: NoisySum },
): Subspace {
  const { values, vectors } = eigh(gram.values, k);
  const floor = Math.max(GRAM_FLOOR * Math.max(values[0]!, 0), gram.deviation * Math.sqrt(2 * k));
  const across = outside(gradient.values, { k, d, basis });
  const step = new Float64Array(k * d);
  const column = new Float64Array(d);
  for (let t = 0; t < k; t++) {
    column.fill(0);
    for (let a = 0; a < k; a++) {
      for (let j = 0; j < d; j++) column[j]! += vectors[a * k + t]! * across[a * d + j]!;
    }
    const square = column.reduce((sum, value) => sum + value * value, 0);
    const noise = (d - k) * gradient.deviation ** 2;
    const kept = square > noise ? 1 - noise / square : 0;
    const factor = kept / Math.max(values[t]!, floor);
    for (let a = 0; a < k; a++) {
      for (let j = 0; j < d; j++) step[a * d + j]! += factor * vectors[a * k + t]! * column[j]!;
    }
  }
  const longest = svd(step, k, d).s[0]!;
  const next = basis.slice();
  for (let at = 0; at < next.length; at++) next[at]! += step[at]! / Math.max(longest, 1);
  orthonormal(next, k, d);
  return { k, d, basis: next };
}

/** Rows without what lies in the subspace. */
function outside(rows: Float64Array, { k, d, basis }: Subspace): Float64Array {
  const out = rows.slice();
  for (let a = 0; a < k; a++) {
    const row = out.subarray(a * d, (a + 1) * d);
    for (let b = 0; b < k; b++) {
      const direction = basis.subarray(b * d, (b + 1) * d);
      let dot = 0;
      for (let j = 0; j < d; j++) dot += row[j]! * direction[j]!;
      for (let j = 0; j < d; j++) row[j]! -= dot * direction[j]!;
    }
  }
  return out;
}
