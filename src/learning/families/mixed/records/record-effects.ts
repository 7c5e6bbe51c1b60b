/**
 * Fixed effects from noisy moments of rows and of differences of rows.
 *
 * A least-squares problem whose matrix and right-hand side both carry known noise: what is unsure of the matrix widens the
 * equations, and the scale of the effects is weighed by its marginal likelihood. Differences within a task know nothing of
 * its intercept, so they speak the more, the more tasks differ in it. They are of what a first estimate, from the rows
 * alone, leaves of the target: what is unsure of their matrix then meets the small rest of the effects. At small budgets
 * the effects stay near zero and unsure.
 * @module
 */
import { log } from "../../../../core/elementary.js";
import { definiteInverse } from "../../../../linalg/kernel-inverse.js";
import { product } from "../../../../linalg/kernel-products.js";
import { apply, diagonal, transpose } from "../../../../linalg/small-matrices.js";
import { positiveMean, type NoisyMeans } from "./record-means.js";
import { EFFECTS, SQUARES } from "./record-settings.js";
import { softmax } from "../../../../linalg/softmax.js";

/** What the two releases say of the effects. */
export interface RecordEffects {
  readonly effects: Float64Array;
  /** Covariance of their error, [d, d]. */
  readonly error: Float64Array;
  /** Mean square of what the effects leave of the target, as believed, and as released. */
  readonly residual: number;
  readonly released: { readonly residual: number; readonly within: number };
}

/**
 * @param pairs none before their release.
 * @param meanRows of a task.
 */
export function recordEffects(
  rows: NoisyMeans,
  pairs: NoisyMeans | undefined,
  meanRows: number,
): RecordEffects {
  const found = EFFECTS.scales.map((scale) => underScale(rows, pairs, meanRows, scale));
  const weights = softmax(found.map(({ evidence }) => evidence));
  const mean = (of: (one: (typeof found)[number]) => number) =>
    found.reduce((sum, one, k) => sum + weights[k]! * of(one), 0);
  const d = rows.size;
  const effects = Float64Array.from({ length: d }, (_, c) => mean((one) => one.effects[c]!));
  const error = Float64Array.from({ length: d * d }, (_, at) => {
    const [i, j] = [Math.floor(at / d), at % d];
    return mean(
      (one) => one.error[at]! + (one.effects[i]! - effects[i]!) * (one.effects[j]! - effects[j]!),
    );
  });
  return {
    effects,
    error,
    residual: mean((one) => one.residual),
    released: { residual: mean((one) => one.rawResidual), within: mean((one) => one.rawWithin) },
  };
}

/** In units of another number. */
const scaled = (belief: Record<"center" | "spread" | "least" | "most", number>, by: number) => ({
  center: belief.center * by,
  spread: belief.spread,
  least: belief.least * by,
  most: belief.most * by,
});

/** a less what was subtracted. */
const offOf = ({ around }: NoisyMeans, a: Float64Array) => around.map((value, i) => a[i]! - value);

/** Squared norm of (1, a less what was subtracted): what the noise on the moments is multiplied by. */
export const sizeOf = (means: NoisyMeans, a: Float64Array) =>
  offOf(means, a).reduce((sum, value) => sum + value * value, 1);

/** Mean square of y - x . a by the moments. */
function leftOf(means: NoisyMeans, a: Float64Array): number {
  const { gram, cross, square, size } = means;
  const own = offOf(means, a);
  const image = apply(gram, own, size, size);
  return own.reduce((sum, value, c) => sum + value * (image[c]! - 2 * cross[c]!), square);
}

