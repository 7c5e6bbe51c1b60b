/**
 * What is stated of a fit's releases beside their budget, and rests on how they were made: kept with a ledger, so that releases are not
 * stated under other terms than they were made under.
 * @module
 */
import { array, integer, nonNegative, object } from "../../core/checks.js";
import type { PersonBound } from "../guarantee/guarantee-words.js";

/** Each of them only where the fit states something that rests on it. */
export interface LedgerTerms {
  /** Where a record stands for a person who may have several: how many. */
  readonly person?: PersonBound;
  /** Where tasks are hidden and a record's own figures stated: how far one record, or a person, moves each planned release, >= 0. */
  readonly recordSensitivities?: readonly number[];
  /** Where owners have budgets of their own: factor of what each one's rows add, by position, at most 1. */
  readonly ownerWeights?: readonly number[];
}

const WORDS: Readonly<Record<keyof LedgerTerms, string>> = {
  person: "how many rows a person may have",
  recordSensitivities: "how far one record moves each release",
  ownerWeights: "how much each owner's rows add",
};
const FIELDS = Object.keys(WORDS) as (keyof LedgerTerms)[];

/**
 * A frozen copy.
 * @throws TypeError or RangeError naming the field that is not what it should be.
 */
export function checkedTerms(given: LedgerTerms): LedgerTerms {
  const { person, recordSensitivities, ownerWeights } = object("terms", given);
  return Object.freeze({
    ...(person === undefined ? {} : { person: checkedPerson("terms.person", person) }),
    ...(recordSensitivities === undefined
      ? {}
      : { recordSensitivities: each("terms.recordSensitivities", recordSensitivities) }),
    ...(ownerWeights === undefined
      ? {}
      : { ownerWeights: each("terms.ownerWeights", ownerWeights, 1) }),
  });
}

function checkedPerson(name: string, person: PersonBound): PersonBound {
  const { rowsPerPerson, tasksPerPerson } = object(name, person);
  return Object.freeze({
    rowsPerPerson: integer(`${name}.rowsPerPerson`, rowsPerPerson, 1),
    tasksPerPerson: integer(`${name}.tasksPerPerson`, tasksPerPerson, 1),
  });
}

/** Numbers >= 0, at most `most`. */
function each(name: string, values: readonly number[], most = Infinity): readonly number[] {
  const own = Array.from(array(name, values), (value, i) => nonNegative(`${name}[${i}]`, value));
  const at = own.findIndex((value) => value > most);
  if (at < 0) return Object.freeze(own);
  throw new RangeError(`${name}[${at}]: expected at most ${most}, got ${own[at]}`);
}

/**
 * What the terms of a ledger have against those of a fit that would go on with it, in words; undefined where they are the same.
 * @param kept undefined: none, as in ledgers of older versions.
 */
export function termsProblem(kept: LedgerTerms = {}, asked: LedgerTerms = {}): string | undefined {
  const differs = FIELDS.find(
    (field) => JSON.stringify(kept[field]) !== JSON.stringify(asked[field]),
  );
  if (differs === undefined) return undefined;
  return kept[differs] === undefined
    ? `does not say ${WORDS[differs]}`
    : `is of a fit that differs in ${WORDS[differs]}`;
}
