/**
 * What an option's value may be. Each accepts the text of a flag and the JSON value of a
 * configuration file, and says in its own words what it expected.
 * @module
 */
import * as v from "valibot";

/** A schema from what the user wrote to what the command gets. */
export type ValueSchema<T> = v.GenericSchema<unknown, T>;

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;

function toNumber(value: unknown): unknown {
  return typeof value === "string" && NUMBER.test(value.trim()) ? Number(value) : value;
}

/** Limits of a number; "above" and "below" are strict. */
export interface Limits {
  min?: number;
  max?: number;
  above?: number;
  below?: number;
}

function within({ min, max, above, below }: Limits, value: number): boolean {
  return (
    (min === undefined || value >= min) &&
    (max === undefined || value <= max) &&
    (above === undefined || value > above) &&
    (below === undefined || value < below)
  );
}

function limitsText({ min, max, above, below }: Limits): string {
  const parts = [
    min === undefined ? "" : `>= ${min}`,
    above === undefined ? "" : `> ${above}`,
    max === undefined ? "" : `<= ${max}`,
    below === undefined ? "" : `< ${below}`,
  ].filter((part) => part !== "");
  return parts.length > 0 ? ` ${parts.join(" and ")}` : "";
}

/** A finite number within limits. */
export function number(
  limits: Limits = {},
  message = `expected a number${limitsText(limits)}`,
): ValueSchema<number> {
  return v.pipe(
    v.unknown(),
    v.transform(toNumber),
    v.number(message),
    v.finite(message),
    v.check((value) => within(limits, value), message),
  );
}

/** An integer within limits. */
export function integer(limits: Limits = {}): ValueSchema<number> {
  const message = `expected an integer${limitsText(limits)}`;
  return v.pipe(
    v.unknown(),
    v.transform(toNumber),
    v.number(message),
    v.safeInteger(message),
    v.check((value) => within(limits, value), message),
  );
}

/** One of a few words. */
export function choice<const T extends readonly string[]>(...words: T): ValueSchema<T[number]> {
  return v.picklist(words, `expected one of ${words.join(", ")}`);
}

/** Any text that is not empty. A number in a configuration file is taken as its text. */
export function text(what = "text"): ValueSchema<string> {
  const message = `expected ${what}`;
  return v.pipe(
    v.unknown(),
    v.transform((value) => (typeof value === "number" ? String(value) : value)),
    v.string(message),
    v.minLength(1, message),
  );
}

/** Texts separated by commas, or an array of texts. */
export function list(what = "names separated by commas"): ValueSchema<string[]> {
  const message = `expected ${what}`;
  return v.pipe(
    v.unknown(),
    v.transform((value) => (typeof value === "string" ? value.split(",") : value)),
    v.array(v.pipe(v.string(message), v.trim(), v.minLength(1, message)), message),
    v.minLength(1, message),
  );
}

/** Numbers within limits, separated by commas, or an array of them. */
export function numbers(limits: Limits = {}): ValueSchema<number[]> {
  const message = `expected numbers${limitsText(limits)} separated by commas`;
  return v.pipe(
    v.unknown(),
    v.transform((value) =>
      typeof value === "string" ? value.split(",") : typeof value === "number" ? [value] : value,
    ),
    v.array(number(limits, message), message),
    v.minLength(1, message),
  );
}

/** yes or no; also true and false. */
export function yesNo(): ValueSchema<boolean> {
  return v.pipe(
    v.unknown(),
    v.transform((value) =>
      value === "yes" || value === "true"
        ? true
        : value === "no" || value === "false"
          ? false
          : value,
    ),
    v.boolean("expected yes or no"),
  );
}

/** Any of several schemas, the first that fits; `what` says what was expected. */
export function either<A, B>(
  first: ValueSchema<A>,
  second: ValueSchema<B>,
  what: string,
): ValueSchema<A | B> {
  return v.union([first, second], `expected ${what}`);
}
