/**
 * What a choice is made among: options that are tried together.
 * @module
 */
import { isObject } from "../../core/is-object.js";
import { OptionError } from "../../core/index.js";

/** Options that are tried together. */
export type Candidate = Readonly<Record<string, unknown>>;

/** Values to try for each option, in order of preference. */
export type Grid = Readonly<Record<string, readonly unknown[]>>;

/**
 * All combinations of a grid's values; the last option varies fastest.
 * @throws OptionError if the grid is not an object of arrays.
 */
export function expandGrid(grid: Grid): Candidate[] {
  if (!isObject(grid)) {
    throw new OptionError("grid: expected an object of options and their values");
  }
  return Object.entries(grid).reduce<Candidate[]>(
    (partial, [name, values]) => {
      if (!Array.isArray(values)) {
        throw new OptionError(`grid: ${name}: expected an array of the values to try`);
      }
      return partial.flatMap((candidate) =>
        values.map((value) => ({ ...candidate, [name]: value as unknown })),
      );
    },
    [{}],
  );
}

/** @throws OptionError unless candidates are an array of objects. */
export function checkCandidates(candidates: readonly Candidate[]): void {
  if (Array.isArray(candidates) && candidates.every(isObject)) return;
  throw new OptionError(
    "candidates: expected an array of objects of options, as expandGrid makes of a grid",
  );
}

/** @throws OptionError unless the options that candidates share are an object. */
export function checkShared(options: Candidate): void {
  if (isObject(options)) return;
  throw new OptionError("options: expected an object of the options that all candidates share");
}
