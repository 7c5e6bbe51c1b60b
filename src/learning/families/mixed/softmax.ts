/**
 * Weights from their logarithms.
 * @module
 */
import { exp } from "../../../core/elementary.js";

/** Weights proportional to exp(x). In plain loops: tasks ask it thousands of times a fit. */
export function softmax(logs: ArrayLike<number>): Float64Array<ArrayBuffer> {
  const n = logs.length;
  const out = new Float64Array(n);
  let most = -Infinity;
  for (let k = 0; k < n; k++) most = Math.max(most, logs[k]!);
  let sum = 0;
  for (let k = 0; k < n; k++) sum += out[k] = exp(logs[k]! - most);
  for (let k = 0; k < n; k++) out[k]! /= sum;
  return out;
}
