/**
 * What tasks end with of every class, in arrays of all of them: behind the tasks' axis, if there is one, is that of the classes.
 * @module
 */
import type { MixedModels, MixedPrior } from "../../exchange.js";

/** @param batch tasks that the models are of. */
export const ofAllClasses = (classes: readonly MixedModels[], batch: number): MixedModels => ({
  ...modelsOfAllClasses(classes, batch),
  prior: priorOfAllClasses(classes.map(({ prior }) => prior)),
});

/** The same without what all tasks have in common. */
export function modelsOfAllClasses(
  classes: readonly Omit<MixedModels, "prior">[],
  batch: number,
): Omit<MixedModels, "prior"> {
  const byTask = (of: (one: Omit<MixedModels, "prior">) => Float64Array) =>
    stacked(classes.map(of), batch);
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
  };
}

/** What all tasks have in common of every class. */
export function priorOfAllClasses(classes: readonly MixedPrior[]): MixedPrior {
  const shared = (of: (prior: MixedPrior) => Float64Array) => stacked(classes.map(of), 1);
  return {
    fixedEffects: shared((prior) => prior.fixedEffects),
    stated: () => {
      const stated = classes.map((prior) => prior.stated());
      return {
        statedEffects: stacked(stated.map(({ statedEffects }) => statedEffects!), 1), // prettier-ignore
        fixedEffectsCovariance: stacked(stated.map(({ fixedEffectsCovariance }) => fixedEffectsCovariance), 1), // prettier-ignore
      };
    },
    releaseCovariance: shared((prior) => prior.releaseCovariance),
    covariance: shared((prior) => prior.covariance),
    noise: 0,
    unseen: {
      weights: shared(({ unseen }) => unseen!.weights),
      means: shared(({ unseen }) => unseen!.means),
      covariances: shared(({ unseen }) => unseen!.covariances),
    },
    ofTasks: {
      logWeights: shared(({ ofTasks }) => ofTasks!.logWeights),
      means: shared(({ ofTasks }) => ofTasks!.means),
      roots: shared(({ ofTasks }) => ofTasks!.roots),
      // Which priors there are is public, and the same for every class.
      kinds: classes[0]!.ofTasks!.kinds,
      ownParts: shared(({ ofTasks }) => ofTasks!.ownParts),
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
