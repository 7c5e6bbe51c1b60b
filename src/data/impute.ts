/**
 * Columns of numbers, and what stands where a value is missing: the mean of the task's own values.
 * @module
 */
import { DataError } from "../core/errors.js";
import type { Groups } from "./groups.js";
import type { Table } from "./table.js";

/** A column used as it is. */
export interface NumberEncoding {
  readonly kind: "number";
  readonly column: string;
  /**
   * By task name: mean of the task's own values that are there, 0 if there are none. Absent where
   * missing values are refused.
   */
  readonly means?: Readonly<Record<string, number>>;
}

const TEXT_HINT = " Declare the column a category if its values are names.";

/** Measures each task's own mean of a column. */
export function fitTaskMeans(table: Table, column: string, groups: Groups): NumberEncoding {
  const values = table.numbers(column, TEXT_HINT);
  const means = groups.names.map((name, i) => {
    let sum = 0;
    let count = 0;
    for (let at = groups.offsets[i]!; at < groups.offsets[i + 1]!; at++) {
      const value = values[groups.rows[at]!]!;
      if (Number.isNaN(value)) continue;
      sum += value;
      count++;
    }
    return [name, count > 0 ? sum / count : 0] as const;
  });
  return { kind: "number", column, means: Object.fromEntries(means) };
}

/**
 * Writes the column into position `at` of each row of `out`, shape [N, d].
 * @throws DataError naming line and column of a cell that is no number, or that is missing where
 *         nothing is known to put there.
 */
export function encodeNumbers(
  { column, means }: NumberEncoding,
  table: Table,
  groups: Groups,
  out: Float64Array,
  d: number,
  at: number,
): void {
  const values = table.numbers(column, TEXT_HINT);
  groups.names.forEach((name, i) => {
    const mean = means && Object.hasOwn(means, name) ? means[name] : undefined;
    for (let to = groups.offsets[i]!; to < groups.offsets[i + 1]!; to++) {
      const row = groups.rows[to]!;
      const value = Number.isNaN(values[row]) ? mean : values[row];
      if (value === undefined) {
        const why = means
          ? `no mean was measured for task ${JSON.stringify(name)}`
          : 'fill it in, or ask for missing: "impute" (--missing impute)';
        throw new DataError(`${table.place(row, column)}: the value is missing; ${why}.`);
      }
      out[to * d + at] = value;
    }
  });
}
