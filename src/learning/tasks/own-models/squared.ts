/**
 * One task's Bayesian ridge model: y = x . w + b + e with normal w, b and e, the average of the posterior means
 * over a public grid of their variances, each weighted by its evidence on the task's own rows (empirical Bayes
 * without the maximisation, which few rows make too sure of itself).
 *
 * Where the target's range is declared, the intercept has a prior around the middle of it; else it is flat.
 * @see MacKay (1992), "Bayesian interpolation"
 * @module
 */
import { exp, log } from "../../../core/elementary.js";
import { eigh } from "../../../linalg/index.js";
import { ownRows, type TaskRows } from "./own-scale.js";
import { logBelief, SQUARED, TARGET_DEVIATION } from "./settings.js";

/** What is known of the scale of features and target beforehand. */
export interface KnownScale {
  readonly features: boolean;
  readonly target: boolean;
}

/** A linear model of the given features. */
export interface OwnModel {
  readonly weights: Float64Array;
  readonly intercept: number;
}

/** Rows A[n, q], decomposed: A A^T = U diag(squares) U^T. */
interface Spectrum {
  readonly squares: Float64Array;
  /** U^T r, [k]. */
  readonly observed: Float64Array;
  /** The directions of the coefficients as rows, [k, q]. */
  readonly directions: Float64Array;
  /** Sum of the squares that no direction explains. */
  readonly rest: number;
}

/** Squared singular values below this part of the largest are taken for zero. */
const NEGLIGIBLE = 1e-13;

/** The own model of a task with at least one row. */
export function squaredModel(
  rows: TaskRows & { readonly y: Float64Array },
  { intercept, known }: { intercept: boolean; known: KnownScale },
): OwnModel {
  const { n, d, y, s } = rows;
  const weight = s ? (row: number) => s[row]! : () => 1;
  const flat = intercept && !known.target;
  const centered = intercept && (flat || !known.features);
  const { z, center, factors } = ownRows(rows, { centered, declared: known.features });
  const level = flat ? y.reduce((sum, value, row) => sum + weight(row) * value, 0) / n : 0;
  const freedom = flat ? n - 1 : n;
  const squares = y.reduce((sum, value, row) => sum + weight(row) * (value - level) ** 2, 0);
  const spread = squares / Math.max(freedom, 1);
  const unit = known.target ? TARGET_DEVIATION : Math.sqrt(spread);
  if (!(unit > 0) || freedom === 0) return { weights: new Float64Array(d), intercept: level };
  // Rows times the roots of their weights have noise of one variance.
  const roots = s?.map(Math.sqrt);
  const residuals = y.map((value, row) => ((roots?.[row] ?? 1) * (value - level)) / unit);
  const rooted = roots ? z.map((value, k) => value * roots[Math.floor(k / d)]!) : z;
  const belief = known.target ? SQUARED.declared : SQUARED.own;
  const ratios = intercept && !flat ? SQUARED.ratios : [0];
  const found = ratios.map((ratio) => {
    const width = ratio > 0 ? d + 1 : d;
    const a = ratio > 0 ? withConstant(rooted, { n, d, roots }, Math.sqrt(ratio)) : rooted;
    return { ratio, width, spectrum: decompose(a, residuals, n, width) };
  });
  const logs = found.map(({ ratio, spectrum }) => evidence(spectrum, ratio, freedom, belief));
  const most = Math.max(...logs.flat());
  const total = logs.flat().reduce((sum, value) => sum + exp(value - most), 0);
  const weights = new Float64Array(d);
  let constant = 0;
  found.forEach(({ ratio, width, spectrum }, at) => {
    const mean = posteriorMean(
      spectrum,
      width,
      logs[at]!.map((value) => exp(value - most) / total),
    );
    for (let j = 0; j < d; j++) weights[j]! += mean[j]! * factors[j]! * unit;
    if (ratio > 0) constant += mean[d]! * Math.sqrt(ratio) * unit;
  });
  const shift = weights.reduce((sum, value, j) => sum + value * center[j]!, 0);
  return { weights, intercept: level + constant - shift };
}

