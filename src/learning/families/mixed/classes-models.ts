/**
 * What tasks end with of every class, in arrays of all of them: behind the tasks' axis, if there is one, is that of the classes.
 * @module
 */
import type { MixedModels, MixedPrior } from "./exchange.js";

/** @param batch tasks that the models are of. */
export function ofAllClasses(classes: readonly MixedModels[], batch: number): MixedModels {
  const byTask = (of: (one: MixedModels) => Float64Array) => stacked(classes.map(of), batch);
  const shared = (of: (prior: MixedPrior) => Float64Array) =>
    stacked(
      classes.map(({ prior }) => of(prior)),
      1,
    );
  return {
    models: byTask(({ models }) => models),
    covariances: byTask(({ covariances }) => covariances),
    mixtures: {
      weights: byTask(({ mixtures }) => mixtures!.weights),
      means: byTask(({ mixtures }) => mixtures!.means),
      covariances: byTask(({ mixtures }) => mixtures!.covariances),
    },
    noise: classes[0]!.noise,
    alone: byTask(({ alone }) => alone),
    prior: {
      unseen: {
        weights: shared(({ unseen }) => unseen!.weights),
        means: shared(({ unseen }) => unseen!.means),
        covariances: shared(({ unseen }) => unseen!.covariances),
      },
      fixedEffects: shared((prior) => prior.fixedEffects),
      fixedEffectsCovariance: shared((prior) => prior.fixedEffectsCovariance),
      releaseCovariance: shared((prior) => prior.releaseCovariance),
      covariance: shared((prior) => prior.covariance),
      noise: 0,
    },
  };
}

/** Arrays [count, n] of every class as one, [count, C, n]. */
function stacked(arrays: readonly Float64Array[], count: number): Float64Array {
  const size = arrays[0]!.length / count;
  const out = new Float64Array(arrays.length * arrays[0]!.length);
  for (let i = 0; i < count; i++) {
    arrays.forEach((own, label) =>
      out.set(own.subarray(i * size, (i + 1) * size), (i * arrays.length + label) * size),
    );
  }
  return out;
}
