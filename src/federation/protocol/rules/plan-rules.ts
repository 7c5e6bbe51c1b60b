/**
 * Rules that a plan is held to.
 * @module
 */

import { OptionError } from "../../../core/errors.js";

/** A condition, and what is said where it fails. */
export type Rule = readonly [holds: boolean, problem: string];

/** What is said of the rules that fail, in their order. */
export function broken(rules: readonly Rule[]): string[] {
  return rules.filter(([holds]) => !holds).map(([, problem]) => problem);
}

/**
 * Refuses what is nothing, or lacks a field that has no default.
 * @param where    before the fields' names, as "aggregation."
 * @param meanings of each field: what it is, what is expected, how to choose it.
 * @throws OptionError naming every field that is missing.
 */
export function requireFields<T extends object>(
  where: string,
  given: T | null | undefined,
  meanings: Readonly<Record<string, string>>,
): asserts given is T {
  const fields = given as Readonly<Record<string, unknown>> | null | undefined;
  const problems = Object.entries(meanings)
    .filter(([name]) => fields?.[name] == null)
    .map(([name, meaning]) => `${where}${name} is missing: ${meaning}`);
  if (problems.length > 0) throw new OptionError(`plan: ${problems.join("; ")}`);
}

/** Of an aggregation on a grid. */
export const precisionRule = (precision: number | null): Rule => [
  precision === null || (Number.isInteger(precision) && precision >= 4 && precision <= 24),
  "aggregation.precision: expected an integer from 4 to 24, or null",
];

/**
 * What options must be where the curator sees sums only.
 * @param by what hides the rest from it, and the verb's ending: "takes" or "take".
 */
export function rulesOfHiddenUploads(
  options: Readonly<Record<string, unknown>>,
  by: { readonly name: string; readonly takes: "takes" | "take" },
): Rule[] {
  const { delta, curator, sampling, aggregate } = options;
  const kindOf = (option: unknown) => (option as { kind: string } | undefined)?.kind;
  return [
    [
      typeof delta === "number" && delta > 0,
      `options.delta: expected a number > 0 with ${by.name}: a default from the number of tasks ` +
        "would be the curator's word; choose one well below 1 / tasks",
    ],
    [
      curator !== "untrusted",
      `options.curator: ${by.name} ${by.takes} the place of record noise; leave it at trusted`,
    ],
    [
      (kindOf(sampling) ?? "all") === "all",
      `options.sampling: expected all with ${by.name}; who is in a sum is no secret`,
    ],
    [
      (kindOf(aggregate) ?? "mean") === "mean",
      `options.aggregate: expected mean with ${by.name}; nobody sees the vectors of which some would be left out`,
    ],
  ];
}
