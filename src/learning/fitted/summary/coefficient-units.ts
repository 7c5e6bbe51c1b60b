/**
 * From the coefficients of prepared rows to those of the table, and their names.
 * @module
 */
import { TableEncoding, type Scale } from "../../../data/index.js";
import type { FittedModelState } from "../model-state.js";

/** What is summed up of a model. */
export type Summarized = Required<
  Pick<
    FittedModelState,
    | "method"
    | "loss"
    | "components"
    | "guarantee"
    | "preprocessing"
    | "featureNames"
    | "classes"
    | "architecture"
    | "weights"
    | "intercepts"
  >
> & {
  readonly m: number;
  readonly d: number;
  readonly outputsPerRow: number;
};

/** Coefficients of prepared rows to those of the table: beta = factor w, and the intercept's shift. */
export interface Units {
  readonly factors: Float64Array;
  /** What each w adds to the intercept. */
  readonly shifts: Float64Array;
  readonly targetFactor: number;
  readonly targetCenter: number;
}

/** Whether rows were changed beyond declared ranges. */
export const transformed = ({ preprocessing }: Summarized) =>
  (preprocessing?.pipeline?.transforms.length ?? 0) > 0;

/** What makes coefficients of a model those of its table. */
export function unitsOf(model: Summarized): Units {
  const { preprocessing, d } = model;
  const { encoding, targetScale } = preprocessing ?? {};
  const scales: readonly (Scale | null)[] =
    encoding && !transformed(model)
      ? TableEncoding.fromJSON(encoding).featureScales
      : new Array<null>(d).fill(null);
  const targetFactor = targetScale?.halfWidth ?? 1;
  const factors = Float64Array.from(scales, (scale) => targetFactor / (scale?.halfWidth ?? 1));
  return {
    factors,
    targetFactor,
    targetCenter: targetScale?.center ?? 0,
    shifts: factors.map((factor, j) => -factor * (scales[j]?.center ?? 0)),
  };
}

/** The names of a model's coefficients, the intercepts last. */
export function namesOf({
  featureNames,
  classes,
  outputsPerRow: k,
  intercepts,
}: Summarized): string[] {
  const all = [...featureNames, ...(intercepts ? ["(intercept)"] : [])];
  return k === 1
    ? all
    : all.flatMap((name) => classes!.map((label) => `${name}: ${String(label)}`));
}

/** Which sum of a model's d + 1 numbers a coefficient of the table is: of feature j, or, for j = d, the intercept. */
export function combinationOf(j: number, { factors, shifts, targetFactor }: Units): Float64Array {
  const row = new Float64Array(factors.length + 1);
  if (j < factors.length) row[j] = factors[j]!;
  else row.set([...shifts, targetFactor]);
  return row;
}

/** A coefficient of task i in the units of the table: of feature j, or, for j = d, the intercept; of class c. */
export function ownCoefficient(
  { weights, intercepts, d, outputsPerRow: k }: Summarized,
  { factors, shifts, targetFactor, targetCenter }: Units,
  { i, j, c }: { readonly i: number; readonly j: number; readonly c: number },
): number {
  const own = (feature: number) => weights[(i * d + feature) * k + c]!;
  if (j < d) return factors[j]! * own(j);
  const moved = shifts.reduce((sum, shift, feature) => sum + shift * own(feature), 0);
  return targetCenter + targetFactor * intercepts![i * k + c]! + moved;
}
