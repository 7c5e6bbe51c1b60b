/**
 * What to think of before agreeing to a plan: what its budget can be expected to buy, and what it promises little of.
 * @module
 */
import { prospectsOf } from "../../../learning/prospects/prospects.js";
import type { DeltaChoice } from "../../../privacy/index.js";
import { ofRecords } from "./plan-promise.js";
import type { Plan } from "../plan/plan-form.js";

/** Each a clause; none where it is not known how many tasks will start, or single records are hidden. */
export function warningsOf(plan: Plan): readonly string[] {
  const { tasks, features, classes, options } = plan;
  if (!tasks || ofRecords(plan)) return [];
  const [m, delta] = [tasks.length, options["delta"] as DeltaChoice];
  if (delta === "papers" && m < 3) return [];
  const sizes = { m, d: features.length, classes: classes?.length };
  return prospectsOf({ ...sizes, epsilon: options["epsilon"] as number, delta }).warnings;
}
