/**
 * What features are called.
 * @module
 */
import { DataError } from "../../core/errors.js";
import { kindOf } from "../../core/messages/kind-of.js";

/** `x1`, `x2`, … for features that the caller did not name. */
export function defaultFeatureNames(d: number): string[] {
  return Array.from({ length: d }, (_, j) => `x${j + 1}`);
}

/** @throws DataError if the names are not d unique strings. */
export function checkFeatureNames(names: readonly string[], d: number): void {
  if (names.length !== d) {
    throw new DataError(`featureNames: expected ${d} names, one per column, got ${names.length}.`);
  }
  const seen = new Set<string>();
  for (const name of names) {
    if (typeof name !== "string") {
      throw new TypeError(`featureNames: expected strings, got ${kindOf(name)}`);
    }
    if (seen.has(name))
      throw new DataError(`featureNames: ${JSON.stringify(name)} is given twice.`);
    seen.add(name);
  }
}
