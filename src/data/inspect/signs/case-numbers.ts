/**
 * Columns of numbers that name rows, as numbers of cases do, and as features would tell of no row but those that are there.
 * @module
 */
import type { Table } from "../../table/table.js";

/** Of so many draws, chance alone leaves all different with a probability below e^-10. */
const BEYOND_CHANCE = 20;

/** Fewer rows than this say little by being different. */
const FEWEST_NAMED = 20;
/** Headers that end in a word for a number that is given out: `patient_id`, `Patient Nr.`, `caseNo`. */
const NAMED = /(?:(?:^|[\s_.-])(?:id|no|nr|num|number|key)|[a-z](?:Id|ID|No|Nr))\.?$/;

/** Whether a header says that its column names something. */
export const isNamedSo = (name: string) => NAMED.test(name) || NAMED.test(name.toLowerCase());

/**
 * Whether a column holds a whole number of its own in every row, and either its header says that these name something, or measured
 * values of that span would have some twice: of n even draws from s values all differ with probability below
 * exp(-n (n - 1) / (2 s)), of uneven ones with less.
 */
export function holdsCaseNumbers(table: Table, name: string): boolean {
  const column = table.column(name);
  if (!table.isNumeric(column) || table.hasGaps(name)) return false;
  const values = table.numbers(name);
  const n = values.length;
  let [least, largest] = [Infinity, -Infinity];
  for (const value of values) {
    if (!Number.isSafeInteger(value)) return false;
    least = Math.min(least, value);
    largest = Math.max(largest, value);
  }
  const span = largest - least + 1;
  const beyondChance = n * (n - 1) > BEYOND_CHANCE * span;
  if (!beyondChance && !(n >= FEWEST_NAMED && isNamedSo(name))) return false;
  return new Set(values).size === n;
}
