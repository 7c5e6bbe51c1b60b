/**
 * From the caller's arrays, one entry per task, to the one concatenated layout; every refusal
 * names its place. Tasks are named, rows and columns counted from 0.
 * @module
 */
import { counted } from "../../core/messages/counted.js";
import { DataError } from "../../core/errors.js";
import { checkNames, namesOf } from "../../core/messages/known-names.js";
import { rawEncoding } from "../provenance/data-encoding.js";
import { requireOneValue } from "../schema/per-task.js";
import { isArrayLike } from "../../core/is-array-like.js";
import { kindOf } from "../../core/messages/kind-of.js";
import { buildTargets } from "./build-targets.js";
import { numberPersons } from "../schema/persons.js";
import { collectWeights } from "../schema/sample-weights.js";
import { targetScaleOf } from "../columns/held-target.js";
import { checkSparse, isSparse, stackSparse, type SparseMatrix } from "../sparse/sparse-rows.js";
import type { TaskInput, TaskArrays, BuildOptions } from "./task-arrays.js";
import { defaultFeatureNames, checkFeatureNames } from "./feature-names.js";

/** Whether the rows are in one array. */
const isFlat = (x: TaskInput["x"]): x is Float64Array | Float32Array =>
  x instanceof Float64Array || x instanceof Float32Array;

/** A task with dense rows. */
type DenseInput = TaskInput & { readonly x: Exclude<TaskInput["x"], SparseMatrix> };

function checkRow({ name, x }: DenseInput, row: number): ArrayLike<unknown> {
  const values: unknown = x[row];
  if (isArrayLike(values)) return values;
  throw new TypeError(
    `task ${JSON.stringify(name)}, row ${row}: expected an array of numbers, got ${kindOf(values)}`,
  );
}

/** Number of columns of a task, by its first row. */
function widthOf(input: DenseInput): number {
  const { name, x, y } = input;
  if (!isFlat(x)) return checkRow(input, 0).length;
  if (x.length % y.length !== 0) {
    throw new DataError(
      `task ${JSON.stringify(name)}: x has ${x.length} numbers, not a multiple of its ${y.length} ` +
        `targets; expected n d numbers, row-major.`,
    );
  }
  return x.length / y.length;
}

/** `n` is what a task of a set has besides, so that tasks of sets may be given again. */
const TASK_NAMES = [
  ...namesOf<TaskInput>({ name: true, x: true, y: true, persons: true, weights: true }),
  "n",
];

const OPTION_NAMES = namesOf<BuildOptions>({
  featureNames: true,
  targetName: true,
  labels: true,
  targetRange: true,
  targetLimits: true,
  perTask: true,
});

function checkTask(input: TaskInput, index: number, seen: Set<string>): void {
  if (typeof input !== "object" || input === null) {
    throw new TypeError(`task ${index}: expected { name, x, y }, got ${kindOf(input)}`);
  }
  const { name, x, y } = input;
  if (typeof name !== "string" || name === "") {
    throw new TypeError(
      `task ${index}: name: expected a non-empty string, got ${name === "" ? "an empty one" : kindOf(name)}`,
    );
  }
  const place = `task ${JSON.stringify(name)}`;
  // Persons spelt otherwise would make a guarantee for rows of one for each.
  checkNames(place, input, TASK_NAMES);
  if (seen.has(name)) throw new DataError(`${place} is given twice; task names must be unique.`);
  seen.add(name);
  if (isSparse(x)) checkSparse(x, place);
  else if (!isArrayLike(x) || (ArrayBuffer.isView(x) && !isFlat(x))) {
    throw new TypeError(
      `${place}: x: expected an array of rows, a Float64Array or a Float32Array, or a sparse matrix, got ${kindOf(x)}`,
    );
  }
  if (!isArrayLike(y)) {
    throw new TypeError(`${place}: y: expected an array of targets, got ${kindOf(y)}`);
  }
  if (y.length === 0) {
    throw new DataError(`${place} has no rows; every task needs at least one. Leave it out.`);
  }
  const rows = isSparse(x) ? x.shape[0] : isFlat(x) ? y.length : x.length;
  if (rows !== y.length) {
    throw new DataError(`${place}: x has ${rows} rows, y has ${y.length}; expected as many.`);
  }
}

function copyRows(
  input: DenseInput,
  into: Float64Array,
  d: number,
  featureNames: readonly string[],
): void {
  const place = `task ${JSON.stringify(input.name)}`;
  const { x, y } = input;
  if (isFlat(x)) {
    if (x.length !== into.length) {
      throw new DataError(`${place} has ${counted(x.length / y.length, "column")}, expected ${d}.`);
    }
    into.set(x);
  } else {
    for (let row = 0; row < x.length; row++) {
      const values = checkRow(input, row);
      if (values.length !== d) {
        throw new DataError(
          `${place}, row ${row} has ${counted(values.length, "column")}, expected ${d}.`,
        );
      }
      for (let column = 0; column < d; column++) {
        const value = values[column];
        if (typeof value !== "number") {
          throw new TypeError(
            `${place}, row ${row}, column ${describeColumn(column, featureNames)}: expected a number, got ${kindOf(value)}`,
          );
        }
        into[row * d + column] = value;
      }
    }
  }
  checkFinite(into, d, place, featureNames);
}

