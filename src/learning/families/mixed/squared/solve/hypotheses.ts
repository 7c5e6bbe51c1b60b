/**
 * What a task's own rows choose among: priors of the shared kind, wider and narrower, with more and less noise. Those of
 * learning alone are in `alone-roots.ts`.
 * @module
 */
import { log, pow } from "../../../../../core/elementary.js";
import {
  add,
  diagonal,
  factor,
  scaledOnSides,
  trace,
} from "../../../../../linalg/small-matrices.js";
import { SQUARED } from "../../../../tasks/own-models/settings.js";
import type { MixedPrior } from "../../exchange.js";
import {
  ALONE_PRIOR,
  BELIEF,
  INTERCEPT_MULTIPLES,
  OWN_NOISE_MULTIPLES,
  OWN_NOISE_PRIOR,
  SPREADS,
  type Spreads,
} from "../squared-settings.js";
import { VARIANCES } from "../squared-state.js";
import { unsureWeights } from "./unsure-weights.js";

/** A prior N(center, spread L L^T) of the model, with a row's noise. */
export interface Hypothesis {
  readonly spread: number;
  readonly noise: number;
  /** Which of all noises it is: those of the shared kind first, then those of learning alone. */
  readonly level: number;
  /** Logarithm of its prior weight among those of its kind, which sum to 1. */
  readonly weight: number;
}

/** All of one shape: their numbers are read thousands of times a task. */
export const hypothesis = (
  spread: number,
  noise: number,
  level: number,
  weight: number,
): Hypothesis => ({ spread, noise, level, weight });

/** Hypotheses with one center and one L, lower triangular. */
export interface Root {
  /** Around what tasks have in common; alone; or alone with L, and of differences the variances, in units of the task's own (`own-units.ts`). */
  readonly kind: "shared" | "alone" | "own";
  readonly center: Float64Array;
  readonly l: Float64Array;
  readonly hypotheses: readonly Hypothesis[];
}

/** Correlations that are rounding. */
const NEGLIGIBLE = 1e-9;

/**
 * Those of the shared prior, whose center is not known exactly; with correlations also without them.
 * @returns roots for a task of few rows, and of many: the same but for their spreads; worked out when they are asked for.
 */
export function sharedRoots(prior: MixedPrior): Record<keyof typeof SPREADS, Root[]> {
  const { fixedEffects: center, releaseCovariance, covariance, noise, unsure } = prior;
  const d = center.length;
  const variances = Float64Array.from(center, (_, c) => covariance[c * d + c]!);
  const shapes = areCorrelated(covariance, variances)
    ? [covariance, diagonal(variances)]
    : [covariance];
  const intercepts = unsure ? INTERCEPT_MULTIPLES : [1];
  const factors = intercepts.flatMap((intercept, which) => {
    const scales = new Float64Array(d).fill(1);
    scales[d - 1] = Math.sqrt(intercept);
    return shapes.map((shape) => {
      const whole = scaledOnSides(shape, scales);
      add(whole, releaseCovariance);
      return { l: factor(whole, d), which };
    });
  });
  const rootsOf = (spreads: Spreads): Root[] => {
    const lists = weighed(unsure, spreads).map((weights) =>
      hypothesesOf(spreads, noise, weights, shapes.length),
    );
    return factors.map(({ l, which }) => ({
      kind: "shared",
      center,
      l,
      hypotheses: lists[which]!,
    }));
  };
  return {
    get few() {
      return rootsOf(SPREADS.few);
    },
    get many() {
      return rootsOf(SPREADS.many);
    },
  };
}

/** Those of a root. @param weights by spread and noise, the latter fastest; of so many roots that share them. */
function hypothesesOf(
  { multiples }: Spreads,
  noise: number,
  weights: Float64Array,
  sharing: number,
): Hypothesis[] {
  const all: Hypothesis[] = [];
  for (const spread of multiples) {
    for (let j = 0; j < OWN_NOISE_MULTIPLES.length; j++) {
      const weight = log(weights[all.length]! / sharing);
      all.push(hypothesis(spread, noise * OWN_NOISE_MULTIPLES[j]!, j, weight));
    }
  }
  return all;
}

