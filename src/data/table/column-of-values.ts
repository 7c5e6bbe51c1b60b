/**
 * A column from values as programs hold them: numbers, booleans, text, big integers, and what stands for a missing one.
 * @module
 */
import { DataError } from "../../core/errors.js";
import type { Column } from "./table.js";

const KNOWN = ["number", "bigint", "boolean", "string"];

/**
 * Numbers and booleans (0, 1) become a column of numbers, text and integers beyond 2^53 one of text; null and undefined
 * are missing.
 *
 * @param source names the table in errors.
 * @throws DataError for other values, and for text mixed with numbers.
 */
export function columnOfValues(name: string, values: readonly unknown[], source: string): Column {
  const kinds = new Set(values.map((value) => (value == null ? "missing" : typeof value)));
  kinds.delete("missing");
  const odd = [...kinds].find((kind) => !KNOWN.includes(kind));
  if (odd || (kinds.has("string") && kinds.size > 1)) {
    throw new DataError(
      `${source}, column ${JSON.stringify(name)}: expected numbers, booleans or text, found ` +
        `${odd ? "dates, bytes or nested values" : "a mixture"}; convert the column.`,
    );
  }
  const exact = values.every(
    (value) => typeof value !== "bigint" || Number.isSafeInteger(Number(value)),
  );
  if (kinds.has("string") || !exact) {
    return {
      name,
      values: values.map((value) => (value == null ? "" : textOf(value))),
    };
  }
  return { name, values: Float64Array.from(values, (v) => (v == null ? NaN : Number(v))) };
}

/** A yes is 1 beside integers, as it is where all of these are safe. */
const textOf = (value: unknown) =>
  String(typeof value === "boolean" ? Number(value) : (value as string | bigint)).trim();
