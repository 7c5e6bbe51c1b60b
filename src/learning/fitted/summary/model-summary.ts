/**
 * A fitted model in a table: named coefficients, standard errors where the method knows them, how tasks differ.
 * @module
 */
import {
  combinationOf,
  namesOf,
  ownCoefficient,
  transformed,
  unitsOf,
  type Summarized,
  type Units,
} from "./coefficient-units.js";
import { norm } from "../../../linalg/norm.js";
import type { FittedModelState } from "../model-state.js";
import { hasIntervals } from "../posterior/posterior-interval.js";
import { spreadOfTasks, type TaskSpread } from "./spread-of-tasks.js";
import { learnedWithoutCharge } from "../uncharged-figures.js";
import { UNPLACED } from "../unplaced.js";
import { UNTOLD } from "../unseen/untold.js";

/** One coefficient over all tasks. */
export interface Coefficient {
  /** The feature, or "(intercept)"; of several classes "feature: class". */
  readonly name: string;
  /** The fixed effect of a mixed model; else the mean of the tasks' coefficients. */
  readonly estimate: number;
  /**
   * Of the estimate, noise of the releases included; null where the method does not know it, and where nobody declared a column's range
   * and votes left open where its values lie or how large they are.
   */
  readonly standardError: number | null;
  /**
   * Standard deviation of the tasks' coefficients around the estimate. Of a mixed model of numbers without privacy by what tasks
   * learned of themselves; of a private one what its releases left, a quarter to three times the truth.
   */
  readonly betweenTasks: number;
}

/** What `FittedModel.summary()` says. Pooled over tasks: for the curator only, unless `charged`. */
export interface ModelSummary {
  /** The command line's name of the method. */
  readonly method: string;
  /** What was minimised. */
  readonly loss: FittedModelState["loss"];
  /** Labels: of two, coefficients are of the log-odds of the second against the first; null of numbers. */
  readonly classes: FittedModelState["classes"];
  /** m, the number of tasks. */
  readonly tasks: number;
  /** Empty where parameters have no names (networks); without those that are every task's own where levels are. */
  readonly coefficients: readonly Coefficient[];
  /**
   * Of a mixed model with declared ranges: the intercept where these columns are in the middle of their range and all others 0, of
   * several classes each one's. Else empty. The intercept itself is where all are 0, as no row may be (year 0), and is less sure.
   */
  readonly atMiddle: readonly Coefficient[];
  /**
   * Standard deviation of a row around its task's model, in the target's unit, known as `betweenTasks` is: of a mixed model of numbers without privacy
   * over all rows, of a private one in a typical task, which is less where some tasks or rows are far noisier; null where it is not known.
   */
  readonly residual: number | null;
  /** "data": in the units of the table; "prepared": of rows as they were prepared (scaled to unit length). */
  readonly units: "data" | "prepared";
  /** Whether estimates are the fixed effects of a mixed model, with standard errors. */
  readonly fixedEffects: boolean;
  /**
   * Whether all numbers follow from charged releases whose noise protects: fixed effects of a private fit without a seed. What their columns,
   * names and units tell that no budget paid for is in `notCharged`.
   */
  readonly charged: boolean;
  /** What was learned from several tasks before the fit, as the levels of columns; empty where a schema declares all. */
  readonly notCharged: readonly string[];
}

/**
 * Summarises a model; `FittedModel.summary()`.
 *
 * Standard errors of a mixed model are the roots of the diagonal of the covariance of the fixed effects' error: of the
 * tasks' rows and of the releases' noise (`fixedEffectsCovariance`).
 */
export function summarizeModel(model: Summarized): ModelSummary {
  const { method, loss, classes, m, components } = model;
  const units = unitsOf(model);
  const mixed = components["fixedEffects"] !== undefined;
  const charged = mixed && model.guarantee.private;
  const { guarantee } = model;
  const open = mixed && guarantee.kind === "none" && guarantee.later === undefined;
  const spread = open && hasIntervals(model) ? spreadOfTasks(model) : undefined;
  const residual = spread?.residual ?? Math.sqrt(components["noise"]?.data[0] ?? 0);
  return {
    method,
    loss,
    classes,
    tasks: m,
    fixedEffects: mixed,
    charged,
    notCharged: learnedWithoutCharge(model),
    coefficients: mixed ? fixedEffects(model, units, spread) : ofTasks(model, units),
    atMiddle: mixed ? levelsAtMiddle(model, units, spread) : [],
    residual: mixed && loss === "squared" ? residual * units.targetFactor : null,
    units: transformed(model) ? "prepared" : "data",
  };
}

/** Fixed effects and both covariances, in the units of the table; of several classes those of each. */
const fixedEffects = (
  model: Summarized,
  units: Units,
  spread: TaskSpread | undefined,
): Coefficient[] => effectsBy(model, units, spread, (j) => combinationOf(j, units));

/** A scaled column's 0 is the middle of its range, so of prepared rows the intercept is that of the middles. */
function levelsAtMiddle(
  model: Summarized,
  units: Units,
  spread: TaskSpread | undefined,
): Coefficient[] {
  const { d, intercepts, outputsPerRow: k } = model;
  if (!intercepts || units.shifts.every((shift) => shift === 0)) return [];
  const row = new Float64Array(d + 1);
  row[d] = units.targetFactor;
  return effectsBy(model, units, spread, () => row).slice(-k);
}

/** @param rowOf which sum of the d + 1 effects is told of feature j, or, for j = d, of the intercept. */
function effectsBy(
  model: Summarized,
  units: Units,
  spread: TaskSpread | undefined,
  rowOf: (j: number) => Float64Array,
): Coefficient[] {
  const { components, d, outputsPerRow: k } = model;
  const effects = (components["statedEffects"] ?? components["fixedEffects"]!).data;
  const error = components["fixedEffectsCovariance"]!.data;
  const covariance = components["covariance"]!.data;
  const n = d + 1;
  const value = (row: Float64Array, c: number) =>
    row.reduce((sum, t, j) => sum + t * effects[c * n + j]!, 0);
  const deviation = (row: Float64Array, of: Float64Array, c: number) => {
    let sum = 0;
    row.forEach((s, a) => row.forEach((t, b) => (sum += s * t * of[(c * n + a) * n + b]!)));
    return Math.sqrt(Math.max(0, sum));
  };
  const untold = components[UNTOLD]?.data;
  const unplaced = components[UNPLACED]?.data;
  return namesOf(model).flatMap((name, at) => {
    const [j, c] = [Math.floor(at / k), at % k];
    if (untold?.includes(j)) return [];
    const row = rowOf(j);
    return {
      name,
      estimate: value(row, c) + (j < d ? 0 : units.targetCenter),
      standardError: unplaced?.includes(j) ? null : deviation(row, error, c),
      betweenTasks: spread?.deviation(row) ?? deviation(row, covariance, c),
    };
  });
}

/** Means and deviations of the tasks' own coefficients. */
function ofTasks(model: Summarized, units: Units): Coefficient[] {
  const { architecture, m, outputsPerRow: k } = model;
  if (architecture) return [];
  return namesOf(model).map((name, at) => {
    const [j, c] = [Math.floor(at / k), at % k];
    const values = Float64Array.from({ length: m }, (_, i) =>
      ownCoefficient(model, units, { i, j, c }),
    );
    const mean = values.reduce((sum, value) => sum + value, 0) / m;
    const apart = norm(values.map((value) => value - mean));
    return {
      name,
      estimate: mean,
      standardError: null,
      betweenTasks: m > 1 ? apart / Math.sqrt(m - 1) : 0,
    };
  });
}
