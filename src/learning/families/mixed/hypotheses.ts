/**
 * What a task's own rows choose among: priors of the shared kind, wider and narrower, with more and less noise,
 * and the priors of learning alone.
 * @module
 */
import { log, pow } from "../../../core/elementary.js";
import { diagonal, factor } from "../../../linalg/small-matrices.js";
import type { MixedPrior } from "./exchange.js";
import {
  ALONE,
  ALONE_PRIOR,
  NOISE_MULTIPLES,
  NOISE_PRIOR,
  SPREAD_MULTIPLES,
  SPREAD_PRIOR,
} from "./squared-settings.js";
import { softmax } from "./squared-state.js";

/** A prior N(center, spread L L^T) of the model, with a row's noise. */
export interface Hypothesis {
  readonly spread: number;
  readonly noise: number;
  /** Logarithm of its prior weight among those of its kind, which sum to 1. */
  readonly weight: number;
}

/** Hypotheses with one center and one L, lower triangular. */
export interface Root {
  readonly alone: boolean;
  readonly center: Float64Array;
  readonly l: Float64Array;
  readonly hypotheses: readonly Hypothesis[];
}

/** Those of the shared prior, whose center is not known exactly; with correlations also without them. */
export function sharedRoots(prior: MixedPrior): Root[] {
  const { fixedEffects: center, releaseCovariance, covariance, noise } = prior;
  const d = center.length;
  const variances = Float64Array.from(center, (_, c) => covariance[c * d + c]!);
  const correlated = covariance.some((value, at) => at % (d + 1) !== 0 && value !== 0);
  const shapes = correlated ? [covariance, diagonal(variances)] : [covariance];
  const hypotheses = SPREAD_MULTIPLES.flatMap((spread, i) =>
    NOISE_MULTIPLES.map((multiple, j) => ({
      ...{ spread, noise: noise * multiple },
      weight: log((SPREAD_PRIOR[i]! * NOISE_PRIOR[j]!) / shapes.length),
    })),
  );
  return shapes.map((shape) => {
    const whole = shape.map((value, at) => value + releaseCovariance[at]!);
    return { alone: false, center, l: factor(whole, d), hypotheses };
  });
}

/** Those of learning alone: models around zero, of public grids of variances. */
export function aloneRoots(d: number): Root[] {
  const slopes = Math.max(d - 1, 1);
  const { belief } = ALONE;
  const cost = (value: number, { center, spread }: { center: number; spread: number }) =>
    ((log(value) - center) / spread) ** 2 / 2;
  const grid = ALONE.intercept.flatMap((intercept) =>
    ALONE.slopes.map((decade) => ({ intercept, variance: pow(10, decade) })),
  );
  const noises = ALONE.noise.map((decade) => pow(10, decade));
  const costs = grid.map(({ variance }) =>
    noises.map((noise) => -cost(variance, belief.slopes) - cost(noise, belief.noise)),
  );
  const weights = softmax(costs.flat());
  return grid.map(({ intercept, variance }, at) => {
    const deviations = new Float64Array(d).fill(Math.sqrt(variance / slopes));
    deviations[d - 1] = Math.sqrt(intercept);
    const hypotheses = noises.map((noise, k) => ({
      ...{ spread: 1, noise },
      weight: log(weights[at * noises.length + k]!),
    }));
    return { alone: true, center: new Float64Array(d), l: diagonal(deviations), hypotheses };
  });
}

/** Weight of learning alone before a task's n rows are seen. */
export function alonePrior(n: number): number {
  const { base, more, rows } = ALONE_PRIOR;
  return base + (more * n * n) / (n * n + rows * rows);
}
