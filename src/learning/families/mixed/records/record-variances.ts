/**
 * Variances of slopes, intercepts and noise from three noisy figures: the mean square that the fixed effects leave, the same
 * of differences within tasks, which no intercept moves, and how far the tasks' mean scores lie apart.
 *
 * A grid of hypotheses, weighed by the normal likelihood of the figures with the noise of the releases and of the rows.
 * @module
 */
import { exp, log } from "../../../../core/elementary.js";
import { sizeOf, type RecordEffects } from "./record-effects.js";
import type { NoisyMeans } from "./record-means.js";
import { VARIANCES } from "./record-settings.js";
import type { WeightedSizes } from "../weighted-sizes.js";
import { softmax } from "../../../../linalg/softmax.js";

/** The figures, and what their expectations follow from. */
export interface VarianceFigures {
  readonly rows: NoisyMeans;
  readonly pairs: NoisyMeans;
  readonly effects: RecordEffects;
  /** Released sums of (v_0^2, |v_1..|^2), and the deviation of their noise. */
  readonly between: Float64Array;
  readonly deviation: number;
  /** Factor of the features in them. */
  readonly features: number;
  /** The run's sizes. */
  readonly of: WeightedSizes;
}

/** Variances of a slope, an intercept, and a row's noise. */
export interface Variances {
  readonly slopes: number;
  readonly intercept: number;
  readonly noise: number;
  /** Covariance of the error of their logarithms, [3, 3]. */
  readonly unsure: Float64Array;
}

/** Mean squares of features and of their products with each other and the constant, times the factor. */
function featureFigures({ rows, pairs, features }: VarianceFigures) {
  const { size: d, gram } = rows;
  const [e, factor] = [d - 1, features ** 2];
  let [total, products, withConstant, within] = [0, 0, 0, 0];
  for (let i = 0; i < e; i++) {
    total += factor * gram[i * d + i]!;
    withConstant += factor * gram[i * d + e]! ** 2;
    within += factor * pairs.gram[i * e + i]!;
    for (let j = 0; j < e; j++) products += (factor * gram[i * d + j]!) ** 2;
  }
  return { total, products, withConstant, within };
}

const normal = (off: number, variance: number) => -(off * off) / variance / 2 - log(variance) / 2;

/** Geometric means over the hypotheses. */
export function recordVariances(figures: VarianceFigures): Variances {
  const { rows, pairs, effects, between, deviation, features, of } = figures;
  const { total, products, withConstant, within } = featureFigures(figures);
  const { tasks: m, rows: n, effectiveTasks } = of;
  const [ofResidual, ofWithin] = [rows, pairs].map(
    (means) => (means.deviation * sizeOf(means, effects.effects)) ** 2,
  );
  const hypotheses: { cost: number; logs: readonly number[] }[] = [];
  for (const size of VARIANCES.sizes) {
    const left = size * effects.residual;
    for (const slopePart of VARIANCES.slopes) {
      for (const interceptPart of VARIANCES.intercepts) {
        if (slopePart + interceptPart > VARIANCES.most) continue;
        const slopes = (slopePart * left) / Math.max(total, 1e-6);
        const intercept = interceptPart * left;
        const noise = left * (1 - slopePart - interceptPart);
        const first = m * noise + n * (intercept + slopes * withConstant);
        const others = m * noise * total + n * (intercept * withConstant + slopes * products);
        const expectedWithin = noise + slopes * within;
        const cost =
          normal(between[0]! - first, (2 * first * first) / effectiveTasks + deviation ** 2) +
          normal(between[1]! - others, (2 * others * others) / effectiveTasks + deviation ** 2) +
          normal(
            left - effects.released.residual,
            ofResidual! + 2 * left ** 2 * (1 / rows.samples + interceptPart ** 2 / effectiveTasks),
          ) +
          normal(
            expectedWithin - effects.released.within,
            ofWithin! + (2 * expectedWithin ** 2) / Math.max(pairs.samples, 1),
          );
        hypotheses.push({ cost, logs: [slopes * features ** 2, intercept, noise].map(log) });
      }
    }
  }
  const weights = softmax(hypotheses.map(({ cost }) => cost));
  const [slopes, intercept, noise] = [0, 1, 2].map((k) =>
    exp(hypotheses.reduce((sum, { logs }, h) => sum + weights[h]! * logs[k]!, 0)),
  );
  const middle = [slopes!, intercept!, noise!].map(log);
  const unsure = Float64Array.from({ length: 9 }, (_, at) => {
    const [i, j] = [Math.floor(at / 3), at % 3];
    return hypotheses.reduce(
      (sum, { logs }, h) => sum + weights[h]! * (logs[i]! - middle[i]!) * (logs[j]! - middle[j]!),
      0,
    );
  });
  return { slopes: slopes!, intercept: intercept!, noise: noise!, unsure };
}
