/**
 * Rules that a plan is held to.
 * @module
 */

/** A condition, and what is said where it fails. */
export type Rule = readonly [holds: boolean, problem: string];

/** What is said of the rules that fail, in their order. */
export function broken(rules: readonly Rule[]): string[] {
  return rules.filter(([holds]) => !holds).map(([, problem]) => problem);
}

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
        "would be the curator's word",
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
