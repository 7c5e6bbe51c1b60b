/**
 * A fitted model in a table: named coefficients, standard errors where the method knows them, how tasks differ.
 * @module
 */
import { TableEncoding, type Scale } from "../../data/index.js";
import type { FittedModelState } from "./model-state.js";

/** One coefficient over all tasks. */
export interface Coefficient {
  /** The feature, or "(intercept)"; of several classes "feature: class". */
  readonly name: string;
  /** The fixed effect of a mixed model; else the mean of the tasks' coefficients. */
  readonly estimate: number;
  /** Of the estimate, noise of the releases included; null where the method does not know it. */
  readonly standardError: number | null;
  /** Standard deviation of the tasks' coefficients around the estimate. */
  readonly betweenTasks: number;
}

/** What `FittedModel.summary()` says. Pooled over tasks: for the curator only, unless `charged`. */
export interface ModelSummary {
  readonly method: string;
  readonly loss: FittedModelState["loss"];
  readonly tasks: number;
  /** Empty where parameters have no names (networks). */
  readonly coefficients: readonly Coefficient[];
  /** Standard deviation of a row around its task's model, in the target's unit; null where it is not known. */
  readonly residual: number | null;
  /** "data": in the units of the table; "prepared": of rows as they were prepared (scaled to unit length). */
  readonly units: "data" | "prepared";
  /** Whether estimates are the fixed effects of a mixed model, with standard errors. */
  readonly fixedEffects: boolean;
  /** Whether all of it follows from charged releases whose noise protects: fixed effects of a private fit without a seed. */
  readonly charged: boolean;
}

/** What is summed up of a model. */
type Summarized = Required<
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
interface Units {
  readonly factors: Float64Array;
  /** What each w adds to the intercept. */
  readonly shifts: Float64Array;
  readonly targetFactor: number;
  readonly targetCenter: number;
}

/**
 * Summarises a model; `FittedModel.summary()`.
 *
 * Standard errors of a mixed model are the roots of the diagonal of the covariance of the fixed effects' error: of the
 * tasks' rows and of the releases' noise (`fixedEffectsCovariance`).
 */
export function summarizeModel(model: Summarized): ModelSummary {
  const { method, loss, m, components } = model;
  const units = unitsOf(model);
  const mixed = components["fixedEffects"] !== undefined;
  const charged = mixed && model.guarantee.private;
  const noise = components["noise"]?.data[0] ?? 0;
  return {
    ...{ method, loss, tasks: m, fixedEffects: mixed, charged },
    coefficients: mixed ? fixedEffects(model, units) : ofTasks(model, units),
    residual: mixed && loss === "squared" ? Math.sqrt(noise) * units.targetFactor : null,
    units: transformed(model) ? "prepared" : "data",
  };
}

/** Whether rows were changed beyond declared ranges. */
const transformed = ({ preprocessing }: Summarized) =>
  (preprocessing?.pipeline?.transforms.length ?? 0) > 0;

function unitsOf(model: Summarized): Units {
  const { preprocessing, d } = model;
  const { encoding, targetScale } = preprocessing ?? {};
  const scales: readonly (Scale | null)[] =
    encoding && !transformed(model)
      ? TableEncoding.fromJSON(encoding).featureScales
      : new Array<null>(d).fill(null);
  const targetFactor = targetScale?.halfWidth ?? 1;
  const factors = Float64Array.from(scales, (scale) => targetFactor / (scale?.halfWidth ?? 1));
  return {
    ...{ factors, targetFactor, targetCenter: targetScale?.center ?? 0 },
    shifts: factors.map((factor, j) => -factor * (scales[j]?.center ?? 0)),
  };
}

/** The names of a model's coefficients, the intercepts last. */
function namesOf({ featureNames, classes, outputsPerRow: k, intercepts }: Summarized): string[] {
  const all = [...featureNames, ...(intercepts ? ["(intercept)"] : [])];
  return k === 1
    ? all
    : all.flatMap((name) => classes!.map((label) => `${name}: ${String(label)}`));
}

/** Fixed effects and both covariances, in the units of the table; of several classes those of each. */
function fixedEffects(model: Summarized, units: Units): Coefficient[] {
  const { components, d, outputsPerRow: k } = model;
  const [effects, error, covariance] = ["fixedEffects", "fixedEffectsCovariance", "covariance"].map(
    (name) => components[name]!.data,
  ) as [Float64Array, Float64Array, Float64Array];
  const n = d + 1;
  const value = (row: Float64Array, c: number) =>
    row.reduce((sum, t, j) => sum + t * effects[c * n + j]!, 0);
  const deviation = (row: Float64Array, of: Float64Array, c: number) => {
    let sum = 0;
    row.forEach((s, a) => row.forEach((t, b) => (sum += s * t * of[(c * n + a) * n + b]!)));
    return Math.sqrt(Math.max(0, sum));
  };
  return namesOf(model).map((name, at) => {
    const [j, c] = [Math.floor(at / k), at % k];
    const row = new Float64Array(n);
    if (j < d) row[j] = units.factors[j]!;
    else row.set([...units.shifts, units.targetFactor]);
    return {
      ...{ name, estimate: value(row, c) + (j < d ? 0 : units.targetCenter) },
      standardError: deviation(row, error, c),
      betweenTasks: deviation(row, covariance, c),
    };
  });
}

/** Means and deviations of the tasks' own coefficients. */
function ofTasks(model: Summarized, { factors, shifts, ...target }: Units): Coefficient[] {
  const { architecture, weights, intercepts, m, d, outputsPerRow: k } = model;
  if (architecture) return [];
  const { targetFactor, targetCenter } = target;
  return namesOf(model).map((name, at) => {
    const [j, c] = [Math.floor(at / k), at % k];
    const values = Float64Array.from({ length: m }, (_, i) => {
      const own = (feature: number) => weights[(i * d + feature) * k + c]!;
      if (j < d) return factors[j]! * own(j);
      const moved = shifts.reduce((sum, shift, feature) => sum + shift * own(feature), 0);
      return targetCenter + targetFactor * intercepts![i * k + c]! + moved;
    });
    const mean = values.reduce((sum, value) => sum + value, 0) / m;
    const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
    return {
      ...{ name, estimate: mean, standardError: null },
      betweenTasks: m > 1 ? Math.sqrt(squares / (m - 1)) : 0,
    };
  });
}
