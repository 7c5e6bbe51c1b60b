/**
 * Exact noise where its sampler's range covers the budget, floating-point noise elsewhere.
 * @module
 */
import { callable } from "../../core/checks.js";

/**
 * What `make` makes of the exact form, or of the floating-point one where that is refused with a RangeError: for a
 * mechanism without an exact form, or a budget beyond the sampler's range (an epsilon of 1e15, say). What is wrong with
 * the options otherwise is refused in either form. The mechanism's `exact` and `why` say which form it is.
 */
export function preferExact<T>(make: (discrete: boolean) => T): T {
  callable("make", make);
  try {
    return make(true);
  } catch (error) {
    if (error instanceof RangeError) return make(false);
    throw error;
  }
}
