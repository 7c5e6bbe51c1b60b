/**
 * The tasks' information on their models in a logistic mixed model, as it is uploaded, and what a noisy sum of it
 * says together with the synthetic tasks.
 * @module
 */
import { unpacked } from "../../../../linalg/packed-symmetric.js";
import { exp, log } from "../../../../core/elementary.js";
import { eigh } from "../../../../linalg/decompositions.js";

/** A symmetric matrix with its eigenvalues held to [least, most]; `least` 0 and `most` 1 for information on u. */
export function heldEigenvalues(
  a: Float64Array,
  d: number,
  least: number,
  most: number,
): Float64Array {
  const { values, vectors } = eigh(a, d);
  const out = new Float64Array(d * d);
  for (let k = 0; k < d; k++) {
    const value = Math.min(Math.max(values[k]!, least), most);
    for (let i = 0; i < d; i++) {
      const factor = value * vectors[i * d + k]!;
      for (let j = 0; j < d; j++) out[i * d + j]! += factor * vectors[j * d + k]!;
    }
  }
  return out;
}

/** The sum of the tasks' information, and the variance of the error in each of its entries, both [d, d]. */
export interface PooledInformation {
  readonly information: Float64Array;
  readonly errors: Float64Array;
}

/** Spreads around the synthetic tasks that are tried: 25 from .02 to 2 of its own size. */
const SPREADS = { count: 25, least: 0.02, most: 2 } as const;
const LEAST = 1e-3;

/**
 * Draws a noisy sum to the synthetic tasks' by empirical Bayes.
 * @param sum    packed, over m tasks.
 * @param expected of one synthetic task, [d, d].
 */
export function pooledInformation(
  sum: Float64Array,
  deviation: number,
  expected: Float64Array,
  m: number,
  d: number,
): PooledInformation {
  const noisy = unpacked(sum, d);
  const variance = (i: number, j: number) => deviation ** 2 * (i === j ? 1 : 0.5);
  const size = (i: number, j: number) =>
    m * m * expected[i * d + i]! * expected[j * d + j]! + 1e-18;
  let best = { score: -Infinity, square: 0 };
  for (let k = 0; k < SPREADS.count; k++) {
    const square =
      (SPREADS.least * exp((k / (SPREADS.count - 1)) * log(SPREADS.most / SPREADS.least))) ** 2;
    let score = 0;
    for (let i = 0; i < d; i++) {
      for (let j = 0; j <= i; j++) {
        const whole = variance(i, j) + square * size(i, j);
        score -= ((noisy[i * d + j]! - m * expected[i * d + j]!) ** 2 / whole + log(whole)) / 2;
      }
    }
    if (score > best.score) best = { score, square };
  }
  const errors = new Float64Array(d * d);
  const mean = noisy.map((value, at) => {
    const [i, j] = [Math.floor(at / d), at % d];
    const own = best.square * size(i, j);
    const trust = own / (own + variance(i, j));
    errors[at] = trust * variance(i, j);
    return m * expected[at]! + trust * (value - m * expected[at]!);
  });
  return { information: heldEigenvalues(mean, d, LEAST * m, m), errors };
}
