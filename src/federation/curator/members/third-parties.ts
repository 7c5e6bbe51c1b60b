/**
 * Parties of a run that have no tasks: the helper of two aggregators, the relays of secure sums.
 * @module
 */
import type { Plan } from "../../protocol/plan/plan-form.js";
import { relayGroups } from "../../relays/plan/groups.js";

/** A curator asks at every message who sent it, and a plan names a hundred thousand. */
const known = new WeakMap<Plan, ReadonlySet<string>>();

/** Their names in the plan. */
export function thirdParties(plan: Plan): ReadonlySet<string> {
  const names = known.get(plan) ?? new Set(namesIn(plan));
  known.set(plan, names);
  return names;
}

/** Whether that name is one of theirs. */
export const isThirdParty = (plan: Plan, name: string) => thirdParties(plan).has(name);

function namesIn({ aggregation }: Plan): string[] {
  if (!aggregation) return [];
  if (aggregation.kind === "two-aggregators") return [aggregation.helper.name];
  return relayGroups(aggregation).map(({ name }) => name);
}
