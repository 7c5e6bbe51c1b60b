/**
 * Fixed effects from noisy moments of rows and of differences of rows.
 *
 * A least-squares problem whose matrix and right-hand side both carry known noise: entries of the matrix are drawn to public
 * beliefs as far as they are noise, what stays unsure of them widens the equations, and the scale of the effects is weighed
 * by its marginal likelihood. Differences within a task know nothing of its intercept, so they speak the more, the more
 * tasks differ in it. At small budgets the effects stay near zero and unsure.
 * @module
 */
import { unpacked } from "../../../linalg/packed-symmetric.js";
import { exp, log } from "../../../core/elementary.js";
import { eigh } from "../../../linalg/index.js";
import {
  apply,
  congruence,
  diagonal,
  factor,
  invertLower,
  multiply,
  transpose,
} from "../../../linalg/small-matrices.js";
import { EFFECTS, GRAM, LEAST_COUNT, SQUARES } from "./record-settings.js";
import { fromEigen, softmax } from "./squared-state.js";

/** Noisy means over rows (or pairs): of x x^T, x y and y^2, entries of diagonal noise `deviation`. */
export interface NoisyMeans {
  readonly size: number;
  readonly gram: Float64Array;
  /** Variances of its entries as far as they are unsure. */
  readonly doubt: Float64Array;
  readonly cross: Float64Array;
  readonly square: number;
  readonly deviation: number;
  /** Rows, or pairs. */
  readonly count: number;
}

interface Belief {
  readonly mean: (i: number) => number;
  readonly spread: number;
  readonly cross: number;
  /** An entry that is known to be 1. */
  readonly constant?: number;
}

/** Draws a noisy matrix to a belief, entry by entry, and cuts what no matrix of moments has. */
function believed(noisy: Float64Array, n: number, deviation: number, belief: Belief) {
  const gram = new Float64Array(n * n);
  const doubt = new Float64Array(n * n);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++) {
      const own = i === j;
      const prior = (own ? belief.spread : belief.cross) ** 2;
      const noise = own ? deviation ** 2 : deviation ** 2 / 2;
      const mean = own ? belief.mean(i) : 0;
      const part = prior / (prior + noise);
      gram[i * n + j] = mean + part * (noisy[i * n + j]! - mean);
      doubt[i * n + j] = part * noise;
    }
  }
  const { constant } = belief;
  if (constant !== undefined) {
    gram[constant * n + constant] = 1;
    doubt[constant * n + constant] = 0;
  }
  const { values, vectors } = eigh(gram, n);
  const least = GRAM.least * Math.max(values[0]!, 0.1);
  return {
    gram: fromEigen(
      vectors,
      values.map((value) => Math.max(value, least)),
      n,
    ),
    doubt,
  };
}

/** Mean of a positive number on a logarithmic grid, given a noisy figure of it and a belief. */
function positiveMean(
  figure: number,
  deviation: number,
  { center, spread, least, most }: Record<"center" | "spread" | "least" | "most", number>,
): number {
  const points = 60;
  const logs = Float64Array.from(
    { length: points },
    (_, k) => log(least) + (k / (points - 1)) * log(most / least),
  );
  const weights = softmax(
    logs.map((at) => {
      const off = (figure - exp(at)) / Math.max(deviation, 1e-6 * most);
      return -(off * off) / 2 - ((at - log(center)) / spread) ** 2 / 2;
    }),
  );
  return exp(logs.reduce((sum, at, k) => sum + at * weights[k]!, 0));
}

/** In units of another number. */
const scaled = (belief: Record<"center" | "spread" | "least" | "most", number>, by: number) => ({
  center: belief.center * by,
  spread: belief.spread,
  least: belief.least * by,
  most: belief.most * by,
});

/**
 * Means of the rows' release.
 * @param c what a row's |z|^2 was clipped to.
 */
export function meansOfRows(
  sum: Float64Array,
  { d, c, rows, deviation }: { d: number; c: number; rows: number; deviation: number },
): NoisyMeans {
  const n = d + 1;
  const matrix = unpacked(
    sum.map((value) => value * c),
    n,
  );
  const counted = matrix[(d - 1) * n + d - 1]!;
  const count = Math.min(Math.max(counted, LEAST_COUNT * rows), rows);
  const noise = (deviation * c) / count;
  const { gram, cross, square } = splitTarget(matrix, n, count);
  const { mean, spread, cross: off } = GRAM.rows;
  const belief = { mean: () => mean, spread, cross: off, constant: d - 1 };
  return {
    ...{ size: d, ...believed(gram, d, noise, belief), cross, deviation: noise, count },
    square: positiveMean(square, noise, SQUARES.target),
  };
}

/** The same of differences; features' mean squares are believed to be a part of those of the rows. */
export function meansOfPairs(
  sum: Float64Array,
  { d, c, count, deviation }: { d: number; c: number; count: number; deviation: number },
  rows: NoisyMeans,
): NoisyMeans {
  const matrix = unpacked(
    sum.map((value) => value * c),
    d,
  );
  const noise = (deviation * c) / count;
  const { gram, cross, square } = splitTarget(matrix, d, count);
  const { part, spread, cross: off } = GRAM.pairs;
  const mean = (i: number) => part * rows.gram[i * d + i]!;
  const wide = {
    center: rows.square / 2,
    spread: 1.5,
    least: 0.003 * rows.square,
    most: 1.5 * rows.square,
  };
  const believedGram =
    d > 1 ? believed(gram, d - 1, noise, { mean, spread, cross: off }) : { gram, doubt: gram };
  return {
    ...{ size: d - 1, ...believedGram, cross, deviation: noise, count },
    square: positiveMean(square, noise, wide),
  };
}