/** Covariance of cross - gram a: what is unsure of the matrix, the noise on the right, and the rows' own. */
function equationNoise(
  means: NoisyMeans,
  effects: Float64Array,
  variances: (i: number) => number,
  perRow: number,
): Float64Array {
  const { size: n, gram, doubt, deviation, samples } = means;
  const squares = offOf(means, effects).map((value, i) => value * value + variances(i));
  const out = gram.map((value) => (value * perRow) / Math.max(samples, 1));
  for (let i = 0; i < n; i++) {
    let sum = deviation ** 2 / 2;
    for (let j = 0; j < n; j++) sum += doubt[i * n + j]! * squares[j]!;
    out[i * n + i]! += sum;
  }
  return out;
}

/** Noisy equations of the effects, or of the first of them. */
interface Equations {
  readonly means: NoisyMeans;
  /** Covariance of what is unsure of them, [size, size]. */
  readonly noise: Float64Array;
}

/** The effects by all equations under a prior of these variances, [d], their error, [d, d], and the log evidence up to a constant. */
function solveEquations(equations: readonly Equations[], prior: Float64Array) {
  const d = prior.length;
  const told = diagonal(prior.map((value) => 1 / value));
  const pull = new Float64Array(d);
  let evidence = prior.reduce((sum, value) => sum - log(value) / 2, 0);
  for (const { means, noise } of equations) {
    const n = means.size;
    const inverse = definiteInverse(noise, n).root;
    const white = product(inverse, means.gram, n, n, n);
    const columns = transpose(white, n, n);
    const subtracted = apply(means.gram, means.around, n, n);
    const cross = means.cross.map((value, i) => value + subtracted[i]!);
    const target = apply(inverse, cross, n, n);
    const information = product(columns, white, n, n, n);
    const moved = apply(columns, target, n, n);
    for (let i = 0; i < n; i++) {
      pull[i]! += moved[i]!;
      evidence += log(inverse[i * n + i]!) - target[i]! ** 2 / 2;
      for (let j = 0; j < n; j++) told[i * d + j]! += information[i * n + j]!;
    }
  }
  const { root, inverse: error } = definiteInverse(told, d);
  const effects = apply(error, pull, d, d);
  for (let i = 0; i < d; i++) evidence += log(root[i * d + i]!) + (pull[i]! * effects[i]!) / 2;
  return { effects, error, evidence };
}

/** The effects whose variances are `scale` of the target's square, solved again as what they leave of the target becomes known. */
function underScale(
  rows: NoisyMeans,
  pairs: NoisyMeans | undefined,
  meanRows: number,
  scale: number,
) {
  const d = rows.size;
  const prior: Float64Array = new Float64Array(d).fill(scale * rows.square);
  prior[d - 1] = Math.max(scale, EFFECTS.intercept) * rows.square;
  let residual = rows.square;
  let within = pairs ? Math.min(pairs.square, rows.square) : SQUARES.unknown * rows.square;
  let effects: Float64Array = new Float64Array(d);
  let error: Float64Array = diagonal(prior);
  let [evidence, rawResidual, rawWithin] = [0, residual, within];
  for (let step = 0; step < EFFECTS.steps; step++) {
    const apart = Math.max(residual - within, 0) * meanRows;
    const variances = (i: number) => error[i * d + i]!;
    const noiseOf = (means: NoisyMeans, perRow: number) =>
      equationNoise(means, effects, variances, perRow);
    const equations = [
      { means: rows, noise: noiseOf(rows, within + apart) },
      ...(pairs && pairs.size > 0 ? [{ means: pairs, noise: noiseOf(pairs, within) }] : []),
    ];
    ({ effects, error, evidence } = solveEquations(equations, prior));
    rawResidual = leftOf(rows, effects);
    residual = positiveMean(
      rawResidual,
      rows.deviation * sizeOf(rows, effects),
      scaled(SQUARES.residual, rows.square),
    );
    if (pairs) {
      rawWithin = leftOf(pairs, effects);
      within = positiveMean(
        rawWithin,
        pairs.deviation * sizeOf(pairs, effects),
        scaled(SQUARES.within, residual),
      );
    } else within = SQUARES.unknown * residual;
  }
  return { effects, error, evidence, residual, rawResidual, rawWithin };
}
