/**
 * What the text of a cell means: a number, a missing value, or other text.
 * @module
 */

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;
/** Cells that stand for a missing value: those of R, pandas, databases, spreadsheets, and the point of SAS and Stata. */
const MISSING = new Set([
  "",
  "NA",
  "N/A",
  "n/a",
  "#N/A",
  "<NA>",
  "NaN",
  "nan",
  "NULL",
  "null",
  "?",
  ".",
]);

const DECIMAL_COMMA = /^[+-]?(?:\d+,\d*|,\d+)(?:[eE][+-]?\d+)?$/;

/** Whether a trimmed cell says that its value is missing. */
export function isMissing(text: string): boolean {
  return MISSING.has(text);
}

/** Whether a trimmed cell is a number with a decimal comma, which is read only where that is asked for. */
export const hasDecimalComma = (text: string): boolean => DECIMAL_COMMA.test(text);

/** A cell with such a comma, a percent sign after it or not, with a point in its place; any other as it is. */
export const withPoint = (text: string): string =>
  hasDecimalComma(withoutPercent(text)) ? text.replace(",", ".") : text;

/** What to do about such a cell. */
export const READ_WITH_COMMAS =
  'the cell is a number with a comma. If that is a decimal comma, read the table with --decimal "," (in code decimal: ","). ' +
  "If it stands between thousands, write the numbers without it, or leave the column out (--features, or " +
  'declared { "kind": "ignore" } in a --ranges file).';

/** What to do about a cell with a point in a column of numbers of a table with decimal commas. */
export const POINT_AMONG_COMMAS =
  "found a point in a column of numbers of a table with decimal commas; write fractions with commas, and nothing between " +
  'thousands. A column that is not needed is declared { "kind": "ignore" } in a --ranges file, or left out of --features.';

/** The finite decimal number a trimmed cell holds, else undefined ("0x10", "1,5", "1e999"). */
export function parseNumber(text: string): number | undefined {
  if (!NUMBER.test(text)) return undefined;
  const value = Number(text);
  return Number.isFinite(value) ? value : undefined;
}

/** A cell without a percent sign and the blanks before it; one without the sign as it is. */
export const withoutPercent = (text: string): string =>
  text.endsWith("%") ? text.slice(0, -1).trimEnd() : text;

/**
 * Whether cells are percentages: all that are there end with the sign, so that none can be a share (0.5) beside per cents (50 %).
 * What stands before it need not be a number.
 */
export function arePercentages(cells: readonly string[]): boolean {
  let some = false;
  for (const cell of cells) {
    if (isMissing(cell)) continue;
    if (!cell.endsWith("%")) return false;
    some = true;
  }
  return some;
}
