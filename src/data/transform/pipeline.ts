/**
 * `Pipeline`: transforms of the features one after another, fitted once, applied again at predict.
 * @module
 */
import { array, object, text } from "../../core/checks.js";
import { DataError } from "../../core/errors.js";
import { checkOldFormat, type FileFormat } from "../../core/file-format.js";
import { requireTaskSet } from "../checks/require-task-set.js";
import type { DataEncoding } from "../provenance/data-encoding.js";
import { fitTransform, transformRows, transformSparse } from "./normalize.js";
import { UNIT_SCALE } from "../columns/scale.js";
import type { SparseRows } from "../sparse/sparse-rows.js";
import type { TaskSet } from "../tasks/task-set.js";
import type { Transform, TransformSpec } from "../provenance/transform.js";
import type { PipelineState } from "../provenance/pipeline-state.js";
import type { EncodedColumn, Provenance } from "../columns/encoded-column.js";

const FORMAT: FileFormat = { format: "mp-mtl-pipeline", version: 1 };

/**
 * Fitted transforms in order.
 *
 * @example
 * const pipeline = Pipeline.fit(train, [{ kind: "standardize", scope: "task" }, { kind: "unit-rows" }]);
 * const model = await new TraceNorm({ lambda: 1 }).fit(pipeline.apply(train));
 * model.predict("school-1", pipeline.applyRows("school-1", rows));
 */
export class Pipeline {
  readonly #state: PipelineState;

  private constructor(state: PipelineState) {
    this.#state = state;
  }

  /**
   * Fits each transform on the result of those before it.
   * @throws RangeError or DataError naming the transform and what is wrong with it.
   */
  static fit(tasks: TaskSet, specs: readonly TransformSpec[]): Pipeline {
    if (!Array.isArray(specs)) {
      throw new TypeError(`transforms: expected an array of { kind, … }, got ${typeof specs}`);
    }
    const features = tasks.featureNames;
    const transforms: Transform[] = [];
    let current = tasks;
    for (const spec of specs) {
      const transform = fitTransform(spec, current);
      transforms.push(transform);
      const step = { ...FORMAT, features: current.featureNames, transforms: [transform] };
      current = new Pipeline(step).apply(current);
    }
    return new Pipeline({ ...FORMAT, features, transforms });
  }

  /**
   * A pipeline read back; see `toJSON`.
   * @throws DataError if it is damaged, or of a version that this release does not read.
   */
  static fromJSON(state: PipelineState): Pipeline {
    if (!Array.isArray(state?.features) || !Array.isArray(state.transforms)) {
      throw new DataError("pipeline: expected { features, transforms }; the file is damaged.");
    }
    checkOldFormat("pipeline", state, FORMAT);
    return new Pipeline({ ...state, ...FORMAT });
  }

  /** Plain data for a model file. */
  toJSON(): PipelineState {
    return this.#state;
  }

