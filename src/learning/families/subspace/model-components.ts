/**
 * Between what the exchange ends with and a fitted model: the named arrays that say what was learned.
 * @module
 */
import type { Component } from "../../fitted/model-state.js";
import type { BatchModels } from "../../round/halves.js";
import type { SolvedTasks } from "./solve-tasks.js";
import type { Subspace } from "./spectrum.js";

/** Of all tasks together: from releases and public sizes alone. */
export const SHARED_COMPONENTS = ["subspace", "subspaceSpectrum", "directionCovariance"] as const;

/** With a row for each task. */
export const COMPONENTS_BY_TASK = ["alone"] as const;

/** What the releases say. */
export interface Released {
  readonly subspace: Subspace;
  /** Eigenvalues of the first release, [d], and the covariance without its noise, [d, d]. */
  readonly spectrum: Float64Array;
  readonly covariance: Float64Array;
}

/** The models of a batch. */
export function batchModels(
  { models, alone }: SolvedTasks,
  { subspace, spectrum, covariance }: Released,
  intercept: boolean,
): BatchModels {
  const { k, d, basis } = subspace;
  return {
    weights: models.weights,
    intercepts: intercept ? models.intercepts : null,
    components: {
      subspace: { shape: [k, d], data: basis },
      subspaceSpectrum: { shape: [d], data: spectrum },
      directionCovariance: { shape: [d, d], data: covariance },
      alone: { shape: [alone.length], data: alone },
    },
  };
}

/** What the releases said, from a model's components. */
export function releasedOf(components: Readonly<Record<string, Component>>): Released {
  const data = (name: (typeof SHARED_COMPONENTS)[number]) => components[name]!.data;
  const basis = data("subspace");
  const spectrum = data("subspaceSpectrum");
  const d = spectrum.length;
  return {
    subspace: { k: basis.length / d, d, basis },
    spectrum,
    covariance: data("directionCovariance"),
  };
}
