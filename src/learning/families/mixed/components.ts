/**
 * What a mixed model keeps beside weights and intercepts, as named arrays.
 * @module
 */
import type { Component } from "../../fitted/fitted-model.js";
import type { MixtureComponents } from "../../fitted/posterior-mixture.js";
import type { MixedMixtures, MixedModels } from "./exchange.js";
import { unitsArray, type Units } from "./units.js";

/** The components of m tasks, for the data as given; `units` are those that they were learned in. */
export function mixedComponents(
  { covariances, mixtures, noise, alone, prior }: MixedModels,
  units: Units,
  m: number,
): Readonly<Record<string, Component>> {
  const d = units.centers.length;
  const matrix = (data: Float64Array) => ({ shape: [d, d], data });
  return {
    fixedEffects: { shape: [d], data: prior.fixedEffects },
    fixedEffectsCovariance: matrix(prior.fixedEffectsCovariance),
    releaseCovariance: matrix(prior.releaseCovariance),
    covariance: matrix(prior.covariance),
    noise: { shape: [1], data: Float64Array.of(prior.noise) },
    posteriorCovariances: { shape: [m, (d * (d + 1)) / 2], data: covariances },
    taskNoise: { shape: [m], data: noise },
    alone: { shape: [m], data: alone },
    units: { shape: [2, d], data: unitsArray(units) },
    ...(mixtures ? mixtureComponents(mixtures, m, d) : {}),
  };
}

function mixtureComponents(
  { weights, means, covariances }: MixedMixtures,
  m: number,
  d: number,
): MixtureComponents {
  const count = weights.length / m;
  return {
    mixtureWeights: { shape: [m, count], data: weights },
    mixtureMeans: { shape: [m, count, d], data: means },
    mixtureCovariances: { shape: [m, count, (d * (d + 1)) / 2], data: covariances },
  };
}
