/**
 * Numbers as people read them.
 * @module
 */
import { decimalAbove } from "../../privacy/accounting/rounding.js";

/** A number with a few significant digits; a dash where it is not defined. */
export function short(value: number | null | undefined): string {
  return value === null || value === undefined ? "-" : String(Number(value.toPrecision(4)));
}

/** The same for an epsilon or a delta that is promised: never below it. */
export function shortPromise(value: number): string {
  return String(decimalAbove(value, 4));
}
