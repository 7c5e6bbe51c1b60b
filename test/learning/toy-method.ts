/**
 * A method as anyone would add one: what exists, combined anew, in one file with its descriptor. Algorithm 3
 * with weak features shrunk by a factor of one's own.
 * @module
 */
import { plannedClip } from "../../src/learning/options/clip-option.js";
import { PrivateEstimator } from "../../src/learning/release/private-estimator.js";
import { projectedHalves } from "../../src/learning/families/projected/halves.js";
import {
  gradientOptions,
  type GradientMethodOptions,
} from "../../src/learning/families/projected/options.js";
import { aPositive } from "../../src/learning/options/kinds.js";
import { logRange, type DividedMethod } from "../../src/learning/options/method.js";
import { option, type OptionsOf } from "../../src/learning/options/option.js";
import { mechanismFor } from "../../src/learning/options/private-options.js";
import { groupSparseRule } from "../../src/learning/sharing/group-sparse.js";
import { diagonalProjection } from "../../src/learning/steps/projection.js";

const own = {
  /** Factor of lambda, > 0; default 1. */
  emphasis: option(aPositive, { group: "model", help: "Factor of the penalty.", default: 1 }),
};

export interface ToyOptions extends GradientMethodOptions, OptionsOf<typeof own> {}

export const toyMethod: DividedMethod<ToyOptions> = {
  name: "toy-emphasis",
  title: "Algorithm 3 with emphasis",
  recommendedFor: "tests",
  releases: "diagonal of W W^T + noise",
  options: { ...gradientOptions, ...own, mechanism: mechanismFor(["diagonal"]) },
  privacy: { unit: "task", statistics: ["diagonal"], budget: "scheduled" },
  ranges: { emphasis: logRange(10, 0.1, 3) },
  compared: [],
  halves: (options) =>
    projectedHalves(
      { rule: groupSparseRule, projection: diagonalProjection },
      { ...options, lambda: options.emphasis * options.lambda },
    ),
  uploadNorm: ({ clip }) => plannedClip(clip),
  make: (options) => new ToyMethod(options),
};

export class ToyMethod extends PrivateEstimator<ToyOptions> {
  constructor(options?: Partial<ToyOptions>) {
    super(toyMethod, options);
  }
}
