/**
 * The part of a task's model that learns alone whatever its rows say: a linear pool (Stone 1961) of the average by evidence and of
 * what that is without the shared prior. Evidence asks how likely all of a task's rows are, also the first of
 * them, of which a prior that knows nothing of the others tells badly; so it prefers the shared prior even where,
 * once some rows are seen, the others are better told without. As far as the releases left the fixed effects unsure,
 * a part that is fixed beforehand halves what such a task set loses, and costs the others next to nothing.
 * @module
 */
import type { MixedPrior } from "./exchange.js";
import { errorPart } from "./squared/solve/hypotheses.js";
import { softmax } from "../../../linalg/softmax.js";
import { OWN_PART } from "./squared/squared-settings.js";

/** The weight of that part for a task of many rows. */
export function mostOwnPart(prior: MixedPrior): number {
  const { most, error } = OWN_PART;
  return most * Math.min(1, errorPart(prior) / error) ** 2;
}

/** The same for a task of n rows; 0 for all where the fixed effects are as good as known. */
export function ownPart(prior: MixedPrior): (n: number) => number {
  const { rows, negligible } = OWN_PART;
  const part = mostOwnPart(prior);
  return part < negligible ? () => 0 : (n) => part / (1 + rows / n);
}

/** Room for the weights of one task after the other. */
export interface WeightsRoom {
  readonly all: Float64Array;
  readonly alone: Float64Array;
}

export const weightsRoom = (count: number, shared: number): WeightsRoom => ({
  all: new Float64Array(count),
  alone: new Float64Array(count - shared),
});

/**
 * Weights of sum 1: by evidence all of them but `part`, which is shared among those that learn alone by evidence among them.
 * @param shared how many of them, the first, do not.
 * @param room where weights go, of all and of those that learn alone.
 */
export function pooledWeights(
  logs: Float64Array,
  shared: number,
  part: number,
  room: WeightsRoom,
): Float64Array {
  const all = softmax(logs, room.all);
  if (part === 0) return all;
  const alone = softmax(logs.subarray(shared), room.alone);
  for (let k = 0; k < all.length; k++) {
    all[k] = (1 - part) * all[k]! + (k < shared ? 0 : part * alone[k - shared]!);
  }
  return all;
}
