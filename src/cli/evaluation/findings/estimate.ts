/**
 * Means over replicates.
 * @module
 */
import { meanAndError } from "../../../learning/index.js";
import type { Estimate } from "../../../report/index.js";

/** Share of a mean below which its standard error is what rounding leaves of equal values. */
const ROUNDING = 1e-14;

/** Mean and standard error of at least one value. */
export function estimateOf(values: readonly number[]): Estimate {
  const { mean, standardError } = meanAndError(values);
  if (values.length < 2) return { mean, standardError: null };
  return { mean, standardError: standardError < ROUNDING * Math.abs(mean) ? 0 : standardError };
}

/**
 * How many standard errors a mean must lie above 0 to be clearly above it. One is too few: of five replicates without any gain one in
 * five would pass (Student's t), by two standard errors one in seventeen does.
 */
const CLEAR = 2;

/** Whether a mean is above 0 by more than chance explains; of one replicate, which tells nothing of chance, whether it is above 0. */
export const isClearlyPositive = ({ mean, standardError }: Estimate): boolean =>
  mean > CLEAR * (standardError ?? 0);
