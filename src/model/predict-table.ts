/**
 * Predictions for the rows of a raw table: prepared as the training data were, in raw units.
 * @module
 */
import { requireTable } from "../data/table/require-table.js";
import { requireModel } from "../learning/fitted/require-model.js";
import { oneOf } from "../core/checks.js";
import { DataError, OptionError } from "../core/index.js";
import { checkNames } from "../core/messages/known-names.js";
import { someNames } from "../core/messages/some-names.js";
import {
  Pipeline,
  denseRows,
  sliceSparse,
  stackSparse,
  sparseMatrix,
  TableEncoding,
  type EncodedFeatures,
  type Label,
  type SparseMatrix,
  type Table,
  type TableEncodingState,
  type UnexpectedValues,
} from "../data/index.js";
import { misspeltNames } from "../data/inspect/signs/alike-names.js";
import { whyNoUnseenTasks, type FittedModel, type FurtherPredictions } from "../learning/index.js";

/** One row's prediction. */
export interface RowPrediction {
  /** The table's row, from 0. */
  readonly row: number;
  /** Name of the row's task. */
  readonly task: string;
  /** Value, probability of the second of two labels, or of the likeliest of several. */
  readonly prediction: number;
  /** The likeliest label; of classifiers only. */
  readonly label?: Label;
  /** Of all labels, in the order of the model's `classes`. */
  readonly probabilities?: readonly number[];
  /** Lower end of the interval that was asked for. */
  readonly lower?: number;
  /** Upper end of the interval that was asked for. */
  readonly upper?: number;
}

/** Predictions of a table. */
export interface TablePredictions {
  /** In the table's order; rows that a missing value leaves out are absent. */
  readonly predictions: readonly RowPrediction[];
  /** Tasks that the model was not fitted on. */
  readonly newTasks: readonly string[];
  /** Values that training did not have, or outside their declared range, by task and column. */
  readonly unexpected: readonly UnexpectedValues[];
}

/** Options of {@link predictTable}. */
export interface PredictTableOptions {
  /** Also where the target lies with this probability, in (0, 1). */
  readonly interval?: number | undefined;
  /** "zeros": a value that is none of a category's levels counts as no level, also where the fit's schema refuses it. Default: as fitted. */
  readonly unseen?: "as-fitted" | "zeros" | undefined;
}

/** An encoding by which values that are none of a category's levels are no level. */
export const unseenAsZeros = (encoding: TableEncodingState): TableEncodingState => ({
  ...encoding,
  columns: encoding.columns.map((column) =>
    column.kind === "category" ? { ...column, unseen: "zeros" } : column,
  ),
});

/**
 * Predicts every row of a raw table: text columns, missing cells and units as in the training data.
 *
 * @throws DataError if the model does not say how its table was encoded, a task is unknown to it and it
 *         predicts for no others, or a cell does not fit; OptionError if it gives no intervals, or for an option that there is
 *         none of; RangeError for another word for `unseen`.
 */
export function predictTable(
  model: FittedModel,
  table: Table,
  options: PredictTableOptions = {},
): TablePredictions {
  requireModel(model);
  requireTable(table);
  checkNames("predictTable", options, ["interval", "unseen"]);
  const { interval, unseen = "as-fitted" } = options;
  oneOf("unseen", unseen, ["as-fitted", "zeros"]);
  const { encoding, pipeline } = model.preprocessing ?? {};
  if (!encoding) {
    throw new DataError(
      "the model does not say how its table was encoded: its tasks were not made from a table; predict " +
        "prepared rows with the library instead.",
    );
  }
  const further = model as FittedModel & FurtherPredictions;
  if (interval !== undefined && !further.predictInterval) {
    throw new OptionError(
      `interval: a model of ${model.method} with the ${model.loss} loss gives no intervals; mixed models of numbers do.`,
    );
  }
  const features = TableEncoding.fromJSON(
    unseen === "zeros" ? unseenAsZeros(encoding) : encoding,
  ).features(table);
  const { names, offsets, rows, unexpected } = features;
  const prepare = pipeline ? Pipeline.fromJSON(pipeline) : undefined;
  const rowsOf = preparedRows(features, prepare);
  const predictions: RowPrediction[] = [];
  const newTasks: string[] = [];
  const fitted = new Set(model.taskNames);
  const fresh = names.filter((task) => !fitted.has(task));
  if (fresh.length > 0 && !further.predictNew) refuseTasks(model, fresh);
  names.forEach((task, i) => {
    const [from, to] = [offsets[i]!, offsets[i + 1]!];
    const known = fitted.has(task);
    if (!known) newTasks.push(task);
    const prepared = rowsOf(task, from, to);
    const values = known ? model.predict(task, prepared) : further.predictNew!(dense(prepared));
    const ends =
      interval === undefined
        ? undefined
        : further.predictInterval!(known ? task : null, dense(prepared), interval);
    for (let row = from; row < to; row++) {
      const at = row - from;
      predictions.push({
        row: rows[row]!,
        task,
        ...outputOf(model, values, at),
        ...(ends ? { lower: ends.lower[at]!, upper: ends.upper[at]! } : {}),
      });
    }
  });
  predictions.sort((a, b) => a.row - b.row);
  return { predictions, newTasks, unexpected };
}

/** A task's rows, dense or sparse, prepared as the training rows were. */
function preparedRows(
  features: EncodedFeatures,
  prepare: Pipeline | undefined,
): (task: string, from: number, to: number) => Float64Array | SparseMatrix {
  const { sparse, featureNames } = features;
  const d = featureNames.length;
  if (sparse) {
    const all = prepare ? prepare.applySparse(sparse) : sparse;
    return (_task, from, to) => sparseMatrix(sliceSparse(all, from, to), d);
  }
  const { x } = features;
  return (task, from, to) => {
    const raw = x.subarray(from * d, to * d);
    return prepare ? prepare.applyRows(task, raw) : raw;
  };
}

/** For what is asked of dense rows: of methods that work with few features. */
function dense(rows: Float64Array | SparseMatrix): Float64Array {
  if (rows instanceof Float64Array) return rows;
  const [n, d] = rows.shape;
  return denseRows(stackSparse([rows]), 0, n, d);
}

function refuseTasks(model: FittedModel, fresh: readonly string[]): never {
  const others =
    fresh.length > 1 ? ` Nor ${fresh.length > 2 ? "are" : "is"} ${someNames(fresh.slice(1))}.` : "";
  const misspelt = misspeltNames(model.taskNames, fresh);
  throw new DataError(
    `task ${JSON.stringify(fresh[0])} is not among the ${model.m} tasks that the model was fitted on, and ` +
      `${whyNoUnseenTasks(model)}.${others}${misspelt && ` ${misspelt}.`}`,
  );
}

/** What a row's numbers say. */
function outputOf({ classes, outputsPerRow: k }: FittedModel, values: Float64Array, at: number) {
  if (!classes) return { prediction: values[at]! };
  // Of two classes the model gives the second one's probability.
  const p = values[at]!;
  const probabilities = k === 1 ? [1 - p, p] : Array.from(values.subarray(at * k, (at + 1) * k));
  const likeliest = k === 1 ? Number(p > 0.5) : probabilities.indexOf(Math.max(...probabilities));
  return {
    prediction: k === 1 ? p : probabilities[likeliest]!,
    label: classes[likeliest]!,
    probabilities,
  };
}
