/**
 * What is stated of fixed effects of columns of which tasks may tell less than is predicted: columns that hardly vary within tasks, or lie in
 * a small part of their declared range, where nobody declared so and no release says it.
 *
 * A score is of A (a - e) + noise, e the effects at which it was taken and A the predicted information. Of a column that tells a part
 * f of what is predicted, row and column of A are to be multiplied by the root of f: steps were too short, and look surer than they are.
 * Scores say so, since after steps that are too short the next ones point the same way, and so do the curvatures along the steps. For each
 * column alone the evidence of all of them weighs a few f; what the effect may be under each counts. Effects stay those that predict.
 * Post-processing of releases.
 * @module
 */
import { log } from "../../../../core/elementary.js";
import { congruence } from "../../../../linalg/kernel-products.js";
import { definiteInverse, inverseRoom } from "../../../../linalg/kernel-inverse.js";
import {
  apply,
  invertDefinite,
  multiply,
  over,
  symmetric,
  transpose,
} from "../../../../linalg/small-matrices.js";
import { logSumExp, softmax } from "../softmax.js";
import type { EffectsBelief, EffectsScore } from "./effects-belief.js";
import { EFFECTS, UNSURE_COLUMN } from "./squared-settings.js";
import { deviationHolding, type PartNormal } from "./stated-width.js";
import { StepCurvatures, type StepCurvature } from "./step-curvatures.js";

/** A score in the effects' own coordinates. */
interface SeenScore {
  readonly effects: Float64Array;
  /** A and the score, [d, d] and [d]. */
  readonly information: Float64Array;
  readonly score: Float64Array;
  /** M, the inverse of the covariance of the noise; A M; and A M A. */
  readonly precision: Float64Array;
  readonly across: Float64Array;
  readonly told: Float64Array;
}

/** What is said of one effect: log evidence up to a constant. */
interface Posterior {
  readonly evidence: number;
  readonly mean: number;
  readonly variance: number;
}

/** The same under the mixture of normals that an effect is of before anything is known: their weights sum to 1. */
interface MixturePosterior {
  readonly evidence: number;
  readonly normals: readonly PartNormal[];
}

/** Scores of the fixed effects of a fit, one after the other. */
export class UnsureColumns {
  readonly #d: number;
  readonly #seen: SeenScore[] = [];
  readonly #curvatures = new StepCurvatures();

  constructor(d: number) {
    this.#d = d;
  }

