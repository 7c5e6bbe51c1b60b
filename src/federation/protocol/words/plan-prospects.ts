/**
 * What to think of before agreeing to a plan: what its budget can be expected to buy, and what it promises little of.
 * @module
 */
import { prospectsOf } from "../../../learning/prospects/prospects.js";
import type { DeltaChoice } from "../../../privacy/index.js";
import { decimalAbove } from "../../../privacy/accounting/rounding.js";
import { ofRecords } from "./plan-promise.js";
import type { Plan } from "../plan/plan-form.js";

/** The largest delta that is taken unasked, however few records there are. */
const LARGEST = 1e-5;

const manyRecords = (delta: number) =>
  `delta ${decimalAbove(delta, 4)} means that one record in ${Math.floor(1 / delta)} may be shown whole, whatever epsilon says; it belongs well ` +
  "below one in the rows of all tasks";

/** Each a clause; none of tasks where it is not known how many tasks will start, or single records are hidden. */
export function warningsOf(plan: Plan): readonly string[] {
  const { tasks, features, classes, options } = plan;
  const delta = options["delta"] as DeltaChoice;
  // Of records there are as many as rows, which nobody knows before the start.
  if (ofRecords(plan))
    return typeof delta === "number" && delta > LARGEST ? [manyRecords(delta)] : [];
  if (!tasks) return [];
  const m = tasks.length;
  if (delta === "papers" && m < 3) return [];
  const sizes = { m, d: features.length, classes: classes?.length };
  return prospectsOf({ ...sizes, epsilon: options["epsilon"] as number, delta }).warnings;
}
