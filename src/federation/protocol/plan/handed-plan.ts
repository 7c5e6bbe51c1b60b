/**
 * A plan as a program hands it over: what makes plans and reads them checks every field, and this only that it is one.
 * @module
 */
import { array, object, text } from "../../../core/checks.js";
import type { Plan } from "./plan-form.js";

/** The plan, as it is. @throws TypeError naming what it lacks. */
export function handedPlan(plan: Plan): Plan {
  const { run, options, features } = object("plan", plan);
  text("plan.run", run);
  object("plan.options", options);
  array("plan.features", features);
  return plan;
}
