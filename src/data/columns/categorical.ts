/**
 * Categories as dummy columns: one column of 0 and 1 for each level. A missing value is a level of
 * its own. Binary columns leave out the first level, so that a binary column with missing values,
 * three categories, becomes two dummy columns.
 * @module
 */
import { DataError } from "../../core/errors.js";
import { CellsAtFault } from "../table/cells-at-fault.js";
import { parseNumber, withPoint } from "../table/cells.js";
import type { Groups } from "../table/groups.js";
import type { Table } from "../table/table.js";

/** A column as dummy columns. */
export interface CategoryEncoding {
  readonly kind: "category";
  readonly column: string;
  /** The values, as text. */
  readonly levels: readonly string[];
  /** Whether the first level has no dummy column (binary columns). */
  readonly omitFirst: boolean;
  /** Whether a missing value has a dummy column; otherwise it is refused. */
  readonly missing: boolean;
  /** Counts as this level where the value is missing. */
  readonly fill?: string;
  /** Where the value is missing: the row is left out, or all dummies are 0. */
  readonly gap?: "drop" | "zeros";
  /** A value that is none of the levels: refused, or all dummies 0. */
  readonly unseen: "refuse" | "zeros";
  /** Whether the levels were found by looking at all tasks' data, instead of declared. */
  readonly pooled: boolean;
  /** Whether it was declared to be the same in all rows of a task. */
  readonly perTask?: boolean;
}

/**
 * A level's one spelling: "1.0" and "1" are the same level.
 * @param decimalCommas whether "1,0" is that level, too: in a table with decimal commas whatever its column's other cells are, since
 *                      these may be other tasks'. Default false.
 */
export function canonicalLevel(text: string, decimalCommas = false): string {
  // With a point also where that is no number yet, as "1,5 %": a column of nothing else is rewritten so as it is read.
  const cell = decimalCommas ? withPoint(text) : text;
  const number = parseNumber(cell);
  return number === undefined ? cell : String(number);
}

/** A column's cells in the one spelling of levels, "" where missing. */
export function levelsIn(table: Table, column: string): string[] {
  return table.texts(column).map((text) => canonicalLevel(text, table.decimalCommas));
}

/** Where a level, in the one spelling that it has in a table, is among those that are known. */
export function positionsOf(levels: readonly string[], { decimalCommas }: Table) {
  const positions = new Map(levels.map((level, at) => [level, at]));
  levels.forEach((level, at) => {
    const spelled = canonicalLevel(level, decimalCommas);
    if (!positions.has(spelled)) positions.set(spelled, at);
  });
  return positions;
}

/** The levels that occur, ascending: by number if all are numbers, else by code units. */
export function observedLevels(table: Table, column: string): string[] {
  const levels = [...new Set(levelsIn(table, column))].filter((text) => text !== "");
  const numeric = levels.every((text) => parseNumber(text) !== undefined);
  return levels.sort((a, b) => (numeric ? Number(a) - Number(b) : a < b ? -1 : 1));
}

/** What {@link fitCategory} may be told. */
export interface CategoryOptions {
  /** Public levels; by default those that occur, which is a statistic of all tasks together. */
  levels?: readonly (string | number)[];
  binary: boolean;
  missing: "refuse" | "level" | "drop" | "zeros" | { readonly value: string | number };
  unseen: "refuse" | "zeros";
  /** Whether `levels` were observed after all. */
  pooled?: boolean;
  perTask?: boolean;
}

/** @throws DataError if a binary column has other than two levels, or a level is given twice. */
export function fitCategory(
  table: Table,
  column: string,
  options: CategoryOptions,
): CategoryEncoding {
  return categoryEncoding(column, options.levels ?? observedLevels(table, column), {
    ...options,
    pooled: options.pooled ?? options.levels === undefined,
  });
}

