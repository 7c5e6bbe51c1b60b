/**
 * Weights from their logarithms.
 * @module
 */
import { exp } from "../../../core/elementary.js";

/** Weights proportional to exp(x). */
export function softmax(logs: ArrayLike<number>): Float64Array {
  const given = Float64Array.from(logs);
  const most = given.reduce((a, b) => Math.max(a, b), -Infinity);
  const out = given.map((x) => exp(x - most));
  const sum = out.reduce((total, x) => total + x, 0);
  return out.map((x) => x / sum);
}
