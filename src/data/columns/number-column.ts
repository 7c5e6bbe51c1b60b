/**
 * Columns of numbers: as they are or scaled by a declared range, and what stands where a value is missing.
 * @module
 */
import { DataError } from "../../core/errors.js";
import { CellsAtFault } from "../table/cells-at-fault.js";
import type { Groups } from "../table/groups.js";
import {
  checkRange,
  heldWithin,
  scaleOf,
  toUnit,
  type Outside,
  type Range,
  type Scale,
} from "./scale.js";
import type { Table } from "../table/table.js";

/** A column of numbers as a feature; where "level" is asked for, as two. */
export interface NumberEncoding {
  readonly kind: "number";
  readonly column: string;
  /**
   * By task name: mean of the task's own values that are there; where there are none, the middle of the
   * declared range, or 0. Absent where missing values are not filled so.
   */
  readonly means?: Readonly<Record<string, number>>;
  /** Declared: it is brought to [-1, 1]. Absent: raw units. */
  readonly range?: Range;
  readonly unit?: string;
  /** What is done with a value outside the range; absent: "clip", as was done before there was a choice. */
  readonly outside?: Outside;
  /**
   * A missing value: the middle of the range (0 without one) and a second feature that is 1; or its row
   * is left out; or a declared number. Absent: refused, unless there are `means`.
   */
  readonly missing?: "level" | "drop" | { readonly value: number };
  /** Whether kind and range were taken from the data of all tasks instead of declared. */
  readonly pooled?: boolean;
  /** Whether it was declared to be the same in all rows of a task. */
  readonly perTask?: boolean;
}

/** What {@link fitNumbers} may be told. */
export interface NumberOptions {
  range: Range | null | undefined;
  unit: string | undefined;
  /** Default "keep". */
  outside: Outside | undefined;
  missing: "refuse" | "task-mean" | "level" | "drop" | { readonly value: number };
  pooled: boolean;
  perTask: boolean;
}

const textHint = (column: string) =>
  ` Correct the cell; if the column's values are names, a fit has to be told that it is a category: ` +
  `--categorical ${column}, or in a --ranges file; in code kinds: { ${JSON.stringify(column)}: "category" }.`;

/** Learns what a column of numbers needs. */
export function fitNumbers(
  table: Table,
  column: string,
  groups: Groups,
  options: NumberOptions,
): NumberEncoding {
  const encoding = numberEncoding(column, options);
  if (options.missing !== "task-mean") return encoding;
  return refitMeans({ ...encoding, means: {} }, table, groups);
}

/** A column of numbers but for its means, which only a table gives. */
export function numberEncoding(
  column: string,
  { range, unit, outside = "keep", missing, pooled, perTask }: NumberOptions,
): NumberEncoding {
  const where = `column ${JSON.stringify(column)}`;
  const encoding: NumberEncoding = {
    kind: "number",
    column,
    ...(range ? { range: checkRange(`${where}: range`, range) } : {}),
    ...(unit === undefined ? {} : { unit }),
    ...(range && outside !== "clip" ? { outside } : {}),
    ...(pooled ? { pooled } : {}),
    ...(perTask ? { perTask } : {}),
    ...(missing === "refuse" || missing === "task-mean" ? {} : { missing }),
  };
  if (typeof missing === "object" && !Number.isFinite(missing.value)) {
    throw new DataError(`${where}: missing: expected { "value": a finite number }.`);
  }
  return encoding;
}

/** The same column with the means of these rows, where it has means. */
export function refitMeans(encoding: NumberEncoding, table: Table, groups: Groups): NumberEncoding {
  return encoding.means ? { ...encoding, means: taskMeans(table, encoding, groups) } : encoding;
}

/** The same column, which writes NaN where means would fill gaps. */
export function leaveGaps(encoding: NumberEncoding): NumberEncoding {
  const { means } = encoding;
  if (!means) return encoding;
  return { ...encoding, means: Object.fromEntries(Object.keys(means).map((task) => [task, NaN])) };
}

