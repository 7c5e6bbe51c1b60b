/**
 * One task's own model: what a participant may have.
 * @module
 */
import { array, object } from "../../../core/checks.js";
import { DataError } from "../../../core/index.js";
import {
  checkSparse,
  fromUnit,
  heldInUnits,
  heldOn,
  isSparse,
  denseRows,
  stackSparse,
  type Label,
  type Scale,
  type SparseMatrix,
  type SparseRows,
} from "../../../data/index.js";
import {
  protectionTable,
  type Guarantee,
  type Protection,
  type RecordGuarantee,
} from "../../../privacy/index.js";
import type { DifferentiableModel } from "../../models/differentiable-model.js";
import { largestOutputs, linkInPlace } from "../../models/output-losses.js";
import { withinLimits, type FeatureLimits } from "../feature-limits.js";
import type { Classes, NoGuarantee } from "../model-state.js";
import { sizesAndGuarantee, showAs } from "../summary/in-words.js";
import { averagedOutputs, type PosteriorMixture } from "../posterior/posterior-mixture.js";
import { outputsOf, type LossName } from "../../tasks/losses.js";
import { flatRows, type DenseRows } from "../flat-rows.js";
import { requireNumbers, requireRowsInRange, requireSparseInRange } from "../rows-in-range.js";
import { inPlainNumbers, withNumbers } from "./task-model-json.js";
import type { TaskModelState } from "./task-model-state.js";

/** Sparse rows that are made dense together, for a model that predicts dense ones. */
const DENSE_AT_ONCE = 512;

/** Rows to predict: number[][], a Float64Array or Float32Array [n, d], row-major, or a sparse matrix of that shape. */
export type Rows = DenseRows | SparseMatrix;

/**
 * The model of one task: what its owner gets, and all that its predictions need. Made by `FittedModel.forTask`, or from the JSON that it is written as.
 *
 * Whether anything protects the task from whoever holds this model, `protection` says; mostly nothing does. Of a model read from JSON that is the word of
 * whoever wrote it: no ledger is in it, as is in the file of all models.
 *
 * @example new TaskModel(JSON.parse(text)).predict([[0.6, 0.8]]) // one row of d features; a Float64Array of one prediction
 */
export class TaskModel implements TaskModelState {
  readonly method!: string;
  readonly loss!: LossName;
  readonly classes!: Classes | null;
  readonly task!: string;
  readonly featureNames!: readonly string[];
  readonly weights!: Float64Array;
  readonly intercepts!: Float64Array | null;
  readonly architecture!: DifferentiableModel | null;
  /** Only models that have them show these two. */
  declare readonly limits?: FeatureLimits | null;
  declare readonly posterior?: PosteriorMixture | null;
  readonly targetScale: Scale | null = null;
  readonly guarantee!: Guarantee | NoGuarantee;
  readonly recordGuarantee: RecordGuarantee | null = null;

  /** @param state as `forTask` makes it, also where it went through JSON or a structured clone. */
  constructor(state: TaskModelState) {
    Object.assign(this, withNumbers(state));
    showAs(this);
  }

  /** What `new TaskModel(JSON.parse(text))` takes. Code is not in it: an `architecture` has to be given again. */
  toJSON(): object {
    return inPlainNumbers(this);
  }

  /** Sizes and guarantee in a line; no weights, no name. What Node's console prints, too. */
  toString(): string {
    return `TaskModel(${sizesAndGuarantee(this, "one task")})`;
  }

  /**
   * Who is protected from whom, whoever holds this model among them; empty for a method that promises nothing, and for a task that
   * came after the fit, whose owner shared nothing (`guarantee.later`).
   */
  get protection(): readonly Protection[] {
    const { guarantee, recordGuarantee } = this;
    if (guarantee.kind === "none" || guarantee.later !== undefined) return [];
    return protectionTable(guarantee, recordGuarantee);
  }

  /** Numbers per row of `outputs` and `predict`: C for the softmax loss, else 1. */
  get outputsPerRow(): number {
    return outputsOf(this.loss, this.classes);
  }