  /** Names of the features that come out. */
  get featureNames(): readonly string[] {
    const added = this.#state.transforms.flatMap((t) => (t.kind === "constant" ? [t.name] : []));
    return [...this.#state.features, ...added];
  }

  /**
   * What was measured over all tasks together, in words; empty if every statistic is of one task
   * or public. A private fit lists these under `guarantee.notCharged`.
   */
  get pooled(): readonly string[] {
    const pooled = this.#provenance.flatMap(({ what, from }) => (from === "pooled" ? [what] : []));
    return [...new Set(pooled)];
  }

  get #provenance(): Provenance[] {
    return this.#state.transforms.flatMap((transform) => {
      if (transform.kind !== "standardize") return [];
      const from = transform.scope;
      const over = from === "pooled" ? " measured over all tasks' rows" : "";
      return [{ what: `feature means and standard deviations${over}`, from }];
    });
  }

  /** What the participant of one task may have: no statistics of other tasks; null: of a task that is not among them. */
  forTask(task: string | null): Pipeline {
    const transforms = this.#state.transforms.map((transform) => {
      if (transform.kind !== "standardize" || transform.scope !== "task") return transform;
      const own = Object.entries(transform.tasks).filter(([name]) => name === task);
      return { ...transform, tasks: Object.fromEntries(own) };
    });
    return new Pipeline({ ...this.#state, transforms });
  }

  /** The same tasks with transformed features; their `encoding` says what was done and learned. */
  apply(tasks: TaskSet): TaskSet {
    requireTaskSet("tasks", tasks);
    this.#checkFeatures(tasks.featureNames);
    // Without transforms columns are what they were, and known as such.
    if (this.#state.transforms.length === 0) return tasks;
    tasks.requireRows("transforms of rows");
    const featureNames = this.featureNames;
    if (tasks.sparse) {
      return tasks.withFeatures(
        this.applySparse(tasks.sparse),
        featureNames,
        this.#encoding(tasks.encoding),
      );
    }
    const x = new Float64Array(tasks.size * featureNames.length);
    [...tasks].forEach((task, i) => {
      x.set(this.applyRows(task.name, task.x), tasks.offsets[i]! * featureNames.length);
    });
    return tasks.withFeatures(x, featureNames, this.#encoding(tasks.encoding));
  }

  #encoding(before: DataEncoding): DataEncoding {
    const { transforms } = this.#state;
    const first = before.pipeline ?? { ...FORMAT, features: this.#state.features, transforms: [] };
    return {
      ...before,
      columns: transforms.reduce(columnsAfter, before.columns),
      provenance: [...before.provenance, ...this.#provenance],
      pipeline: { ...first, transforms: [...first.transforms, ...transforms] },
    };
  }

  /**
   * Transforms rows of one task; the argument is not changed.
   *
   * @param x  Float64Array, shape [n, d], row-major, d the number of features that go in.
   * @returns  Float64Array, shape [n, number of features that come out].
   */
  applyRows(task: string, x: Float64Array): Float64Array {
    text("task", task);
    array("x", x);
    let d = this.#state.features.length;
    if (x.length % d !== 0) {
      throw new DataError(
        `task ${JSON.stringify(task)}: rows have ${x.length} numbers, not a multiple of the ${d} features.`,
      );
    }
    let rows: Float64Array = x.slice();
    for (const transform of this.#state.transforms) {
      rows = transformRows(transform, task, rows, d);
      if (transform.kind === "constant") d++;
    }
    return rows;
  }

  /**
   * Transforms sparse rows of whichever task; the argument is not changed.
   * @throws DataError for a transform that would leave few entries 0.
   */
  applySparse(rows: SparseRows): SparseRows {
    array("rows.values", object("rows", rows).values);
    return this.#state.transforms.reduce(transformSparse, rows);
  }

  #checkFeatures(names: readonly string[]): void {
    const { features } = this.#state;
    if (names.length !== features.length) {
      throw new DataError(
        `the data has ${names.length} features, the pipeline was fitted on ${features.length}.`,
      );
    }
    const at = names.findIndex((name, j) => name !== features[j]);
    if (at >= 0) {
      throw new DataError(
        `feature ${at} is ${JSON.stringify(names[at])}, the pipeline was fitted with ` +
          `${JSON.stringify(features[at])} there.`,
      );
    }
  }
}

/** What no scale changes of a column. */
const named = ({ name, perTask }: EncodedColumn) => ({ name, ...(perTask ? { perTask } : {}) });

/** What is known of the columns after a transform of them. */
function columnsAfter(
  columns: readonly EncodedColumn[],
  transform: Transform,
): readonly EncodedColumn[] {
  if (transform.kind === "constant") {
    const { name, value } = transform;
    return [...columns, { name, scale: { center: 0, halfWidth: Math.abs(value) || 1 } }];
  }
  if (transform.kind === "unit-rows" || transform.scope !== "declared") {
    // Rows of unit length differ in what a task's rows had in common.
    const kept = transform.kind === "unit-rows" ? ({ name }: EncodedColumn) => ({ name }) : named;
    return columns.map((column) => ({ ...kept(column), scale: UNIT_SCALE }));
  }
  const { mean, scale } = transform;
  return columns.map((column, j) =>
    column.scale === null
      ? { ...column, scale: { center: mean[j]!, halfWidth: scale[j]! } }
      : { ...named(column), scale: UNIT_SCALE },
  );
}
