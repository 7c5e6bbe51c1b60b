/**
 * What the columns of a table are where nothing was declared: numbers, categories, or names to leave out.
 * @module
 */
import { DataError } from "../../core/errors.js";
import { CellsAtFault } from "../table/cells-at-fault.js";
import {
  arePercentages,
  hasDecimalComma,
  isMissing,
  parseNumber,
  READ_WITH_COMMAS,
  withoutPercent,
} from "../table/cells.js";
import { isNumberColumn, type Table } from "../table/table.js";

/** Text columns with more values than this are names or free text, not categories. */
export const MOST_LEVELS = 50;

/** With more numbers than this among its values, a column of text is one of numbers with a slip. */
const FEW = 10;

/** Said where the only slip of a column stands right below its name. */
const SECOND_HEADER = " If line 2 holds units, take it out.";

const INFINITE = /^[+-]?(?:inf(?:inity)?|(?:\d+\.?\d*|\.\d+)e\+?\d+)$/i;

/** What a column looks like. */
export type LookOfColumn = "number" | "category" | "names";

/** By all rows' values: so what comes out is a statistic of all tasks. */
export function lookOf(table: Table, name: string): LookOfColumn {
  if (table.isNumeric(table.column(name))) return "number";
  return new Set(table.texts(name)).size <= MOST_LEVELS ? "category" : "names";
}

/**
 * Refuses a column of numbers in which some cells are other text, or infinite: a slip of the pen must not make hundreds
 * of categories of it.
 *
 * @param asLabels what to do if they are names after all.
 * @throws DataError naming the first such cell's line, never its content.
 */
export function refuseSlips(table: Table, name: string, asLabels: string): void {
  const column = table.column(name);
  const noInfinity = (row: number) =>
    new DataError(
      `${table.place(row, name)}: expected a finite number, found an infinity. Correct the cell, or leave it ` +
        "empty: then it is missing.",
    );
  if (isNumberColumn(column)) {
    const at = column.values.findIndex((value) => Math.abs(value) === Infinity);
    if (at >= 0) throw noInfinity(at);
    return;
  }
  table.refusePoints(column);
  const numbers = new Set<string>();
  const others = new Map<string, number>();
  const percentages = arePercentages(column.values);
  column.values.forEach((written, row) => {
    if (isMissing(written)) return;
    const cell = percentages ? withoutPercent(written) : written;
    if (parseNumber(cell) !== undefined) numbers.add(cell);
    else if (!others.has(cell)) others.set(cell, row);
  });
  const [first] = others;
  if (!first) return;
  refuseUnsigned(table, name, [...numbers, ...others.keys()]);
  const infinite = [...others].filter(([cell]) => INFINITE.test(cell));
  // Among codes in hexadecimal digits some, as 12e4567, read as numbers beyond all.
  const [beyond] = infinite;
  if (beyond && others.size - infinite.length <= numbers.size) throw noInfinity(beyond[1]);
  refusePrintedMinus(table, name, [...others]);
  // Also where commas are asked for, a column stays as it is written while there are slips in it.
  const slips = [...others].filter(([cell]) => !hasDecimalComma(cell));
  const [slip] = slips;
  if (!slip) throw new DataError(`${table.place(first[1], name)}: ${READ_WITH_COMMAS}`);
  const right = numbers.size + others.size - slips.length;
  if (right <= FEW || right < slips.length) return;
  const slipped = new Map(slips);
  const cells = new CellsAtFault();
  const rows = column.values.flatMap((cell, row) =>
    slipped.has(percentages ? withoutPercent(cell) : cell) ? [row] : [],
  );
  for (const row of rows) cells.add(row);
  const units = rows.length === 1 && table.where(rows[0]!) === "line 2" ? SECOND_HEADER : "";
  cells.throwAny(
    table,
    name,
    "expected a finite number as in most rows, found other text. Correct " +
      `the cell, or leave it empty if the value is missing (what stands for that in many cells is said by --missing-codes, in code ` +
      `missingCodes); ${asLabels}${units}`,
  );
}

/** A minus as it is printed, U+2212, is no sign of numbers in files; half of a column would be text, and the column left out as names. */
function refusePrintedMinus(
  table: Table,
  name: string,
  others: readonly (readonly [cell: string, row: number])[],
): void {
  const printed = others.filter(([cell]) => cell.startsWith("\u2212"));
  const amounts = printed.map(([cell]) => cell.slice(1));
  if (amounts.some((text) => parseNumber(text) === undefined && !hasDecimalComma(text))) return;
  const [first] = printed;
  if (!first || printed.length < others.length) return;
  throw new DataError(
    `${table.place(first[1], name)}: the cell is a number with a minus as it is printed (U+2212). Write all of the column's with the ` +
      'hyphen of the keyboard ("-").',
  );
}

/** Whether a number without the sign among percentages is a share or forgot it, nobody knows. */
function refuseUnsigned(table: Table, name: string, different: readonly string[]): void {
  const signed = different.filter(
    (cell) => cell.endsWith("%") && parseNumber(withoutPercent(cell)) !== undefined,
  );
  if (signed.length <= FEW || signed.length === different.length) return;
  if (2 * signed.length < different.length) return;
  const known = new Set(["", ...signed]);
  const cells = new CellsAtFault();
  table.texts(name).forEach((cell, row) => {
    if (!known.has(cell)) cells.add(row);
  });
  cells.throwAny(
    table,
    name,
    "expected a number with a percent sign as in most rows, found none. Write all of the column with the sign, or none, and leave a " +
      "cell empty if its value is missing.",
  );
}

/** Whether {@link refuseSlips} would refuse the column. */
export function hasSlips(table: Table, name: string): boolean {
  try {
    refuseSlips(table, name, "");
    return false;
  } catch (error) {
    if (error instanceof DataError) return true;
    throw error;
  }
}

/** How to say that a feature's values are names. */
export function asCategory(name: string): string {
  return `if the values are names, declare the column a category: --categorical ${name}, or in a --ranges file.`;
}
