/**
 * Means over replicates.
 * @module
 */
import { meanAndError } from "../../../learning/index.js";

/** A mean over replicates, and its standard error; null where there is one replicate, which tells of none. */
export interface Estimate {
  readonly mean: number;
  readonly standardError: number | null;
}

/** Of at least one value. */
export function estimateOf(values: readonly number[]): Estimate {
  const { mean, standardError } = meanAndError(values);
  return { mean, standardError: values.length < 2 ? null : standardError };
}
