/**
 * A black-box distinguisher: the linear score that best separates what two worlds showed so far.
 * @module
 */
import { array, text } from "../../core/checks.js";
import type { TrialScores } from "./prove-loss.js";

/** Mean and variance of every feature over the training trials. */
function moments(features: readonly Float64Array[], trained: number) {
  const length = features[0]!.length;
  const mean = new Float64Array(length);
  const variance = new Float64Array(length);
  for (let r = 0; r < trained; r++) {
    features[r]!.forEach((x, k) => {
      const gap = x - mean[k]!;
      mean[k]! += gap / (r + 1);
      variance[k]! += gap * (x - mean[k]!);
    });
  }
  return { mean, variance: variance.map((sum) => sum / Math.max(1, trained - 1)) };
}

/** Refuses trials that are fewer than those that train, or not of one length. */
function checkTrials(
  world: string,
  trials: readonly Float64Array[],
  least: number,
  length: number | undefined,
): void {
  if (trials.length < least) {
    throw new RangeError(`${world}: expected at least ${least} trials, got ${trials.length}`);
  }
  const other = trials.findIndex((features) => features?.length !== length);
  if (length === undefined || other >= 0) {
    throw new RangeError(
      `${world}[${Math.max(0, other)}]: expected as many features as in present[0]`,
    );
  }
}

/**
 * Fisher's linear discriminant with a diagonal covariance, trained on the first quarter of the
 * trials. Features are whatever an adversary sees; nothing about the mechanism is assumed.
 *
 * @param name      of the attack, for reports.
 * @param present   one feature vector per trial with the task in it, N, all of one length.
 * @param neighbour the same without it.
 * @throws TypeError or RangeError naming the world whose trials are fewer than two, or not of one length.
 */
export function linearDiscriminant(
  name: string,
  present: readonly Float64Array[],
  neighbour: readonly Float64Array[],
): TrialScores {
  text("name", name);
  array("present", present);
  const trained = Math.max(2, present.length >> 2);
  const length = present[0]?.length;
  checkTrials("present", present, trained, length);
  checkTrials("neighbour", array("neighbour", neighbour), trained, length);
  const a = moments(present, trained);
  const b = moments(neighbour, trained);
  const weights = a.mean.map((mean, k) => {
    const variance = a.variance[k]! + b.variance[k]!;
    // A feature that never varies but differs between the worlds tells them apart by itself.
    const floor = 1e-24 * (mean * mean + b.mean[k]! ** 2) || 1e-300;
    return (mean - b.mean[k]!) / Math.max(variance, floor);
  });
  const score = (features: Float64Array) => {
    let total = 0;
    for (let k = 0; k < weights.length; k++) total += weights[k]! * features[k]!;
    return total;
  };
  return {
    name,
    trained,
    present: Float64Array.from(present, score),
    neighbour: Float64Array.from(neighbour, score),
  };
}
