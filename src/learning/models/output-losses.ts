/**
 * The losses as functions of a model's outputs: values, slopes, links, and how far two models'
 * predictions are apart. Outputs are z[n, k]: k = 1 for `squared` and `logistic`, C for `softmax`.
 * @module
 */
import * as math from "../../core/elementary.js";
import type { LossName } from "../tasks/losses.js";
import { sigmoid } from "../tasks/margin-losses.js";

/** Row j of `z` becomes its softmax; returns log sum_c exp z_c. */
function softmaxRow(z: Float64Array, from: number, k: number): number {
  let top = -Infinity;
  for (let c = from; c < from + k; c++) top = Math.max(top, z[c]!);
  let total = 0;
  for (let c = from; c < from + k; c++) total += z[c] = math.exp(z[c]! - top);
  for (let c = from; c < from + k; c++) z[c]! /= total;
  return top + math.log(total);
}

/** Overwrites outputs with predictions: values, probabilities of the larger label, or of classes. */
export function linkInPlace(loss: LossName, z: Float64Array, k: number): Float64Array {
  if (loss === "logistic") for (let j = 0; j < z.length; j++) z[j] = sigmoid(z[j]!);
  if (loss === "softmax") for (let at = 0; at < z.length; at += k) softmaxRow(z, at, k);
  return z;
}

/** Sum over rows of loss(z_j, y_j), times their weights s_j where there are any; overwrites z with its slopes in z. */
export function lossAndSlopes(
  loss: LossName,
  z: Float64Array,
  y: Float64Array,
  k: number,
  s?: Float64Array,
): number {
  let value = 0;
  for (let j = 0; j < y.length; j++) {
    value += (s?.[j] ?? 1) * lossAndSlopesOfRow(loss, z, j * k, y[j]!, k);
  }
  return value;
}

/** loss(z_j, target) of the row that starts `at`; overwrites it with its slopes. */
function lossAndSlopesOfRow(
  loss: LossName,
  z: Float64Array,
  at: number,
  target: number,
  k: number,
): number {
  if (loss === "softmax") {
    const chosen = at + target;
    const logit = z[chosen]!;
    const value = softmaxRow(z, at, k) - logit;
    z[chosen]! -= 1;
    return value;
  }
  if (loss === "logistic") {
    const margin = target * z[at]!;
    z[at] = -target * sigmoid(-margin);
    return math.log1p(math.exp(-Math.abs(margin))) + Math.max(0, -margin);
  }
  const error = z[at]! - target;
  z[at] = error;
  return (error * error) / 2;
}

/**
 * Every row's squared error or log-loss, which is what held-out rows are judged by; overwrites z.
 */
export function rowLosses(
  loss: LossName,
  z: Float64Array,
  y: Float64Array,
  k: number,
): Float64Array {
  const losses = new Float64Array(y.length);
  for (let j = 0; j < y.length; j++) {
    losses[j] =
      loss === "squared" ? (z[j]! - y[j]!) ** 2 : lossAndSlopesOfRow(loss, z, j * k, y[j]!, k);
  }
  return losses;
}

/**
 * Sum over rows of KL(p || q) + KL(q || p) for the predictions p of outputs z and q of outputs
 * `reference`; overwrites z with its slopes in z.
 *
 * In an exponential family it is sum_c (p_c - q_c)(z_c - reference_c): the normalisers cancel. For
 * the squared loss p is the mean of a normal of variance 1.
 */
export function symmetrizedDivergence(
  loss: LossName,
  z: Float64Array,
  reference: Float64Array,
  k: number,
): number {
  const p = linkInPlace(loss, z.slice(), k);
  const q = linkInPlace(loss, reference.slice(), k);
  let value = 0;
  for (let at = 0; at < z.length; at += k) {
    let mean = 0;
    for (let c = at; c < at + k; c++) {
      const apart = z[c]! - reference[c]!;
      value += (p[c]! - q[c]!) * apart;
      mean += p[c]! * apart;
    }
    for (let c = at; c < at + k; c++) {
      const apart = z[c]! - reference[c]!;
      // d p_c / d z along `apart`: its variance function times it.
      const curved =
        loss === "softmax"
          ? p[c]! * (apart - mean)
          : loss === "logistic"
            ? p[c]! * (1 - p[c]!) * apart
            : apart;
      z[c] = p[c]! - q[c]! + curved;
    }
  }
  return value;
}

/** Class of the largest output of every row; ties take the first. */
export function largestOutputs(z: Float64Array, k: number): Float64Array {
  const out = new Float64Array(z.length / k);
  for (let j = 0; j < out.length; j++) {
    for (let c = 1; c < k; c++) if (z[j * k + c]! > z[j * k + out[j]!]!) out[j] = c;
  }
  return out;
}
