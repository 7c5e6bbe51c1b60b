/**
 * Rows that not every method can use: with weights of their own, and sparse ones. A method that says nothing of them
 * takes neither, so that none is ever ignored in silence. What works with d x d numbers takes sparse rows of few features,
 * and works with them dense.
 * @module
 */
import { DataError } from "../../core/index.js";
import type { RowOptions } from "./common-options.js";
import { denseTasks, type TaskSet } from "../../data/index.js";
import { requireTaskSet } from "../../data/checks/require-task-set.js";

/**
 * Most features of sparse rows that a method which works with d x d numbers makes dense: of so many, those numbers are
 * no less than the rows.
 */
export const MOST_MADE_DENSE = 256;

/** Why a method takes sparse rows of few features only, which it makes dense; completes "because". */
export interface MadeDense {
  readonly madeDense: string;
}

/** What a method takes; else why it does not, as a clause that completes "because". */
export interface RowsTaken {
  readonly weights: true | string;
  readonly sparse: true | string | MadeDense;
  /** Whether moments of the rows are enough (`TaskMoments`); absent: not. */
  readonly moments?: boolean;
}

const NEITHER: RowsTaken = {
  weights: "its uploads or its choices count every row as one",
  sparse: "it works with statistics of d x d numbers, or with dense rows",
};

/** What a method with these options takes. */
export function rowsTaken<O extends object>(
  method: { readonly takes?: (options: O) => RowsTaken },
  options: O,
): RowsTaken {
  return method.takes?.(options) ?? NEITHER;
}

/** Whether a method takes sparse rows of d features. */
export function takesSparse({ sparse }: RowsTaken, d: number): boolean {
  return sparse === true || (typeof sparse !== "string" && d <= MOST_MADE_DENSE);
}

/**
 * The rows as the method works with them: as they are, or made dense.
 * @throws TypeError if `data` is no task set; DataError if the rows have weights or are sparse, and the method does not take such rows; it says why.
 */
export function rowsFor(method: string, taken: RowsTaken, data: TaskSet): TaskSet {
  requireTaskSet("data", data);
  if (data.standFor && !taken.moments) {
    throw new DataError(
      `${method} takes no moments of rows with these options: it looks at single rows. Give the rows, or take mp-mixed, ` +
        "mixed-model, trace-norm or group-sparse with the squared loss (its mean over rows, and the unit of tasks).",
    );
  }
  const { sparse } = taken;
  if (data.sparse && !takesSparse(taken, data.d)) {
    const [rows, why] =
      typeof sparse === "object"
        ? [`sparse rows of more than ${MOST_MADE_DENSE} features, got ${data.d},`, sparse.madeDense]
        : ["sparse rows,", sparse];
    throw new DataError(
      `${method} takes no ${rows} because ${why}. Give dense rows, or take one of pmtl, private-fedavg, ` +
        "private-fedprox, mp-low-rank, mp-group-sparse, trace-norm, group-sparse and single-task.",
    );
  }
  // Whether weights were given is public; whether those of some task differ is not, and would show in who is refused.
  if (taken.weights !== true && data.sampleWeights) {
    throw new DataError(
      `${method} takes no weights of rows, because ${taken.weights}. Leave them out (weights, --weights), or take one of ` +
        "mp-mixed with the squared loss, pmtl, private-fedavg, mp-low-rank, trace-norm and single-task.",
    );
  }
  return data.sparse && sparse !== true ? denseTasks(data) : data;
}

/** Methods of linear models that learn by gradients of the rows. */
export const ANY_ROWS: RowsTaken = { weights: true, sparse: true };

const SINGLE_ROWS =
  'those kept in Float32 (rowPrecision "float32") are dense; sparse ones stay in Float64';

/** The same, where rows in Float32 are none of the sparse ones. */
export function rowsOfPrecision({ rowPrecision }: RowOptions): RowsTaken {
  return rowPrecision === "float32" ? { ...ANY_ROWS, sparse: SINGLE_ROWS } : ANY_ROWS;
}

/** The same; of the mean squared loss also moments of the rows. */
export function anyRows({
  loss,
  lossScale,
}: {
  readonly loss: string;
  readonly lossScale: string;
}): RowsTaken {
  return { ...ANY_ROWS, moments: loss === "squared" && lossScale === "mean" };
}

/** Why a method that hides single records refuses weights of rows. */
export const RECORDS_OF_ONE_WEIGHT =
  "what a record can change grows with its weight, and the noise is sized for records that count as one";