  /**
   * @param noise variance of each entry of the score, as it was taken.
   * @param curvature along the step that it points to.
   */
  add(
    { effects, toBasis, information, score }: EffectsScore,
    noise: number,
    curvature: StepCurvature,
  ): void {
    const d = this.#d;
    if (d > UNSURE_COLUMN.most) return;
    const back = transpose(toBasis, d, d);
    const own = symmetric(congruence(back, information.matrix, d, d), d);
    const covariance = symmetric(multiply(back, toBasis, d, d, d), d);
    const inverse = invertDefinite(covariance, d);
    const precision = over(inverse, noise);
    const across = multiply(own, precision, d, d, d);
    this.#seen.push({
      ...{ effects: effects.slice(), information: own, score: apply(back, score, d, d) },
      ...{ precision, across, told: symmetric(multiply(across, own, d, d, d), d) },
    });
    this.#curvatures.add(
      curvature,
      congruence(back, curvature.information, d, d),
      apply(inverse, apply(back, curvature.along, d, d), d, d),
    );
  }

  /**
   * What standard errors are to be multiplied by, [d]; undefined where releases told of the information, or there are too many columns to look at each.
   * @param located the effects that are stated.
   * @param known positions of columns that are as declared.
   * @param ofTasks variances of the effects by the sampling of tasks as predicted, [d].
   * @param releases what those by the releases' noise are multiplied by where nothing is said of columns.
   */
  factors(
    { scales, mean, error }: Pick<EffectsBelief, "scales" | "mean" | "error">,
    known: readonly number[],
    ofTasks: Float64Array,
    releases: number,
  ): Float64Array | undefined {
    if (this.#seen.length === 0) return undefined;
    const d = this.#d;
    const { parts, prior, quantile } = UNSURE_COLUMN;
    const factors = new Float64Array(d).fill(1);
    const widths = priorVariances(scales);
    const whole = this.#under(0, 1, widths);
    for (let j = 0; j < d - 1; j++) {
      if (known.includes(j)) continue;
      const sizes = EFFECTS.slopes.sizes.map((size) => size * scales[j]!);
      const of = parts.map((part) =>
        underSizes((part === 1 ? whole : this.#under(j, part, widths))(j), widths[j]!, sizes),
      );
      const weights = softmax(
        Float64Array.from(
          of,
          ({ evidence }, k) => evidence + this.#curvatures.evidence(j, parts[k]!) + log(prior[k]!),
        ),
      );
      const around = of.flatMap(({ normals }, k) =>
        normals.map((normal) => ({
          weight: weights[k]! * normal.weight,
          mean: normal.mean - mean[j]!,
          variance: normal.variance + ofTasks[j]! / parts[k]!,
        })),
      );
      factors[j] =
        deviationHolding(around, quantile) /
        Math.sqrt(releases * error[j * (d + 1)]! + ofTasks[j]!);
    }
    return factors;
  }

  /** What scores say of effects whose column j tells such a part: log evidence up to a constant, and each effect's mean and variance. */
  #under(j: number, part: number, widths: Float64Array) {
    const d = this.#d;
    const less = Math.sqrt(part) - 1;
    const precision = new Float64Array(d * d);
    const vector = () => new Float64Array(d);
    const [pull, there, at, weighed] = [vector(), vector(), vector(), vector()];
    const [pulled, own, beside] = [vector(), vector(), vector()];
    // D, the identity but for j.
    const scale = 1 + less;
    let misfit = 0;
    for (const seen of this.#seen) {
      const { effects, information, score, precision: m, across, told } = seen;
      // D A D M D A D.
      const square = less * less * m[j * (d + 1)]!;
      there.set(effects);
      there[j]! *= scale;
      apply(information, there, d, d, at);
      at[j]! *= scale;
      for (let c = 0; c < d; c++) {
        at[c]! += score[c]!;
        own[c] = information[c * d + j]!;
        beside[c] = across[c * d + j]!;
      }
      apply(m, at, d, d, weighed);
      there.set(weighed);
      there[j]! *= scale;
      apply(information, there, d, d, pulled);
      pulled[j]! *= scale;
      for (let c = 0; c < d; c++) {
        misfit += at[c]! * weighed[c]!;
        pull[c]! += pulled[c]!;
        const line = c === j ? scale : 1;
        for (let e = 0; e < d; e++) {
          const value =
            told[c * d + e]! +
            less * (own[c]! * beside[e]! + beside[c]! * own[e]!) +
            square * own[c]! * own[e]!;
          precision[c * d + e]! += line * value * (e === j ? scale : 1);
        }
      }
    }
    for (let c = 0; c < d; c++) precision[c * (d + 1)]! += 1 / widths[c]!;
    const { root, inverse } = definiteInverse(precision, d, inverseRoom(d));
    const mean = apply(inverse, pull, d, d);
    let evidence = -misfit / 2;
    for (let c = 0; c < d; c++) evidence += (mean[c]! * pull[c]!) / 2 + log(root[c * (d + 1)]!);
    return (c: number) => ({ evidence, mean: mean[c]!, variance: inverse[c * (d + 1)]! });
  }
}

/** The same with a mixture of normals of such variances in the place of one normal of variance `width`. */
function underSizes(
  { evidence, mean, variance }: Posterior,
  width: number,
  sizes: readonly number[],
): MixturePosterior {
  const precision = Math.max(1 / variance - 1 / width, 1e-9 / width);
  const center = mean / variance / precision;
  const costs = new Float64Array(sizes.length);
  for (let k = 0; k < sizes.length; k++) {
    costs[k] = logDensity(center, sizes[k]! + 1 / precision) + log(UNSURE_COLUMN.sizes[k]!);
  }
  const total = logSumExp(costs);
  const weights = softmax(costs);
  const normals: PartNormal[] = [];
  for (let k = 0; k < sizes.length; k++) {
    const own = sizes[k]! / (1 + sizes[k]! * precision);
    normals.push({ weight: weights[k]!, mean: own * precision * center, variance: own });
  }
  return { evidence: evidence + total - logDensity(center, width + 1 / precision), normals };
}

/** Of a normal around 0, up to a constant. */
const logDensity = (x: number, variance: number) => -(log(variance) + x ** 2 / variance) / 2;

/** Variances of the effects before anything is known of them, [d]. */
function priorVariances(scales: Float64Array): Float64Array {
  const meanOf = ({ sizes, prior }: { sizes: readonly number[]; prior: readonly number[] }) =>
    sizes.reduce((sum, size, k) => sum + size * prior[k]!, 0);
  const [slopes, intercept] = [meanOf(EFFECTS.slopes), meanOf(EFFECTS.intercept)];
  return scales.map((scale, c) => scale * (c === scales.length - 1 ? intercept : slopes));
}