/** Blocks of [x x^T, x y; y x^T, y^2] / count. */
function splitTarget(matrix: Float64Array, n: number, count: number) {
  const d = n - 1;
  const gram = new Float64Array(d * d);
  for (let i = 0; i < d; i++)
    for (let j = 0; j < d; j++) gram[i * d + j] = matrix[i * n + j]! / count;
  const cross = Float64Array.from({ length: d }, (_, i) => matrix[i * n + d]! / count);
  return { gram, cross, square: matrix[n * n - 1]! / count };
}

/** What the two releases say of the effects. */
export interface RecordEffects {
  readonly effects: Float64Array;
  /** Covariance of their error, [d, d]. */
  readonly error: Float64Array;
  /** Mean square of what the effects leave of the target, as believed, and as released. */
  readonly residual: number;
  readonly released: { readonly residual: number; readonly within: number };
}

/** @param meanRows of a task. */
export function recordEffects(
  rows: NoisyMeans,
  pairs: NoisyMeans,
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
    ...{ effects, error, residual: mean((one) => one.residual) },
    released: { residual: mean((one) => one.rawResidual), within: mean((one) => one.rawWithin) },
  };
}

/** Mean square of y - x . a by the moments. */
function leftOf({ gram, cross, square, size }: NoisyMeans, a: Float64Array): number {
  const own = a.subarray(0, size);
  const image = apply(gram, own, size, size);
  return own.reduce((sum, value, c) => sum + value * (image[c]! - 2 * cross[c]!), square);
}

/** Covariance of cross - gram a: what is unsure of the matrix, the noise on the right, and the rows' own. */
function equationNoise(means: NoisyMeans, squares: Float64Array, perRow: number): Float64Array {
  const { size: n, gram, doubt, deviation, count } = means;
  const out = gram.map((value) => (value * perRow) / Math.max(count, 1));
  for (let i = 0; i < n; i++) {
    let sum = deviation ** 2 / 2;
    for (let j = 0; j < n; j++) sum += doubt[i * n + j]! * squares[j]!;
    out[i * n + i]! += sum;
  }
  return out;
}

function underScale(rows: NoisyMeans, pairs: NoisyMeans, meanRows: number, scale: number) {
  const [d, e] = [rows.size, pairs.size];
  const prior: Float64Array = new Float64Array(d).fill(scale * rows.square);
  prior[d - 1] = Math.max(scale, EFFECTS.intercept) * rows.square;
  let [squares, residual, within] = [prior, rows.square, Math.min(pairs.square, rows.square)];
  let effects: Float64Array = new Float64Array(d);
  let error: Float64Array = diagonal(prior);
  let [evidence, rawResidual, rawWithin] = [0, residual, within];
  for (let step = 0; step < EFFECTS.steps; step++) {
    const apart = Math.max(residual - within, 0) * meanRows;
    const parts = [
      { means: rows, noise: equationNoise(rows, squares, within + apart) },
      ...(e > 0 ? [{ means: pairs, noise: equationNoise(pairs, squares, within) }] : []),
    ];
    const told = diagonal(prior.map((value) => 1 / value));
    const pull = new Float64Array(d);
    evidence = prior.reduce((sum, value) => sum - log(value) / 2, 0);
    for (const { means, noise } of parts) {
      const n = means.size;
      const inverse = invertLower(factor(noise, n), n);
      const white = multiply(inverse, means.gram, n, n, n);
      const target = apply(inverse, means.cross, n, n);
      const information = multiply(transpose(white, n, n), white, n, n, n);
      const moved = apply(transpose(white, n, n), target, n, n);
      for (let i = 0; i < n; i++) {
        pull[i]! += moved[i]!;
        evidence += log(inverse[i * n + i]!) - target[i]! ** 2 / 2;
        for (let j = 0; j < n; j++) told[i * d + j]! += information[i * n + j]!;
      }
    }
    const root = invertLower(factor(told, d), d);
    error = congruence(transpose(root, d, d), diagonal(new Float64Array(d).fill(1)), d, d);
    effects = apply(error, pull, d, d);
    for (let i = 0; i < d; i++) evidence += log(root[i * d + i]!) + (pull[i]! * effects[i]!) / 2;
    squares = effects.map((value, i) => value * value + error[i * d + i]!);
    const size = 1 + effects.reduce((sum, value) => sum + value * value, 0);
    rawResidual = leftOf(rows, effects);
    rawWithin = leftOf(pairs, effects);
    residual = positiveMean(
      rawResidual,
      rows.deviation * size,
      scaled(SQUARES.residual, rows.square),
    );
    within = positiveMean(rawWithin, pairs.deviation * size, scaled(SQUARES.within, residual));
  }
  return { effects, error, evidence, residual, rawResidual, rawWithin };
}
