/**
 * Weights of rows: how much each counts beside the others of its task.
 *
 * They are relative. A task's weights are brought to mean 1 before anything is computed with them, so that a task of n
 * rows weighs as n rows do, which is public; what its rows weigh among themselves stays its own. So every bound that
 * holds for n rows holds for weighted ones: of the mean of losses that are L-smooth, of rows within the ball of the
 * declared norm, of uploads, which are clipped whatever they were learned from.
 * @module
 */
import { DataError } from "../../core/errors.js";
import { parseNumber } from "../table/cells.js";
import type { Groups } from "../table/groups.js";
import { isNumberColumn, type Table } from "../table/table.js";

/** Weights of all rows; undefined where nobody gave any. */
export function collectWeights(
  tasks: readonly { readonly name: string; readonly weights?: ArrayLike<unknown> | undefined }[],
  sizes: readonly number[],
): Float64Array | undefined {
  if (tasks.every(({ weights }) => weights === undefined)) return undefined;
  const out = new Float64Array(sizes.reduce((sum, n) => sum + n, 0));
  let at = 0;
  tasks.forEach(({ name, weights }, i) => {
    const place = `task ${JSON.stringify(name)}`;
    if (weights?.length !== sizes[i]!) {
      throw new DataError(
        `${place}: weights: expected one for each of its ${sizes[i]} rows, ` +
          `${weights ? `got ${weights.length}` : "as other tasks have them, got none"}.`,
      );
    }
    let sum = 0;
    for (let row = 0; row < weights.length; row++) {
      const weight = weights[row];
      if (typeof weight !== "number" || !(weight >= 0 && weight < Infinity)) {
        throw new DataError(
          `${place}, row ${row}: weights: expected a finite number that is not negative.`,
        );
      }
      sum += out[at++] = weight;
    }
    if (!(sum > 0 && sum < Infinity)) {
      throw new DataError(
        `${place}: weights: expected a sum above 0 that float64 can hold. Leave the task out.`,
      );
    }
  });
  return out;
}

/**
 * Weights of the rows of a table that become tasks.
 * @throws DataError naming the first cell that is no weight, or the first task that weighs nothing.
 */
export function weightsOfRows(
  table: Table,
  name: string,
  { rows, names, offsets }: Groups,
): Float64Array | undefined {
  const column = table.column(name);
  // They may stand between thousands.
  const points = !isNumberColumn(column) && column.points;
  const own = Float64Array.from(rows, (row) => {
    // By itself: text is a column of which any cell is written as no program would (2.0).
    const cell = points || table.missing(column, row) ? "" : column.values[row]!;
    const value = typeof cell === "number" ? cell : (parseNumber(cell) ?? NaN);
    if (value >= 0 && value < Infinity) return value;
    throw new DataError(
      `${table.place(row, name)}: expected a weight: a finite number that is not negative.`,
    );
  });
  const given = names.map((task, i) => ({
    name: task,
    weights: own.subarray(offsets[i], offsets[i + 1]),
  }));
  return collectWeights(
    given,
    given.map(({ weights }) => weights.length),
  );
}

/** Rows' weights and where each task's begin. */
interface WeightedRows {
  readonly sampleWeights?: Float64Array | undefined;
  readonly offsets: Uint32Array;
}

/** Parts of a task's mean weight below which a row weighs nothing: squares of its inverse would be no numbers. */
const LEAST = 1e-60;

/**
 * s[N], of mean 1 in every task; undefined where there are none. A task whose rows all weigh nothing has zeros. That a task's are
 * all equal decides nothing here: what others compute would tell it.
 */
export function relativeWeights({
  sampleWeights,
  offsets,
}: WeightedRows): Float64Array | undefined {
  if (!sampleWeights) return undefined;
  const out = new Float64Array(sampleWeights.length);
  for (let i = 0; i + 1 < offsets.length; i++) {
    const own = sampleWeights.subarray(offsets[i], offsets[i + 1]);
    // Equal ones exactly.
    const equal = own.every((weight) => weight === own[0]);
    const mean = own.reduce((sum, weight) => sum + weight / own.length, 0);
    own.forEach((weight, row) => {
      const relative = mean === 0 ? 0 : equal ? 1 : weight / mean;
      out[offsets[i]! + row] = relative < LEAST ? 0 : relative;
    });
  }
  return out;
}