function areCorrelated(covariance: Float64Array, variances: Float64Array): boolean {
  const d = variances.length;
  for (let i = 0, at = 0; i < d; i++) {
    for (let j = 0; j < d; j++, at++) {
      const most = NEGLIGIBLE * Math.sqrt(variances[i]! * variances[j]!);
      if (i !== j && Math.abs(covariance[at]!) > most) return true;
    }
  }
  return false;
}

/** Weights of spreads and noises, the latter fastest, for each multiple of the intercept's spread; for one where the variances are sure. */
function weighed(unsure: Float64Array | undefined, spreads: Spreads): readonly Float64Array[] {
  if (!unsure) {
    const sure = spreads.prior.flatMap((spread) => OWN_NOISE_PRIOR.map((noise) => spread * noise));
    return [Float64Array.from(sure)];
  }
  const all = unsureWeights(unsure, spreads);
  const count = all.length / INTERCEPT_MULTIPLES.length;
  return INTERCEPT_MULTIPLES.map((_, k) => all.subarray(k * count, (k + 1) * count));
}

/** Half decades by which a task's own target may be larger or smaller than the voted size, in variance. */
const MOST_SHIFT = 16;

/** The variances of a row's noise, by level, under a common one. @param own whether tasks that learn alone have targets of their own size. */
export function noiseLevels(noise: number, own = false): Float64Array {
  const common = OWN_NOISE_MULTIPLES.map((multiple) => noise * multiple);
  const { length } = SQUARED.noise;
  const alone = own
    ? Array.from(
        { length: length + 2 * MOST_SHIFT },
        (_, k) => SQUARED.noise[0]! * halfDecades(k - MOST_SHIFT),
      )
    : SQUARED.noise;
  return Float64Array.of(...common, ...alone);
}

/** So many steps of the noise's levels. */
const halfDecades = (steps: number) => pow(10, steps / 2);

/** The whole number of half decades nearest to a variance, within what levels have. */
export const heldShift = (variance: number): number =>
  Math.min(Math.max(Math.round((2 * log(variance)) / Math.LN10), -MOST_SHIFT), MOST_SHIFT);

/** A hypothesis of learning alone for a target whose variance is that many half decades larger. */
export function shifted({ spread, noise, level, weight }: Hypothesis, shift: number): Hypothesis {
  const factor = halfDecades(shift);
  return hypothesis(spread * factor, noise * factor, level + MOST_SHIFT + shift, weight);
}

/**
 * Weight of learning alone before a task's n rows are seen. A shared prior is worth as much as the releases tell of it: part is how
 * unsure they left the variances, and how much of the slopes' second moment is error of the fixed effects.
 * @returns the weight by n; what follows from the prior is worked out once for all tasks.
 */
export function alonePrior(prior: MixedPrior): (n: number) => number {
  const { base, unsure: more, effects, most, rows } = ALONE_PRIOR;
  const { unsure } = prior;
  const part = unsure ? trace(unsure, VARIANCES) / (VARIANCES * BELIEF.spread ** 2) : 0;
  const told = base + more * Math.min(Math.max(part, 0), 1) + effects * errorPart(prior) ** 2;
  const least = Math.min(told, 1 - base);
  const further = Math.max(most - least, 0);
  const other = rows * rows;
  return (n) => {
    const square = n * n;
    return least + (further * square * square) / (square * square + other * other);
  };
}

/** Part of the slopes' second moment under the shared prior that is error of the fixed effects, 0 to 1; 0 without slopes. */
export function errorPart({ fixedEffects, covariance, releaseCovariance }: MixedPrior): number {
  const d = fixedEffects.length;
  let [error, whole] = [0, 0];
  for (let c = 0; c < d - 1; c++) {
    const at = c * (d + 1);
    error += releaseCovariance[at]!;
    whole += releaseCovariance[at]! + covariance[at]! + fixedEffects[c]! ** 2;
  }
  return whole > 0 ? error / whole : 0;
}
