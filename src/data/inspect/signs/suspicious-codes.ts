/**
 * Values that look like codes for missing ones, as -99 among ages: for a person to judge, by looking at all rows.
 * @module
 */
import { canonicalLevel } from "../../columns/categorical.js";
import { hasDecimalComma, isMissing, parseNumber } from "../../table/cells.js";
import { isNumberColumn, type Table } from "../../table/table.js";

/** A value, and how many rows have it. */
export interface SuspiciousCode {
  readonly value: string;
  readonly rows: number;
}

/** Codes that one end of a column, or its texts, may have: those of refused, not asked, unknown. */
const MOST = 3;
/** Values that the others must be, for their spread to say something. */
const FEWEST_OTHERS = 5;
/** Digits of which survey programs make codes. */
const DIGITS = /^-([789])\1*$/;
/** A code with a fraction is of one of these digits, too, as 99.9 is. */
const ONE_DIGIT = /^-?([789])(?:\1|\.)*$/;
/** Dashes and the like: neither a word nor a number. */
const SIGNS = /^[\p{P}\p{Sm}]+$/u;

/**
 * Of a column of numbers: values at an end that repeat, and lie farther from all others than these from each other; negative ones
 * of sevens, eights or nines where no other is negative. Of numbers with a few words among them: the words that repeat. Of words:
 * signs that repeat, as dashes do.
 */
export function suspiciousCodes(table: Table, name: string): SuspiciousCode[] {
  const given = table.column(name);
  // Points between thousands, or not: it is refused, and nothing is known of its numbers.
  if (!isNumberColumn(given) && given.points) return [];
  const counts = countsOf(table, name);
  const values = [...counts.keys()];
  const numbers = values.filter((value) => parseNumber(value) !== undefined);
  const words = values.filter((value) => parseNumber(value) === undefined);
  if (numbers.length < FEWEST_OTHERS) {
    const signs = words.filter((word) => SIGNS.test(word) && counts.get(word)! > 1);
    return signs.length <= MOST && signs.length < words.length ? coded(signs, counts) : [];
  }
  if (words.length > 0) {
    const few = words.length <= MOST && words.every((word) => counts.get(word)! > 1);
    return few && !words.some(hasDecimalComma) ? coded(words, counts) : [];
  }
  const ascending = numbers.map(Number).sort((a, b) => a - b);
  const repeats = (value: number) =>
    counts.get(String(value))! > 1 && (Number.isInteger(value) || ONE_DIGIT.test(String(value)));
  return coded(
    [...new Set([...farOut(ascending, repeats), ...ofDigits(ascending, repeats)])].map(String),
    counts,
  );
}

const coded = (values: readonly string[], counts: ReadonlyMap<string, number>) =>
  values.map((value) => ({ value, rows: counts.get(value)! }));

function countsOf(table: Table, name: string): Map<string, number> {
  const column = table.column(name);
  const cells = new Map<string | number, number>();
  for (const cell of column.values) cells.set(cell, (cells.get(cell) ?? 0) + 1);
  // Spellings of one value are told once for all rows that have them.
  const counts = new Map<string, number>();
  for (const [cell, rows] of cells) {
    if (isNumberColumn(column) ? Number.isNaN(cell) : isMissing(cell as string)) continue;
    const value = canonicalLevel(String(cell), table.decimalCommas);
    counts.set(value, (counts.get(value) ?? 0) + rows);
  }
  return counts;
}

/** The most values at both ends that repeat, nearer to none of the others than these are to each other. */
function farOut(ascending: readonly number[], repeats: (value: number) => boolean): number[] {
  let found: number[] = [];
  for (let low = 0; low <= MOST; low++) {
    for (let high = 0; high <= MOST; high++) {
      const others = ascending.slice(low, ascending.length - high);
      if (low + high <= found.length || others.length < FEWEST_OTHERS) continue;
      const [least, largest] = [others[0]!, others.at(-1)!];
      const outside = [...ascending.slice(0, low), ...ascending.slice(ascending.length - high)];
      const far = (value: number) => Math.max(least - value, value - largest) > largest - least;
      if (outside.every((value) => repeats(value) && far(value))) found = outside;
    }
  }
  return found;
}

function ofDigits(ascending: readonly number[], repeats: (value: number) => boolean): number[] {
  const negative = ascending.filter((value) => value < 0);
  const codes = negative.length <= MOST && ascending.length - negative.length >= FEWEST_OTHERS;
  const all = negative.every((value) => DIGITS.test(String(value)) && repeats(value));
  return codes && all ? negative : [];
}
