/**
 * The part of a task's model that learns alone whatever its rows say: a linear pool (Stone 1961) of the average by evidence and of
 * the task's own model, by the prior of `single-task`. Evidence asks how likely all of a task's rows are, also the first of
 * them, of which a prior that knows nothing of the others tells badly; so it prefers the shared prior even where,
 * once some rows are seen, the others are better told without. As far as the releases left the fixed effects unsure,
 * a part that is fixed beforehand halves what such a task set loses, and costs the others next to nothing.
 * @module
 */
import { evidenceGrid } from "../../tasks/own-models/evidence-grid.js";
import type { MixedPrior } from "./exchange.js";
import { errorPart, rootsApart, type Root } from "./hypotheses.js";
import { softmax } from "./softmax.js";
import { OWN_NOISE_MULTIPLES, OWN_PART } from "./squared-settings.js";

/** The weight of that part for a task of n rows; 0 for all where the fixed effects are as good as known. */
export function ownPart(prior: MixedPrior): (n: number) => number {
  const { most, error, rows, negligible } = OWN_PART;
  const part = most * Math.min(1, errorPart(prior) / error) ** 2;
  return part < negligible ? () => 0 : (n) => part / (1 + rows / n);
}

/**
 * The hypotheses of a task's own model, around zero, a root for each ratio of the intercept's variance to that of the slopes; their
 * prior weights have no common sum.
 * @param zero another model around which they may lie as well, [d].
 */
export function ownRoots(d: number, zero?: Float64Array): Root[] {
  const { ratios, slopes, noise, priors } = evidenceGrid(true, true);
  const [spreads, noises] = [slopes, noise].map((both) => [...both.subarray(0, both.length / 2)]);
  return [...ratios].flatMap((ratio, r) => {
    const hypotheses = spreads!.flatMap((spread, s) =>
      noises!.map((noise, k) => ({
        ...{ spread, noise, level: OWN_NOISE_MULTIPLES.length + k },
        weight: priors[(r * spreads!.length + s) * noises!.length + k]!,
      })),
    );
    return rootsApart("own", d, { slopes: 1, intercept: ratio }, hypotheses, zero);
  });
}

/** Weights of sum 1: of the first by evidence, all of them but `part`, which is that of the others by evidence among them. */
export function pooledWeights(logs: readonly number[], first: number, part: number): Float64Array {
  if (first === logs.length) return softmax(logs);
  const [compared, own] = [softmax(logs.slice(0, first)), softmax(logs.slice(first))];
  return Float64Array.from(logs, (_, k) =>
    k < first ? (1 - part) * compared[k]! : part * own[k - first]!,
  );
}
