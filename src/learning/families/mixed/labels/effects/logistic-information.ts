/**
 * The tasks' information on their models in a logistic mixed model, as it is uploaded, and what a noisy sum of it
 * says together with the synthetic tasks.
 * @module
 */
import { unpacked } from "../../../../../linalg/packed-symmetric.js";
import { exp, log } from "../../../../../core/elementary.js";
import { eigh } from "../../../../../linalg/decompositions.js";

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
  /** Variance of a factor that it may be off by as a whole, beside that of the entries; default 0. */
  readonly common?: number;
}

/** Spreads around the synthetic tasks that are tried: 25 from .02 to 2 of its own size. */
const SPREADS = { count: 25, least: 0.02, most: 2 } as const;
const LEAST = 1e-3;

/** Least factor that its own doubt is taken relative to. */
const LEAST_FACTOR = 0.5;

/** Deviation of a factor of what synthetic tasks say of slopes, whose columns may vary less than columns do, or more. */
export const COLUMNS_VARY = 0.5;

/**
 * Draws a noisy sum to the synthetic tasks' by empirical Bayes.
 * @param sum    packed, over m tasks.
 * @param expected of one synthetic task, [d, d].
 * @param vary   deviation of a factor of all that is expected of slopes; a single number, it stands out of noise that hides the entries.
 */
export function pooledInformation(
  sum: Float64Array,
  deviation: number,
  expected: Float64Array,
  m: number,
  d: number,
  vary = 0,
): PooledInformation {
  const noisy = unpacked(sum, d);
  const variance = (i: number, j: number) => deviation ** 2 * (i === j ? 1 : 0.5);
  const size = (i: number, j: number) =>
    m * m * expected[i * d + i]! * expected[j * d + j]! + 1e-18;
  let best = { score: -Infinity, square: 0, factor: 1, unsure: 0 };
  for (let k = 0; k < SPREADS.count; k++) {
    const square =
      (SPREADS.least * exp((k / (SPREADS.count - 1)) * log(SPREADS.most / SPREADS.least))) ** 2;
    let score = 0;
    let [told, toward] = [0, 0];
    for (let i = 0; i < d; i++) {
      for (let j = 0; j <= i; j++) {
        const whole = variance(i, j) + square * size(i, j);
        const off = noisy[i * d + j]! - m * expected[i * d + j]!;
        score -= (off ** 2 / whole + log(whole)) / 2;
        if (i === d - 1) continue;
        told += (m * expected[i * d + j]!) ** 2 / whole;
        toward += (m * expected[i * d + j]! * off) / whole;
      }
    }
    const unsure = vary ** 2 / (1 + vary ** 2 * told);
    score += (unsure * toward ** 2 - log(1 + vary ** 2 * told)) / 2;
    if (score > best.score) best = { score, square, factor: 1 + unsure * toward, unsure };
  }
  const errors = new Float64Array(d * d);
  const mean = noisy.map((value, at) => {
    const [i, j] = [Math.floor(at / d), at % d];
    const own = best.square * size(i, j);
    const trust = own / (own + variance(i, j));
    errors[at] = trust * variance(i, j);
    const center = m * expected[at]! * (i < d - 1 && j < d - 1 ? best.factor : 1);
    return center + trust * (value - center);
  });
  const information = heldEigenvalues(mean, d, LEAST * m, m);
  return { information, errors, common: best.unsure / Math.max(best.factor, LEAST_FACTOR) ** 2 };
}
