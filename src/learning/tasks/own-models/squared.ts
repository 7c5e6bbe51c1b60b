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
import { byTridiagonalForm } from "./by-tridiagonal-form.js";
import { averagedScales, ownRows, type TaskRows } from "./own-scale.js";
import { SQUARED, TARGET_DEVIATION } from "./settings.js";
import type { Decomposition, Posterior } from "./decomposition.js";
import type { KnownScale } from "./known-scale.js";

/** A linear model of the given features. */
export interface OwnModel {
  readonly weights: Float64Array;
  readonly intercept: number;
}

/** One task's targets, and what is declared of it. */
export interface Targets {
  readonly y: Float64Array;
  /** Weights of the rows, of mean 1; undefined where all are 1. */
  readonly s?: Float64Array | undefined;
}

/** Which rows the model sees: centred ones or not, of a declared scale or not. */
export const scaleAsked = ({ intercept, known }: Asked) => ({
  centered: intercept && (!known.target || !known.features),
  declared: known.features,
  multiples: known.multiples,
});

/** What targets are seen as: (y - level) / unit. */
interface TargetScale {
  readonly level: number;
  readonly unit: number;
}

/** What is asked for. */
export interface Asked {
  readonly intercept: boolean;
  readonly known: KnownScale;
}

/**
 * The own model of a task with at least one row; of many with dense rows, `ownRidge` is faster.
 * @param decompose how the rows are decomposed: the same model up to rounding.
 */
export function squaredModel(
  rows: TaskRows & Targets,
  asked: Asked,
  decompose: Decomposition = byTridiagonalForm,
): OwnModel {
  const { n, d, y, s } = rows;
  // Rows times the roots of their weights have noise of one variance.
  const roots = s?.map(Math.sqrt);
  const scales = averagedScales(n, (place) => ownRows(rows, { ...scaleAsked(asked), place }));
  const scaled = scales.map(({ own: { z, ...own }, weight }): ScaledTask => {
    const rooted = roots ? z.map((value, k) => value * roots[Math.floor(k / d)]!) : z;
    return {
      ...own,
      weight,
      decompose: ({ level, unit }, ratio) => {
        const r = y.map((value, row) => ((roots?.[row] ?? 1) * (value - level)) / unit);
        const width = ratio > 0 ? d + 1 : d;
        const a = ratio > 0 ? withConstant(rooted, { n, d, roots }, Math.sqrt(ratio)) : rooted;
        return decompose(a, r, n, width);
      },
    };
  });
  return averagedModel(rows, asked, { n, d }, scaled);
}

/** A task's rows on a scale of their own. */
export interface ScaledTask {
  /** What rows are centred at and times, [d]. */
  readonly center: Float64Array;
  readonly factors: Float64Array;
  /** Prior weight of the scale. */
  readonly weight: number;
  /** Of targets (y - level) / unit, and rows with a column for the intercept where the ratio is not 0. */
  decompose(scale: TargetScale, ratio: number): Posterior;
}

/** The same of rows on their own scales, by evidence. */
export function averagedModel(
  { y, s }: Targets,
  { intercept, known }: Asked,
  { n, d }: { readonly n: number; readonly d: number },
  scales: readonly ScaledTask[],
): OwnModel {
  const weight = s ? (row: number) => s[row]! : () => 1;
  const flat = intercept && !known.target;
  const level = flat ? y.reduce((sum, value, row) => sum + weight(row) * value, 0) / n : 0;
  const freedom = flat ? n - 1 : n;
  const squares = y.reduce((sum, value, row) => sum + weight(row) * (value - level) ** 2, 0);
  const spread = squares / Math.max(freedom, 1);
  const unit = known.target ? TARGET_DEVIATION : Math.sqrt(spread);
  if (!(unit > 0) || freedom === 0) return { weights: new Float64Array(d), intercept: level };
  const belief = known.target ? SQUARED.declared : SQUARED.own;
  const ratios = intercept && !flat ? SQUARED.ratios : [0];
  const found = scales.flatMap((own) =>
    ratios.map((ratio) => ({ own, ratio, posterior: own.decompose({ level, unit }, ratio) })),
  );
  const logs = found.map(({ own, ratio, posterior }) =>
    posterior.evidence(ratio, freedom, belief).map((value) => value + log(own.weight)),
  );
  const most = Math.max(...logs.flat());
  const total = logs.flat().reduce((sum, value) => sum + exp(value - most), 0);
  const weights = new Float64Array(d);
  let constant = 0;
  found.forEach(({ own, ratio, posterior }, at) => {
    const mean = posterior.mean(logs[at]!.map((value) => exp(value - most) / total));
    for (let j = 0; j < d; j++) weights[j]! += mean[j]! * own.factors[j]! * unit;
    if (ratio > 0) constant += mean[d]! * Math.sqrt(ratio) * unit;
  });
  const { center } = scales[0]!;
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
