/**
 * Parties of a run that have no tasks: the helper of two aggregators, the relays of secure sums.
 * @module
 */
import type { Plan } from "../protocol/plan-form.js";
import { relayGroups } from "../relays/groups.js";

/** Their names in the plan. */
export function thirdParties({ aggregation }: Plan): string[] {
  if (!aggregation) return [];
  if (aggregation.kind === "two-aggregators") return [aggregation.helper.name];
  return relayGroups(aggregation).map(({ name }) => name);
}

/** Whether that name is one of theirs. */
export const isThirdParty = (plan: Plan, name: string) => thirdParties(plan).includes(name);
