/**
 * Every task's linear model.
 * @module
 */

import type { Arena, Pointer } from "../../core/index.js";

/** Models copied out of the core: W[m, d] and b[m] (zeros without intercepts). */
export interface LocalModels {
  readonly weights: Float64Array;
  readonly intercepts: Float64Array;
}

/** The same in the core; intercepts 0 without them. */
export interface PlacedModels {
  readonly weights: Pointer;
  readonly intercepts: Pointer;
}

/** Models of tasks with intercepts, or without, copied into the core. */
export function placeModels(
  arena: Arena,
  { weights, intercepts }: LocalModels,
  intercept: boolean,
): PlacedModels {
  return {
    weights: arena.copyOf(weights),
    intercepts: intercept ? arena.copyOf(intercepts) : 0,
  };
}

/** Copies of m models of d features. */
export function copyModels(
  arena: Arena,
  { weights, intercepts }: PlacedModels,
  m: number,
  d: number,
): LocalModels {
  return {
    weights: arena.view(weights, m * d).slice(),
    intercepts: intercepts === 0 ? new Float64Array(m) : arena.view(intercepts, m).slice(),
  };
}