  /**
   * What the loss is a function of, on its scale, for every row: x . w + b, or C logits, shape [n, outputsPerRow];
   * with a `posterior` the log-odds of its average probability, or C logits made of them; of a target with a declared range no farther from its
   * middle than its values are kept.
   * @throws DataError naming the row (from 0) if it has the wrong width, an entry is not finite or larger than 1e60, or the output would be
   *   no number.
   */
  outputs(rows: Rows): Float64Array {
    const d = this.featureNames.length;
    if (isSparse(rows)) {
      checkSparse(rows, "rows");
      if (rows.shape[1] !== d) {
        throw new DataError(`rows: expected a matrix of ${d} columns, got ${rows.shape[1]}`);
      }
      return this.sparseOutputs(stackSparse([rows]));
    }
    const k = this.outputsPerRow;
    const given = rows instanceof Float64Array ? rows : flatRows(rows, d);
    if (given.length % d !== 0) {
      throw new DataError(`rows: expected a multiple of ${d} numbers, found ${given.length}`);
    }
    const flat = withinLimits(this.limits, given);
    requireRowsInRange(flat, this.featureNames);
    const out = new Float64Array((flat.length / d) * k);
    if (this.posterior) out.set(averagedOutputs(this.posterior, flat, d, k));
    else if (this.architecture) this.architecture.predict(this.weights, flat, out);
    else this.#linear(flat, out, d, k);
    requireNumbers(out, k);
    return this.#held(out);
  }

  /** The same of sparse rows in the layout of a task set. */
  sparseOutputs(rows: SparseRows): Float64Array {
    array("rows.starts", object("rows", rows).starts);
    if (this.posterior || this.architecture || this.limits) return this.#densely(rows);
    requireSparseInRange(rows, this.featureNames);
    const { starts, columns, values } = rows;
    const { weights, intercepts } = this;
    const k = this.outputsPerRow;
    const out = new Float64Array((starts.length - 1) * k);
    for (let at = 0; at < out.length; at++) {
      const c = at % k;
      const row = (at - c) / k;
      let sum = intercepts?.[c] ?? 0;
      for (let e = starts[row]!; e < starts[row + 1]!; e++) {
        sum += values[e]! * weights[columns[e]! * k + c]!;
      }
      out[at] = sum;
    }
    requireNumbers(out, k);
    return this.#held(out);
  }

  /** Outputs held where the target's values are; in place. */
  #held(out: Float64Array): Float64Array {
    const { targetScale } = this;
    if (targetScale) out.forEach((z, at) => (out[at] = heldOn(targetScale, z)));
    return out;
  }

  /** The outputs of dense rows, some at a time. */
  #densely(rows: SparseRows): Float64Array {
    const d = this.featureNames.length;
    const n = rows.starts.length - 1;
    const k = this.outputsPerRow;
    const out = new Float64Array(n * k);
    for (let from = 0; from < n; from += DENSE_AT_ONCE) {
      const to = Math.min(n, from + DENSE_AT_ONCE);
      out.set(this.outputs(denseRows(rows, from, to, d)), from * k);
    }
    return out;
  }

  #linear(x: Float64Array, out: Float64Array, d: number, k: number): void {
    const { weights, intercepts } = this;
    for (let at = 0; at < out.length; at++) {
      const c = at % k;
      const row = ((at - c) / k) * d;
      let sum = intercepts?.[c] ?? 0;
      for (let j = 0; j < d; j++) sum += x[row + j]! * weights[j * k + c]!;
      out[at] = sum;
    }
  }

  /**
   * Values (squared loss; in the units of the target's declared range), probabilities of the larger label (logistic loss), or the probabilities
   * of all classes, [n, C] (softmax loss).
   */
  predict(rows: Rows): Float64Array {
    const predicted = linkInPlace(this.loss, this.outputs(rows), this.outputsPerRow);
    const { targetScale } = this;
    if (!targetScale) return predicted;
    return predicted.map((z) => heldInUnits(targetScale, fromUnit(targetScale, z)));
  }

  /** The likeliest label for every row; classifiers only. */
  predictLabels(rows: Rows): Label[] {
    const { classes } = this;
    if (!classes)
      throw new DataError(`a model with the ${this.loss} loss has no labels to predict`);
    const outputs = this.outputs(rows);
    const chosen =
      this.loss === "softmax"
        ? largestOutputs(outputs, classes.length)
        : outputs.map((margin) => (margin > 0 ? 1 : 0));
    return Array.from(chosen, (at) => classes[at]!);
  }
}
