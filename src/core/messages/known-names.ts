/**
 * Refuses names that a function's options do not have: a misspelt one would be ignored in silence.
 * @module
 */
import { OptionError } from "../errors.js";
import { kindOf } from "./kind-of.js";
import { didYouMean } from "./nearest.js";

/**
 * Names of T, each written once; the compiler refuses a list that lacks one.
 * @example const NAMES = namesOf<Options>({ rows: true, seed: true });
 */
export const namesOf = <T>(names: Readonly<Record<keyof T, true>>): readonly string[] =>
  Object.keys(names);

/**
 * @param what  whose names they are, for the message: "simulate".
 * @param given the options; names with the value undefined count as not given.
 * @throws OptionError naming the first unknown one, what there is, and what may have been meant; TypeError for no object.
 */
export function checkNames(what: string, given: object, known: readonly string[]): void {
  if (typeof given !== "object" || given === null) {
    throw new TypeError(`${what}: expected an object, got ${kindOf(given)}`);
  }
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined || known.includes(name)) continue;
    throw new OptionError(
      `${what}: ${JSON.stringify(name)} is not known here; there are ${known.join(", ")}.` +
        didYouMean(name, known),
    );
  }
}
