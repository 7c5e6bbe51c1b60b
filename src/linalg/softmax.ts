/**
 * Weights from their logarithms, and what these sum to.
 * @module
 */
import { exp, log } from "../core/elementary.js";

/**
 * Weights proportional to exp(x). In plain loops: tasks ask it thousands of times a fit.
 * @param out where they go, [n]: it may be the logarithms' own place.
 */
export function softmax(
  logs: ArrayLike<number>,
  out: Float64Array = new Float64Array(logs.length),
): Float64Array {
  const n = logs.length;
  let most = -Infinity;
  for (let k = 0; k < n; k++) most = Math.max(most, logs[k]!);
  let sum = 0;
  for (let k = 0; k < n; k++) sum += out[k] = exp(logs[k]! - most);
  for (let k = 0; k < n; k++) out[k]! /= sum;
  return out;
}

/** ln sum exp(x_i). */
export function logSumExp(logs: ArrayLike<number>): number {
  const n = logs.length;
  let most = -Infinity;
  for (let k = 0; k < n; k++) most = Math.max(most, logs[k]!);
  let sum = 0;
  for (let k = 0; k < n; k++) sum += exp(logs[k]! - most);
  return most + log(sum);
}
