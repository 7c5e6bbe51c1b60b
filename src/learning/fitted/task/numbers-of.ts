/**
 * Arrays of numbers that went through JSON, the same bits.
 * @module
 */
import { DataError } from "../../../core/index.js";

/**
 * JSON makes lists of arrays of numbers, or objects with numbered members where it meets them itself.
 * @param what names it in errors; `as` says how it should be.
 * @throws DataError for what is neither, or holds what is no finite number.
 */
export function numbersOf(what: string, given: unknown, as: string): Float64Array {
  if (given instanceof Float64Array) return given;
  const values: unknown[] = typeof given === "object" && given !== null ? Object.values(given) : [];
  if (values.length > 0 && values.every(Number.isFinite))
    return Float64Array.from(values as number[]);
  throw new DataError(`${what}: expected numbers, as ${as}.`);
}