/** Z with a last column of one number, times the roots of the rows' weights, [n, d + 1]. */
function withConstant(
  z: Float64Array,
  { n, d, roots }: { n: number; d: number; roots: Float64Array | undefined },
  value: number,
): Float64Array {
  const out = new Float64Array(n * (d + 1)).fill(value);
  for (let row = 0; row < n; row++) {
    out.set(z.subarray(row * d, (row + 1) * d), row * (d + 1));
    if (roots) out[row * (d + 1) + d]! *= roots[row]!;
  }
  return out;
}

/** By the eigenvectors of A A^T or A^T A, whichever is smaller. */
function decompose(a: Float64Array, r: Float64Array, n: number, q: number): Spectrum {
  const wide = n < q;
  const k = Math.min(n, q);
  const gram = new Float64Array(k * k);
  for (let i = 0; i < k; i++) {
    for (let j = 0; j <= i; j++) {
      let sum = 0;
      if (wide) for (let c = 0; c < q; c++) sum += a[i * q + c]! * a[j * q + c]!;
      else for (let row = 0; row < n; row++) sum += a[row * q + i]! * a[row * q + j]!;
      gram[i * k + j] = gram[j * k + i] = sum;
    }
  }
  const { values, vectors } = eigh(gram, k);
  const least = NEGLIGIBLE * Math.max(values[0] ?? 0, 0);
  const [squares, observed] = [new Float64Array(k), new Float64Array(k)];
  const directions = new Float64Array(k * q);
  let rest = r.reduce((sum, value) => sum + value * value, 0);
  for (let t = 0; t < k; t++) {
    if (!(values[t]! > least)) continue;
    squares[t] = values[t]!;
    const root = Math.sqrt(values[t]!);
    for (let row = 0; row < n; row++) {
      let along = 0;
      if (wide) along = vectors[row * k + t]!;
      else for (let c = 0; c < q; c++) along += (a[row * q + c]! * vectors[c * k + t]!) / root;
      observed[t]! += along * r[row]!;
      if (wide) {
        for (let c = 0; c < q; c++) directions[t * q + c]! += (along * a[row * q + c]!) / root;
      }
    }
    if (!wide) for (let c = 0; c < q; c++) directions[t * q + c] = vectors[c * k + t]!;
    rest -= observed[t]! ** 2;
  }
  return { squares, observed, directions, rest: Math.max(rest, 0) };
}

/** Log evidence times prior of every slope variance and noise, in the grid's order. */
function evidence(
  { squares, observed, rest }: Spectrum,
  ratio: number,
  freedom: number,
  belief: (typeof SQUARED)["declared" | "own"],
): number[] {
  const k = squares.length;
  return SQUARED.slopes.flatMap((slopes) => {
    const prior =
      logBelief(slopes, belief.slopes) +
      (ratio > 0 ? logBelief(slopes * ratio, SQUARED.intercept) : 0);
    return SQUARED.noise.map((noise) => {
      let sum = (freedom - k) * log(noise) + rest / noise;
      for (let t = 0; t < k; t++) {
        const variance = noise + slopes * squares[t]!;
        sum += log(variance) + observed[t]! ** 2 / variance;
      }
      return prior + logBelief(noise, belief.noise) - sum / 2;
    });
  });
}

/** Sum over the grid of weight times posterior mean, [q]. */
function posteriorMean(
  { squares, observed, directions }: Spectrum,
  q: number,
  weights: readonly number[],
): Float64Array {
  const out = new Float64Array(q);
  const { length } = SQUARED.noise;
  squares.forEach((square, t) => {
    let factor = 0;
    weights.forEach((weight, at) => {
      const slopes = SQUARED.slopes[Math.floor(at / length)]!;
      factor += (weight * slopes) / (SQUARED.noise[at % length]! + slopes * square);
    });
    const along = factor * Math.sqrt(square) * observed[t]!;
    for (let c = 0; c < q; c++) out[c]! += along * directions[t * q + c]!;
  });
  return out;
}
