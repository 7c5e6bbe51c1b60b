/**
 * A release of scores of the fixed effects, kept for what is stated of them, in the effects' own coordinates.
 * @module
 */
import {
  apply,
  invertDefinite,
  multiply,
  symmetric,
  transpose,
} from "../../../../linalg/small-matrices.js";
import { congruence } from "../../../../linalg/kernel-products.js";

/** A sum as it was released, in the coordinates of its score, and the standard deviation of the noise on an entry of its diagonal. */
export interface ReleasedInformation {
  readonly sum: Float64Array;
  readonly noise: number;
}

/** A curvature along a unit vector, [d], and the standard deviation of its noise. */
export interface StepCurvature {
  readonly along: Float64Array;
  readonly value: number;
  readonly noise: number;
}

/** What was released of a location, and under which working values. */
export interface LocationReleases {
  readonly effects: Float64Array;
  readonly toBasis: Float64Array;
  readonly score: Float64Array;
  readonly bound: number;
  readonly spread: Float64Array;
  /** What made-up tasks tell in the mean, [d, d]. */
  readonly told: Float64Array;
  readonly information: ReleasedInformation | undefined;
  readonly curvature: StepCurvature | undefined;
}

/** The same in the effects' coordinates. The covariance of the score's noise is `noise` times the metric. */
export interface KeptScore extends Pick<LocationReleases, "effects" | "bound" | "spread" | "told"> {
  readonly noise: number;
  readonly score: Float64Array;
  readonly metric: Float64Array;
  readonly inverse: Float64Array;
  /** Of one task in the mean: the information, and its noise; the step and the curvature along it. */
  readonly information: ReleasedInformation | undefined;
  readonly curvature: StepCurvature | undefined;
}

/** @param noise variance of an entry of the score as it was taken. */
export function keptScore(releases: LocationReleases, noise: number, m: number): KeptScore {
  const { effects, toBasis, score, bound, spread, told, information, curvature } = releases;
  const d = effects.length;
  const back = transpose(toBasis, d, d);
  const metric = symmetric(multiply(back, toBasis, d, d, d), d);
  const inverse = invertDefinite(metric, d);
  return {
    effects: effects.slice(),
    bound,
    spread,
    told,
    noise,
    metric,
    inverse,
    score: apply(back, score, d, d),
    information: information && {
      sum: congruence(back, information.sum, d, d).map((value) => value / m),
      noise: information.noise / m,
    },
    curvature: curvature && {
      along: apply(inverse, apply(back, curvature.along, d, d), d, d),
      value: curvature.value / m,
      noise: curvature.noise / m,
    },
  };
}
