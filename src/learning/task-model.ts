/**
 * One task's own model: what a participant may have.
 * @module
 */
import { DataError } from "../core/index.js";
import type { Label } from "../data/index.js";
import type { Guarantee } from "../privacy/index.js";
import type { Classes, NoGuarantee } from "./fitted-model.js";
import type { LossName } from "./losses.js";

/** What a task's model consists of. */
export interface TaskModelState {
  readonly method: string;
  readonly loss: LossName;
  readonly classes: Classes | null;
  readonly task: string;
  readonly featureNames: readonly string[];
  /** w_i, [d]. */
  readonly weights: Float64Array;
  /** b_i, or null. */
  readonly intercept: number | null;
  readonly guarantee: Guarantee | NoGuarantee;
}

/** Rows to predict: number[][], or a Float64Array [n, d], row-major. */
export type Rows = Float64Array | readonly (readonly number[])[];

/** The model of one task. Nothing here protects this task from whoever holds it. */
export class TaskModel implements TaskModelState {
  readonly method!: string;
  readonly loss!: LossName;
  readonly classes!: Classes | null;
  readonly task!: string;
  readonly featureNames!: readonly string[];
  readonly weights!: Float64Array;
  readonly intercept!: number | null;
  readonly guarantee!: Guarantee | NoGuarantee;

  constructor(state: TaskModelState) {
    Object.assign(this, state);
  }

  /**
   * x . w + b for every row.
   * @throws DataError naming the row if it has the wrong width or an entry is not finite.
   */
  margins(rows: Rows): Float64Array {
    const d = this.weights.length;
    const flat = rows instanceof Float64Array ? rows : flatten(rows, d);
    if (flat.length % d !== 0) {
      throw new DataError(`rows: expected a multiple of ${d} numbers, found ${flat.length}`);
    }
    const out = new Float64Array(flat.length / d);
    for (let i = 0; i < out.length; i++) {
      let margin = this.intercept ?? 0;
      for (let j = 0; j < d; j++) margin += flat[i * d + j]! * this.weights[j]!;
      if (!Number.isFinite(margin)) throw new DataError(`row ${i + 1}: an entry is not finite`);
      out[i] = margin;
    }
    return out;
  }

  /** Values (squared loss), or probabilities of the larger label (logistic loss). */
  predict(rows: Rows): Float64Array {
    const margins = this.margins(rows);
    return this.loss === "logistic"
      ? margins.map((margin) => 1 / (1 + Math.exp(-margin)))
      : margins;
  }

  /** The likelier of the two labels for every row; classifiers only. */
  predictLabels(rows: Rows): Label[] {
    const { classes } = this;
    if (!classes)
      throw new DataError(`a model with the ${this.loss} loss has no labels to predict`);
    return Array.from(this.margins(rows), (margin) => (margin > 0 ? classes[1] : classes[0]));
  }
}

function flatten(rows: readonly (readonly number[])[], d: number): Float64Array {
  const flat = new Float64Array(rows.length * d);
  rows.forEach((row, i) => {
    if (row.length !== d) {
      throw new DataError(`row ${i + 1} has ${row.length} columns, expected ${d}`);
    }
    flat.set(row, i * d);
  });
  return flat;
}
