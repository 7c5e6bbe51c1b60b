/**
 * What classification metrics come to without looking at any feature: what a classifier's are to be compared with.
 * @module
 */
import { log } from "../../../core/elementary.js";
import { accuracyPerTask } from "./metrics.js";

/** Metrics of answers that are the same for all rows; null where there are no rows. */
export interface GuessingScores {
  /** Of always saying the most frequent label of these rows: mean over tasks of the fraction of right ones. */
  readonly accuracy: number | null;
  /** Of giving every label its share in these rows as its probability: mean over rows of -ln p, the least that is possible so. */
  readonly logLoss: number | null;
}

/**
 * @param y       labels, coded in any way, Float64Array, shape [N].
 * @param offsets Uint32Array, shape [m + 1]: task i has rows offsets[i] to offsets[i + 1].
 * @param weights of the rows, Float64Array, shape [N]; default all 1.
 */
export function scoreGuessing(
  y: Float64Array,
  offsets: Uint32Array,
  weights: Float64Array | undefined,
): GuessingScores {
  const masses = new Map<number, number>();
  y.forEach((label, row) => masses.set(label, (masses.get(label) ?? 0) + (weights?.[row] ?? 1)));
  const present = [...masses].filter(([, mass]) => mass > 0);
  const total = present.reduce((sum, [, mass]) => sum + mass, 0);
  if (present.length === 0) return { accuracy: null, logLoss: null };
  const [most] = present.reduce((a, b) => (b[1] > a[1] ? b : a));
  const predicted = new Float64Array(y.length).fill(most);
  return {
    accuracy: accuracyPerTask(predicted, y, offsets, weights).value,
    logLoss: present.reduce((sum, [, mass]) => sum + (mass / total) * log(total / mass), 0),
  };
}
