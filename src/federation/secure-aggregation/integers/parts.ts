/**
 * The grid where noise hides parts of vectors, such as one record's in a sum over a task's rows.
 *
 * **Statement.** Vectors v are brought to norm at most K, if they are longer, and rounded to integers on a grid of spacing g, each
 * entry to nearest. If what is hidden changes at most t of the vectors, and by at most D in the l2 norm of their sum's
 * changes, the sum of the integers changes by at most D / g + t sqrt(n), n the entries.
 *
 * **Proof.** The projection onto a ball moves no two points apart. An integer is within 1/2 of v / g in either world, so rounding
 * adds at most sqrt(n) to the change of each of the t vectors; the others are rounded alike. QED
 *
 * There is no integer norm to hold these to: one record moves a projection onto the integers of a ball by more than it moves the
 * vector. The grid is a 2^-18th of D / sqrt(n), so rounding costs four millionths.
 * @module
 */
import { positive } from "../../../core/checks.js";
import { binaryExponent } from "../../../core/elementary.js";
import { gridScale, type Lattice } from "./fixed-point.js";

/** What is hidden of vectors. */
export interface PartsOfVectors {
  /** D > 0: how far it moves the sum of the vectors as they are computed. */
  readonly sensitivity: number;
  /** t, the most vectors that it has parts in. */
  readonly perUnit: number;
}

/** The grid with 2^precision steps to the power of two at or below D / sqrt(n); its radius is that of whole vectors. */
export function latticeOfParts(
  { sensitivity }: PartsOfVectors,
  {
    clip,
    dimension,
    precision,
  }: { readonly clip: number; readonly dimension: number; readonly precision: number },
): Lattice {
  const at = positive("sensitivity", sensitivity) / Math.sqrt(dimension);
  const grid = 2 ** (binaryExponent(at) - precision);
  return { grid, radius: Math.ceil(clip / grid) + 1, one: 1 / grid };
}

/** Square of what the sum of the integers changes by, at most, rounded up. */
export function squaredSensitivityOfParts(
  { sensitivity, perUnit }: PartsOfVectors,
  dimension: number,
  { grid }: Lattice,
): bigint {
  const moved = (sensitivity / grid + perUnit * Math.sqrt(dimension)) * (1 + 2 ** -48);
  return BigInt(Math.ceil(moved * moved * (1 + 2 ** -48)));
}

/**
 * q <- v on the grid, each entry to nearest.
 * @throws DataError if v has entries that are not finite; which values is not said.
 */
export function roundToGrid(v: Float64Array, into: Float64Array, lattice: Lattice): void {
  const scale = gridScale(v, lattice);
  for (let j = 0; j < v.length; j++) into[j] = Math.round(v[j]! * scale) + 0;
}
