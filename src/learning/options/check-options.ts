/**
 * Checking an estimator's options: defaults filled in, every bad option named at once.
 * @module
 */
import {
  finite,
  finiteArray,
  integer,
  nonNegative,
  oneOf,
  OptionError,
  positive,
} from "../../core/index.js";

/** How one option is checked. Without `fallback` the option is required. */
export interface OptionRule<T> {
  readonly fallback?: T;
  /** Returns the value, or throws a TypeError or RangeError that names the option. */
  check(name: string, value: unknown): T;
}

/** A rule for every option of T. */
export type OptionRules<T> = { readonly [K in keyof T]-?: OptionRule<T[K]> };

/**
 * Fills in defaults and checks every option.
 * @throws OptionError listing every bad, missing or unknown option.
 */
export function checkOptions<T extends object>(
  method: string,
  given: Partial<T> | undefined,
  rules: OptionRules<T>,
): T {
  const problems: string[] = [];
  const result: Record<string, unknown> = {};
  const values = (given ?? {}) as Record<string, unknown>;
  for (const [name, rule] of Object.entries<OptionRule<unknown>>(rules as never)) {
    const value = values[name];
    if (value === undefined) {
      if ("fallback" in rule) result[name] = rule.fallback;
      else problems.push(`${name}: required`);
      continue;
    }
    try {
      result[name] = rule.check(name, value);
    } catch (error) {
      problems.push((error as Error).message);
    }
  }
  for (const name of Object.keys(values)) {
    if (!(name in rules)) {
      problems.push(`${name}: not an option of ${method}; it has ${Object.keys(rules).join(", ")}`);
    }
  }
  if (problems.length > 0) throw new OptionError(`${method}: ${problems.join("; ")}`);
  return result as T;
}

/** The default goes with the rule: `withDefault(aPositive, 1)`. */
export function withDefault<T>(rule: OptionRule<T>, fallback: T): OptionRule<T> {
  return { ...rule, fallback };
}

export const aNumber: OptionRule<number> = {
  check: (name, value) => finite(name, value as number),
};
export const aPositive: OptionRule<number> = {
  check: (name, value) => positive(name, value as number),
};
export const aNonNegative: OptionRule<number> = {
  check: (name, value) => nonNegative(name, value as number),
};
export const aBoolean: OptionRule<boolean> = {
  check: (name, value) => {
    if (typeof value !== "boolean") throw new TypeError(`${name}: expected true or false`);
    return value;
  },
};

/** An integer >= min. */
export function anInteger(min: number): OptionRule<number> {
  return { check: (name, value) => integer(name, value as number, min) };
}

/** One of a few words. */
export function aWord<T extends string>(words: readonly T[]): OptionRule<T> {
  return { check: (name, value) => oneOf(name, value as string, words) };
}

/** One of a few words, or what another rule accepts. */
export function aWordOr<T extends string, U>(
  words: readonly T[],
  other: OptionRule<U>,
): OptionRule<T | U> {
  return {
    check: (name, value) => {
      if (typeof value !== "string") return other.check(name, value);
      return oneOf(name, value, words);
    },
  };
}

/** A Float64Array; its length is checked against the data at `fit`. */
export const aMatrix: OptionRule<Float64Array> = {
  check: (name, value) => finiteArray(name, value as Float64Array, (value as Float64Array).length),
};
