/**
 * Sparse tasks as their own models see them: one at a time, of the columns that have entries, on their own scale.
 * @module
 */
import { sparseRows } from "../../compact-task.js";
import type { ResidentTasks } from "../../resident-tasks.js";
import { liesApart, ownVariance } from "../own-variance.js";
import type { OwnModel, Targets } from "../squared.js";
import type { LocalModels } from "../../local-models.js";
import { compactOf, type CompactRows } from "./compact-rows.js";
import type { Unsolved } from "../own-ridge.js";
import { declaredSize, type ScaleAsked } from "../own-scale.js";
import { isUnsolved, noUniqueMinimum } from "../../solves/unsolved-task.js";

/**
 * The models that `solve` finds for every task's compact rows, [m, d]; a column without entries has weight 0, and so has all of a
 * task for which `solve` ends in a RangeError, where that is not refused.
 * @param solve is also told which columns the compact ones are.
 */
export function bySparseTasks(
  tasks: ResidentTasks,
  solve: (rows: CompactRows, targets: Targets, used: Uint32Array) => OwnModel,
  unsolved: Unsolved = "refuse",
): LocalModels {
  const { core, m, d, rows: count } = tasks;
  const { arena } = core;
  const { starts, columns, values } = sparseRows(tasks);
  // Copies: a solve may make the core's memory grow.
  const all = { starts: starts.slice(), columns: columns.slice(), values: values.slice() };
  const ends = arena.words(tasks.offsets, m + 1).slice();
  const targets = arena.view(tasks.y, count).slice();
  const weights = tasks.sampleWeights();
  const result = { weights: new Float64Array(m * d), intercepts: new Float64Array(m) };
  for (let i = 0; i < m; i++) {
    const [from, to] = [ends[i]!, ends[i + 1]!];
    const { rows, used } = compactOf(all, from, to);
    let own: OwnModel;
    try {
      own = solve(rows, { y: targets.subarray(from, to), s: weights?.subarray(from, to) }, used);
    } catch (error) {
      if (!isUnsolved(error)) throw error;
      if (unsolved === "refuse") throw noUniqueMinimum(tasks.names[i]!);
      continue;
    }
    used.forEach((column, c) => (result.weights[i * d + column] = own.weights[c]!));
    result.intercepts[i] = own.intercept;
  }
  return result;
}

/** Rows z = x f - shift. */
export interface ScaledRows {
  /** X f. */
  readonly scaled: CompactRows;
  /** f, the centre c, and c f, [k]. */
  readonly factors: Float64Array;
  readonly center: Float64Array;
  readonly shifts: Float64Array;
  /** As of dense rows. */
  readonly apart: boolean;
}

/**
 * Least variance of a column, relative to its offset squared: sparse rows are not centred, and on a scale on which offsets are larger
 * than this allows nothing would be left of what they differ by.
 */
const LEAST_VARIANCE = 1e-8;

/**
 * `ownRows` of sparse rows, but for columns whose values differ by less than a ten-thousandth.
 * @param s weights of the rows, of mean 1.
 */
export function onOwnScale(
  rows: CompactRows,
  s: Float64Array | undefined,
  { centered, declared, multiples, place }: ScaleAsked,
): ScaledRows {
  const { starts, columns, values, n, k } = rows;
  const [center, mass] = [new Float64Array(k), new Float64Array(k)];
  const rowOf = new Uint32Array(values.length);
  for (let row = 0; row < n; row++) rowOf.fill(row, starts[row], starts[row + 1]);
  const weightAt = (at: number) => s?.[rowOf[at]!] ?? 1;
  columns.forEach((column, at) => {
    const weight = weightAt(at);
    if (centered) center[column]! += (weight * values[at]!) / n;
    mass[column]! += weight;
  });
  const total = s?.reduce((sum, weight) => sum + weight, 0) ?? n;
  // Rows without an entry in a column are as far from its centre as 0 is.
  const spread = center.map((value, column) => (total - mass[column]!) * value ** 2);
  columns.forEach((column, at) => {
    spread[column]! += weightAt(at) * (values[at]! - center[column]!) ** 2;
  });
  let factors = spread.map((own, column) => {
    if (declared) return multiples?.[column] ?? 1;
    const least = LEAST_VARIANCE * center[column]! ** 2;
    const variance = Math.max(ownVariance(own, center[column]!, n, centered, place), least);
    return variance > 0 && variance < Infinity ? 1 / Math.sqrt(variance) : 0;
  });
  const sum = declared
    ? declaredSize({ spread, center, n, centered, multiples })
    : factors.reduce((all, factor) => all + (factor > 0 ? 1 : 0), 0);
  const scale = sum > 0 && sum < Infinity ? 1 / Math.sqrt(sum) : 0;
  factors = factors.map((factor) => factor * scale);
  return {
    scaled: { ...rows, values: values.map((value, at) => value * factors[columns[at]!]!) },
    factors,
    center,
    shifts: center.map((value, column) => value * factors[column]!),
    apart: !declared && spread.some((own, column) => liesApart(own, center[column]!, n, centered)),
  };
}
