/**
 * The l2 norm of vectors outside the kernels' memory, for whatever finite entries.
 * @module
 */
import { largestMagnitude } from "../core/largest.js";

/** Beyond these a sum of squares has lost digits of small terms, or overflows. */
const LEAST_SQUARE = 1e-280;
const MOST_SQUARE = 1e300;
/** Numbers that are smaller have lost digits, or soon will. */
export const LEAST_FACTOR = 1e-290;

/** sum_k v_k^2. By its index: a function called for every entry takes nine times as long, and an iterator four times. */
export function sumOfSquares(v: Float64Array): number {
  let sum = 0;
  const { length } = v;
  for (let k = 0; k < length; k++) sum += v[k]! * v[k]!;
  return sum;
}

/**
 * v where its squares can be summed to rounding, else v divided by its largest entry; undefined for zeros, and where an entry is
 * not finite.
 */
export function withSafeSquares(v: Float64Array): Float64Array | undefined {
  const square = sumOfSquares(v);
  if (square > LEAST_SQUARE && square < MOST_SQUARE) return v;
  const largest = largestMagnitude(v);
  return largest > 0 && largest < Infinity ? v.map((x) => x / largest) : undefined;
}

/** ||v||_2 to rounding; Infinity where no number is as large, NaN where an entry is. */
export function norm(v: Float64Array): number {
  const safe = withSafeSquares(v);
  if (safe === v) return Math.sqrt(sumOfSquares(v));
  return safe ? largestMagnitude(v) * Math.sqrt(sumOfSquares(safe)) : largestMagnitude(v);
}

/** A copy of v whose norm is at most `most`, but for rounding; zeros where an entry is not finite. */
export function clippedTo(v: Float64Array, most: number): Float64Array {
  const length = norm(v);
  if (length <= most && length < Infinity) return v.slice();
  const factor = most / length;
  if (withSafeSquares(v) === v && factor >= LEAST_FACTOR) return v.map((x) => x * factor);
  const largest = largestMagnitude(v);
  const scaled = v.map((x) => x / largest);
  const rest = most / norm(scaled);
  // What rounds to a factor of few digits may be longer than `most`.
  const isHeld = largest < Infinity && rest >= LEAST_FACTOR;
  return isHeld ? scaled.map((x) => x * rest) : new Float64Array(v.length);
}