/** A column of these levels; @throws as {@link fitCategory}. */
export function categoryEncoding(
  column: string,
  named: readonly (string | number)[],
  options: Omit<CategoryOptions, "levels"> & { readonly pooled: boolean },
): CategoryEncoding {
  const levels = named.map((level) => canonicalLevel(String(level)));
  const quoted = JSON.stringify(column);
  if (new Set(levels).size !== levels.length) {
    throw new DataError(`column ${quoted}: a level is declared twice.`);
  }
  if (levels.length === 0) throw new DataError(`column ${quoted}: every value is missing.`);
  if (options.binary && levels.length !== 2) {
    throw new DataError(`column ${quoted} has ${levels.length} levels; a binary column has 2.`);
  }
  const { missing } = options;
  const fill = typeof missing === "object" ? canonicalLevel(String(missing.value)) : undefined;
  if (fill !== undefined && !levels.includes(fill)) {
    throw new DataError(`column ${quoted}: missing: expected { "value": one of its levels }.`);
  }
  return {
    kind: "category",
    column,
    levels,
    omitFirst: options.binary,
    missing: missing === "level",
    ...(fill === undefined ? {} : { fill }),
    ...(missing === "drop" || missing === "zeros" ? { gap: missing } : {}),
    unseen: options.unseen,
    pooled: options.pooled,
    ...(options.perTask ? { perTask: true } : {}),
  };
}

/** Names of the dummy columns. */
export function dummyNames({ column, levels, omitFirst, missing }: CategoryEncoding): string[] {
  const named = [...levels.slice(omitFirst ? 1 : 0), ...(missing ? ["missing"] : [])];
  return named.map((level) => `${column}=${level}`);
}

/** Writes the dummies into positions `at`, at + 1, … of each row of `out`, shape [N, d], zeros before. */
export function encodeCategory(
  encoding: CategoryEncoding,
  table: Table,
  groups: Groups,
  { out, d, at }: { out: Float64Array; d: number; at: number },
  onUnseen: (task: number) => void,
): void {
  dummiesOf(encoding, table, groups, onUnseen).forEach((dummy, to) => {
    if (dummy >= 0) out[to * d + at + dummy] = 1;
  });
}

/**
 * Which of a row's dummies is 1, [N]; -1 where all are 0.
 * @param onUnseen called with the task's position for every value that is none of the levels.
 * @throws DataError naming line and column of a value that is none of the levels, or missing.
 */
export function dummiesOf(
  encoding: CategoryEncoding,
  table: Table,
  groups: Groups,
  onUnseen: (task: number) => void,
): Int32Array {
  const first = encoding.omitFirst ? 1 : 0;
  const position = positionsOf(encoding.levels, table);
  if (encoding.missing) position.set("", encoding.levels.length);
  else if (encoding.fill !== undefined) position.set("", position.get(encoding.fill)!);
  const texts = levelsIn(table, encoding.column);
  const found = new Int32Array(groups.rows.length).fill(-1);
  const [missing, unknown] = [new CellsAtFault(), new CellsAtFault()];
  let task = 0;
  groups.rows.forEach((row, to) => {
    while (groups.offsets[task + 1]! <= to) task++;
    const level = position.get(texts[row]!);
    if (level === undefined) {
      const zeros = texts[row] === "" ? encoding.gap : encoding.unseen;
      if (zeros === "zeros") return onUnseen(task);
      return (texts[row] === "" ? missing : unknown).add(row);
    }
    found[to] = level - first;
  });
  const { column, levels } = encoding;
  missing.throwAny(
    table,
    column,
    'the value is missing; fill it in, or ask for missing: "impute" (--missing impute).',
  );
  unknown.throwAny(
    table,
    column,
    `the value is not one of the ${levels.length} known levels; correct it, or the levels; only a fit with "unseen": ` +
      '"zeros" for the column in its --ranges file counts such values as no level, or predict --unseen zeros (also of evaluate --model; in code unseen).',
  );
  return found;
}