/** Each task's own mean of a column, of values as they are held. */
function taskMeans(table: Table, encoding: NumberEncoding, groups: Groups): Record<string, number> {
  const { column, range } = encoding;
  const values = table.numbers(column, textHint(column));
  const none = range ? scaleOf(range).center : 0;
  const means = groups.names.map(
    (name, i) => [name, ownMean(encoding, values, groups, i) ?? none] as const,
  );
  return Object.fromEntries(means);
}

/** The mean of task i's own values that are there, as they are held; undefined where there are none. */
function ownMean(
  { range, outside }: NumberEncoding,
  values: Float64Array,
  { offsets, rows }: Groups,
  i: number,
): number | undefined {
  const ends = range && heldWithin(range, outside);
  let sum = 0;
  let count = 0;
  for (let at = offsets[i]!; at < offsets[i + 1]!; at++) {
    const value = values[rows[at]!]!;
    if (Number.isNaN(value)) continue;
    sum += ends ? Math.max(ends[0], Math.min(ends[1], value)) : value;
    count++;
  }
  return count > 0 ? sum / count : undefined;
}

/** The public scale of the column; null in raw units. */
export function numberScale({ range }: NumberEncoding): Scale | null {
  return range ? scaleOf(range) : null;
}

/** Names of the one or two features. */
export function numberNames({ column, missing }: NumberEncoding): string[] {
  return missing === "level" ? [column, `${column}=missing`] : [column];
}

/**
 * Writes the column into position `at` of each row of `out`, shape [N, d], zeros before.
 * @param onOutside called with the task's position for every value that is held.
 * @throws DataError naming line and column of a cell that is no number, or that is missing where
 *         nothing is known to put there, or outside a range where that is refused.
 */
export function encodeNumbers(
  encoding: NumberEncoding,
  table: Table,
  groups: Groups,
  { out, d, at }: { out: Float64Array; d: number; at: number },
  onOutside: (task: number) => void,
): void {
  const { column, means, range, outside, missing } = encoding;
  const ends = range && heldWithin(range, outside);
  const values = table.numbers(column, textHint(column));
  const beyond = new CellsAtFault();
  const gaps = new CellsAtFault();
  let needy: string | undefined;
  groups.names.forEach((name, i) => {
    const measured = means && Object.hasOwn(means, name) ? means[name] : undefined;
    const mean = measured ?? (means && ownMean(encoding, values, groups, i));
    for (let to = groups.offsets[i]!; to < groups.offsets[i + 1]!; to++) {
      const row = groups.rows[to]!;
      const position = to * d + at;
      if (Number.isNaN(values[row])) {
        const filled = fill(encoding, mean);
        if (filled === undefined) {
          needy ??= name;
          if (needy === name || !means) gaps.add(row);
          continue;
        }
        out[position] = range ? toUnit(range, filled, outside) : filled;
        if (missing === "level") out[position + 1] = 1;
        continue;
      }
      const value = values[row]!;
      if (!range || !ends) {
        out[position] = value;
        continue;
      }
      if (value < ends[0] || value > ends[1]) {
        if (outside === "refuse") {
          beyond.add(row);
          continue;
        }
        onOutside(i);
      }
      out[position] = toUnit(range, value, outside);
    }
  });
  gaps.throwAny(table, column, `the value is missing; ${why(encoding, needy!)}.`);
  beyond.throwAny(table, column, "the value is outside the declared range.");
}

/** What stands for a missing value, in raw units. A task without any value takes the middle of a range. */
function fill(
  { means, range, missing }: NumberEncoding,
  mean: number | undefined,
): number | undefined {
  if (typeof missing === "object") return missing.value;
  if (missing === "level") return range ? scaleOf(range).center : 0;
  return mean ?? (means && range ? scaleOf(range).center : undefined);
}

function why({ means }: NumberEncoding, task: string): string {
  return means
    ? `no mean was measured for task ${JSON.stringify(task)}, nor has it a value here; fill it in, or fit with the column's range declared (--ranges)`
    : 'fill it in, or ask for missing: "impute" (--missing impute)';
}
