/**
 * Transforms of the feature matrix: rows to unit length, standardised columns, a constant column.
 * A fitted transform is plain JSON; it holds all that is needed to treat rows at prediction alike.
 *
 * Statistics are taken within each task, or declared as public by the user. Pooled statistics
 * exist for non-private use: they mix the tasks' data, so a private guarantee must list them
 * among what was not charged.
 * @module
 */
import { finite } from "../../core/checks.js";
import { DataError } from "../../core/errors.js";
import { didYouMean } from "../../core/messages/nearest.js";
import type { SparseRows } from "../sparse/sparse-rows.js";
import type { TaskSet } from "../tasks/task-set.js";
import type {
  ColumnStatistics,
  Standardize,
  Transform,
  TransformSpec,
} from "../provenance/transform.js";

/** Mean and population standard deviation of each column of x, shape [n, d]. */
function columnStatistics(x: Float64Array, d: number): ColumnStatistics {
  const n = x.length / d;
  const mean = new Array<number>(d).fill(0);
  const scale = new Array<number>(d).fill(1);
  for (let j = 0; j < d; j++) {
    let constant = true;
    for (let at = j; at < x.length; at += d) {
      mean[j]! += x[at]!;
      constant &&= x[at] === x[j];
    }
    // Rounding must not turn a constant column into noise of size one.
    if (constant) {
      mean[j] = x[j]!;
      continue;
    }
    mean[j]! /= n;
    let squares = 0;
    for (let at = j; at < x.length; at += d) squares += (x[at]! - mean[j]!) ** 2;
    scale[j] = Math.sqrt(squares / n);
  }
  return { mean, scale };
}

function checkStatistics({ mean, scale }: ColumnStatistics, d: number): ColumnStatistics {
  for (const [name, values] of Object.entries({ mean, scale })) {
    if (!Array.isArray(values) || values.length !== d) {
      const found = Array.isArray(values) ? `${values.length}` : typeof values;
      throw new DataError(`standardize: ${name}: expected ${d} numbers, got ${found}.`);
    }
    values.forEach((value: number, j) => finite(`standardize: ${name}[${j}]`, value));
  }
  const at = scale.findIndex((value) => !(value > 0));
  if (at >= 0) throw new RangeError(`standardize: scale[${at}]: expected a number > 0`);
  return { mean: [...mean], scale: [...scale] };
}

/** Measures on `tasks` what a transform needs. */
export function fitTransform(spec: TransformSpec, tasks: TaskSet): Transform {
  switch (spec.kind) {
    case "unit-rows":
      return { kind: "unit-rows" };
    case "constant": {
      const name = spec.name ?? "constant";
      if (tasks.featureNames.includes(name)) {
        throw new DataError(`constant: there is a feature ${JSON.stringify(name)} already.`);
      }
      return { kind: "constant", name, value: finite("constant: value", spec.value ?? 1) };
    }
    case "standardize": {
      const { kind, scope } = spec;
      if (scope === "declared") return { kind, scope, ...checkStatistics(spec, tasks.d) };
      if (scope === "pooled") return { kind, scope, ...columnStatistics(tasks.x, tasks.d) };
      const statistics = [...tasks].map(({ name, x }) => [name, columnStatistics(x, tasks.d)]);
      return { kind, scope, tasks: Object.fromEntries(statistics) };
    }
    default: {
      const { kind } = spec as { kind?: unknown };
      throw new RangeError(
        `transform: expected one of unit-rows, constant, standardize; got ${JSON.stringify(kind)}`,
      );
    }
  }
}

/**
 * Applies a transform to sparse rows; the argument is not changed.
 * @throws DataError for one that would leave few entries 0.
 */
export function transformSparse(rows: SparseRows, transform: Transform): SparseRows {
  if (transform.kind !== "unit-rows") {
    throw new DataError(
      `${transform.kind}: it would leave few entries of sparse rows 0; of such rows only unit-rows are made.`,
    );
  }
  const values = rows.values.slice();
  for (let row = 0; row + 1 < rows.starts.length; row++) {
    divideByNorm(values.subarray(rows.starts[row], rows.starts[row + 1]));
  }
  return { ...rows, values };
}

function statisticsOf(transform: Standardize, task: string): ColumnStatistics {
  if (transform.scope !== "task") return transform;
  if (!Object.hasOwn(transform.tasks, task)) {
    throw new DataError(
      `unknown task ${JSON.stringify(task)}: no statistics were measured for it.` +
        didYouMean(task, Object.keys(transform.tasks)),
    );
  }
  return transform.tasks[task]!;
}

function divideByNorm(row: Float64Array): void {
  let largest = 0;
  for (const value of row) largest = Math.max(largest, Math.abs(value));
  if (largest === 0) return;
  // In two steps, so that squares of very large or very small entries stay in range.
  let squares = 0;
  for (let j = 0; j < row.length; j++) {
    row[j]! /= largest;
    squares += row[j]! ** 2;
  }
  const norm = Math.sqrt(squares);
  for (let j = 0; j < row.length; j++) row[j]! /= norm;
}

/**
 * Applies a fitted transform to rows of one task; x is not changed.
 *
 * @param x  Float64Array, shape [n, d], row-major.
 * @returns  Float64Array, shape [n, d], or [n, d + 1] for a constant column.
 * @throws DataError if the transform has no statistics of this task, or other columns.
 */
export function transformRows(
  transform: Transform,
  task: string,
  x: Float64Array,
  d: number,
): Float64Array {
  const n = x.length / d;
  if (transform.kind === "constant") {
    const wider = new Float64Array(n * (d + 1)).fill(transform.value);
    for (let row = 0; row < n; row++) {
      wider.set(x.subarray(row * d, (row + 1) * d), row * (d + 1));
    }
    return wider;
  }
  const out = x.slice();
  if (transform.kind === "unit-rows") {
    for (let row = 0; row < n; row++) divideByNorm(out.subarray(row * d, (row + 1) * d));
    return out;
  }
  const { mean, scale } = statisticsOf(transform, task);
  if (mean.length !== d) {
    throw new DataError(`standardize: fitted on ${mean.length} columns, got ${d}.`);
  }
  for (let at = 0; at < out.length; at++) out[at] = (out[at]! - mean[at % d]!) / scale[at % d]!;
  return out;
}
