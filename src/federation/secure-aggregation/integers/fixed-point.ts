/**
 * From real vectors to integers whose sensitivity is exact.
 *
 * A vector v is clipped, rounded to integers q on a grid of spacing g, a power of two, and held to
 * ||q||_2 <= R by an integer comparison. The statistic of q, not of v, is what is summed: integers with
 * integer bounds. So there is no rounding term anywhere in the sensitivity; rounding costs accuracy only.
 * @module
 */
import { integer, positive } from "../../../core/checks.js";
import { binaryExponent } from "../../../core/elementary.js";
import { DataError } from "../../../core/errors.js";
import { sumOfSquares } from "../../../linalg/norm.js";

/** What secure aggregation can sum: statistics that are sums over tasks. */
export type SummedStatistic = "covariance" | "diagonal" | "augmented-covariance" | "vector";

/** Grid of the uploads. */
export interface Lattice {
  /** g: a vector's entries are multiples of it. A power of two. */
  readonly grid: number;
  /** R: the largest norm, in grid steps; R g <= K < (R + 1) g. */
  readonly radius: number;
  /** The constant 1 of an augmented vector, in grid steps. */
  readonly one: number;
}

/**
 * The grid with 2^precision steps to the power of two at or above `span`.
 *
 * @param clip      K > 0.
 * @param precision bits, 4 to 24: integers and their squares stay exact in a double.
 * @param span      the largest number that must be on it; default K.
 */
export function lattice(clip: number, precision: number, span = clip): Lattice {
  positive("clip", clip);
  integer("precision", precision, 4, 24);
  // From the bits of the span, so that every participant's host has the same grid.
  const below = binaryExponent(span);
  const grid = 2 ** ((2 ** below === span ? below : below + 1) - precision);
  return { grid, radius: Math.floor(clip / grid), one: 1 / grid };
}

/** Integers a participant contributes for vectors of d entries; symmetric matrices are packed. */
export function statisticEntries(statistic: SummedStatistic, d: number): number {
  const side = statistic === "augmented-covariance" ? d + 1 : d;
  return isMatrix(statistic) ? (side * (side + 1)) / 2 : d;
}

/** Whether the statistic is a symmetric matrix, whose diagonal entries carry twice the noise variance. */
export function isMatrix(statistic: SummedStatistic): boolean {
  return statistic === "covariance" || statistic === "augmented-covariance";
}

/** Spacing of the statistic's values: g of a vector, g^2 of squares. */
export function statisticGrid(statistic: SummedStatistic, { grid }: Lattice): number {
  return statistic === "vector" ? grid : grid * grid;
}

/** Largest absolute value of an entry of one task's statistic, an integer. */
export function largestEntry(statistic: SummedStatistic, { radius, one }: Lattice): number {
  switch (statistic) {
    case "vector":
      return radius;
    case "augmented-covariance":
      return Math.max(radius * radius, one * one);
    default:
      return radius * radius;
  }
}

/**
 * Square of the l2 (Frobenius) sensitivity of the integer statistic: an integer.
 *
 * As `sensitivity` of `mp-mtl/privacy`, with R for K and integers throughout: of q q^T the change is at
 * most sqrt(2) R^2 under replace, R^2 under zero-out, and so for its diagonal; of [q; a][q; a]^T,
 * sqrt(2) (R^2 + a^2) and R^2 + a^2; of q, 2 R and R.
 */
export function squaredSensitivity(
  statistic: SummedStatistic,
  { radius, one }: Lattice,
  adjacency: "replace" | "zero-out",
): bigint {
  const r2 = BigInt(radius) ** 2n;
  const replace = adjacency === "replace";
  if (statistic === "vector") return (replace ? 4n : 1n) * r2;
  const whole = statistic === "augmented-covariance" ? r2 + BigInt(one) ** 2n : r2;
  return (replace ? 2n : 1n) * whole ** 2n;
}

/**
 * What the entries of v are multiplied by before they are rounded: 1 / grid, or less where v is longer than the radius.
 * @throws DataError if v has entries that are not finite; which values is not said.
 */
export function gridScale(
  v: Float64Array,
  { grid, radius }: Pick<Lattice, "grid" | "radius">,
): number {
  let squares = 0;
  let largest = 0;
  for (const x of v) largest = Math.max(largest, Math.abs(x));
  // Scaled by the largest entry, no square overflows. NaN fails the comparison.
  for (const x of v) squares += (x / (largest || 1)) ** 2;
  if (!(largest < Infinity && squares >= 0)) {
    throw new DataError("shared vector: expected finite entries");
  }
  const norm = largest * Math.sqrt(squares);
  if (norm <= radius * grid) return 1 / grid;
  // Where no number is as large as the norm, by its two factors.
  return norm < Infinity ? radius / norm : radius / Math.sqrt(squares) / largest;
}

/**
 * q <- v on the grid, ||q||_2 <= R: v scaled down to norm R g if it is longer, each entry rounded to
 * nearest; if that is too long by a hair, rounded towards zero.
 *
 * @throws DataError if v has entries that are not finite; which values is not said.
 */
export function quantize(v: Float64Array, into: Float64Array, { grid, radius }: Lattice): void {
  const d = v.length;
  const scale = gridScale(v, { grid, radius });
  for (let j = 0; j < d; j++) into[j] = Math.round(v[j]! * scale) + 0;
  // Sums of squares are exact: rounding moves a norm of at most 2^24 by at most sqrt(d) / 2, so they stay below 2^53.
  if (sumOfSquares(into) <= radius * radius) return;
  for (let j = 0; j < d; j++) into[j] = Math.trunc(v[j]! * scale) + 0;
  // Only the last ulps of `scale` can still be too long.
  for (let j = 0; sumOfSquares(into) > radius * radius; j = (j + 1) % d) {
    into[j] = into[j]! - Math.sign(into[j]!);
  }
}

/**
 * sum <- sum + statistic(q), integers; upper triangle row by row for matrices.
 *
 * @param q integers from {@link quantize}, [d].
 */
export function addStatistic(
  statistic: SummedStatistic,
  q: Float64Array,
  one: number,
  sum: Float64Array,
): void {
  const d = q.length;
  let at = 0;
  switch (statistic) {
    case "vector":
      for (let j = 0; j < d; j++) sum[j]! += q[j]!;
      return;
    case "diagonal":
      for (let j = 0; j < d; j++) sum[j]! += q[j]! * q[j]!;
      return;
    case "covariance":
      for (let i = 0; i < d; i++) for (let j = i; j < d; j++) sum[at++]! += q[i]! * q[j]!;
      return;
    case "augmented-covariance":
      for (let i = 0; i < d; i++) {
        for (let j = i; j < d; j++) sum[at++]! += q[i]! * q[j]!;
        sum[at++]! += q[i]! * one;
      }
      sum[at]! += one * one;
  }
}

/**
 * The statistic in its usual form: entries times their grid, matrices square and symmetric.
 *
 * @param values packed integers, as summed.
 * @param into   d numbers, or side^2.
 */
export function unpackStatistic(
  statistic: SummedStatistic,
  values: Float64Array,
  d: number,
  step: number,
  into: Float64Array,
): void {
  if (!isMatrix(statistic)) {
    for (let j = 0; j < d; j++) into[j] = values[j]! * step;
    return;
  }
  const side = statistic === "covariance" ? d : d + 1;
  let at = 0;
  for (let i = 0; i < side; i++) {
    for (let j = i; j < side; j++) {
      into[i * side + j] = into[j * side + i] = values[at++]! * step;
    }
  }
}