function describeColumn(column: number, featureNames: readonly string[]): string {
  const name = featureNames[column];
  return name === undefined ? String(column) : `${column} (${JSON.stringify(name)})`;
}

function checkFinite(
  x: Float64Array,
  d: number,
  place: string,
  featureNames: readonly string[],
): void {
  for (let at = 0; at < x.length; at++) {
    if (Number.isFinite(x[at])) continue;
    const found = Number.isNaN(x[at]) ? "NaN" : "an infinity";
    throw new DataError(
      `${place}, row ${Math.floor(at / d)}, column ${describeColumn(at % d, featureNames)}: ` +
        `expected a finite number, got ${found}. Missing values are filled in by tasksFromTable.`,
    );
  }
}

/** The sparse matrices of all tasks; undefined where all are dense. */
function sparseInputs(tasks: readonly TaskInput[]): SparseMatrix[] | undefined {
  const sparse = tasks.flatMap(({ x }) => (isSparse(x) ? [x] : []));
  if (sparse.length === 0) return undefined;
  const other = tasks.find(({ x }) => !isSparse(x) || x.shape[1] !== sparse[0]!.shape[1]);
  if (!other) return sparse;
  throw new DataError(
    `task ${JSON.stringify(other.name)}: x: expected a sparse matrix of ${sparse[0]!.shape[1]} columns, as other tasks have.`,
  );
}

/** The dense rows of all tasks. */
function denseOf(
  tasks: readonly TaskInput[],
  offsets: Uint32Array,
  d: number,
  named: readonly string[],
): Float64Array {
  const x = new Float64Array(offsets[tasks.length]! * d);
  (tasks as readonly DenseInput[]).forEach((task, i) => {
    widthOf(task); // refuses a flat array that is no multiple of its rows
    copyRows(task, x.subarray(offsets[i]! * d, offsets[i + 1]! * d), d, named);
  });
  return x;
}

/** Checks and copies the caller's tasks. */
export function buildTasks(inputs: readonly TaskInput[], options: BuildOptions): TaskArrays {
  if (!Array.isArray(inputs)) {
    throw new TypeError(`tasks: expected an array of { name, x, y }, got ${kindOf(inputs)}`);
  }
  checkNames("options", options, OPTION_NAMES);
  if (inputs.length === 0) throw new DataError("tasks: expected at least one task, got none.");
  const seen = new Set<string>();
  inputs.forEach((input, index) => checkTask(input as TaskInput, index, seen));
  const tasks = inputs as readonly TaskInput[];
  const sparse = sparseInputs(tasks);
  const d = sparse ? sparse[0]!.shape[1] : widthOf(tasks[0] as DenseInput);
  if (d === 0) {
    throw new DataError(`task ${JSON.stringify(tasks[0]!.name)}, row 0 has no columns.`);
  }
  const featureNames = options.featureNames ?? defaultFeatureNames(d);
  checkFeatureNames(featureNames, d);
  const offsets = new Uint32Array(tasks.length + 1);
  tasks.forEach(({ y }, i) => (offsets[i + 1] = offsets[i]! + y.length));
  const named = options.featureNames ? featureNames : [];
  const sizes = tasks.map(({ y }) => y.length);
  const names = tasks.map(({ name }) => name);
  const rows = sparse ? { sparse: stackSparse(sparse) } : { x: denseOf(tasks, offsets, d, named) };
  checkPerTask(options.perTask, { ...rows, offsets, names, featureNames });
  return {
    ...rows,
    ...buildTargets(tasks, offsets, options),
    offsets,
    persons: numberPersons(tasks, sizes),
    sampleWeights: collectWeights(tasks, sizes),
    names,
    featureNames: [...featureNames],
    targetName: options.targetName ?? "y",
    encoding: rawEncoding(
      featureNames,
      {
        scale: options.targetRange
          ? targetScaleOf(options.targetRange, "keep", options.targetLimits)
          : null,
        levelsDeclared: options.labels !== undefined,
      },
      options.perTask,
    ),
  };
}

function checkPerTask(
  perTask: BuildOptions["perTask"],
  rows: Pick<TaskArrays, "x" | "offsets" | "names" | "featureNames">,
): void {
  if (perTask === undefined) return;
  if (!Array.isArray(perTask)) {
    throw new TypeError(`perTask: expected an array of feature names, got ${kindOf(perTask)}`);
  }
  const { x, ...rest } = rows;
  if (!x) throw new DataError("perTask: is for dense rows; these are sparse");
  requireOneValue(perTask, { ...rest, x });
}
