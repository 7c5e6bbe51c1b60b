/**
 * Means of squares and products over rows, and over differences of rows, from their noisy sums.
 *
 * Entries of the matrix are drawn to public beliefs as far as they are noise, and what stays unsure of them is kept.
 * @module
 */
import { exp, log } from "../../../../core/elementary.js";
import { unpacked } from "../../../../linalg/packed-symmetric.js";
import { eigh } from "../../../../linalg/index.js";
import { GRAM, LEAST_COUNT, SQUARES } from "./record-settings.js";
import { softmax } from "../../../../linalg/softmax.js";
import { fromEigen } from "../spectra/from-eigen.js";

/** Noisy means over rows, or over pairs. */
export interface NoisyMeans {
  readonly size: number;
  /** Effects that were subtracted from the target first, [size]. */
  readonly around: Float64Array;
  /** Mean of x x^T, [size, size]. */
  readonly gram: Float64Array;
  /** Variances of its entries as far as they are unsure, [size, size]. */
  readonly doubt: Float64Array;
  /** Mean of x y, [size]. */
  readonly cross: Float64Array;
  /** Mean of y^2. */
  readonly square: number;
  /** Standard deviation of the noise on diagonal entries; off the diagonal it is less by sqrt(2). */
  readonly deviation: number;
  /** Rows, or pairs, and independent rows that tell as much. */
  readonly count: number;
  readonly samples: number;
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
export function positiveMean(
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

/**
 * Means over rows, from their release.
 * @param sum the noisy sum over rows of [z; y][z; y]^T / c, packed, of (d + 1) (d + 2) / 2 entries.
 * @param options.c what a row's |z|^2 was clipped to.
 * @param options.partOf independent rows for each that is counted; default 1.
 */
export function meansOfRows(
  sum: Float64Array,
  {
    d,
    c,
    rows,
    partOf = 1,
    deviation,
  }: { d: number; c: number; rows: number; partOf?: number; deviation: number },
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
    size: d,
    around: new Float64Array(d),
    ...believed(gram, d, noise, belief),
    cross,
    deviation: noise,
    count,
    samples: count * partOf,
    square: positiveMean(square, noise, SQUARES.target),
  };
}

/** Sizes of the release of differences, and what it is around. */
interface PairRelease {
  readonly d: number;
  readonly c: number;
  readonly count: number;
  readonly samples: number;
  readonly deviation: number;
}

/**
 * Means over pairs, from the release of differences; features' mean squares are believed to be a part of those of the rows.
 * @param sum the noisy sum over pairs of the same, without the intercept, packed, of d (d + 1) / 2 entries.
 * @param first what the rows' release said of the effects, which were subtracted.
 */
export function meansOfPairs(
  sum: Float64Array,
  { d, c, count, samples, deviation }: PairRelease,
  rows: NoisyMeans,
  first: { readonly effects: Float64Array; readonly residual: number },
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
    center: first.residual / 2,
    spread: 1.5,
    least: 0.003 * first.residual,
    most: 1.5 * first.residual,
  };
  const believedGram =
    d > 1 ? believed(gram, d - 1, noise, { mean, spread, cross: off }) : { gram, doubt: gram };
  return {
    size: d - 1,
    around: first.effects.slice(0, -1),
    ...believedGram,
    cross,
    deviation: noise,
    count,
    samples,
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
