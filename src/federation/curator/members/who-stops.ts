/**
 * Who keeps a run from its start by what it registered: one participant must not stop it for all.
 * @module
 */
import { MpMtlError } from "../../../core/errors.js";
import { SmallEpsilonError } from "../../../learning/release/owner-accounts.js";
import type { PublicSizes } from "../../../learning/round/halves.js";
import type { Plan } from "../../protocol/plan/plan-form.js";
import { plannedMethod } from "../../protocol/plan/planned-method.js";
import type { Refusal } from "../../protocol/messages/refusal-reasons.js";
import type { Registry } from "./registry.js";

/** Participants to start without, and why. */
export interface Stopping {
  readonly participants: readonly string[];
  readonly reason: Refusal;
}

/**
 * Whom to start without after an error of the start: those whose own epsilon the plan's noise cannot give; those with the largest
 * tasks, if the plan holds for tasks of one row and not for as many rows as were registered.
 * @returns undefined if the plan itself is what cannot be.
 */
export function whoStops(error: unknown, plan: Plan, registry: Registry): Stopping | undefined {
  if (error instanceof SmallEpsilonError) {
    return { participants: registry.below(error.epsilon), reason: "small-epsilon" };
  }
  const { owners: _, ...sizes } = registry.sizes();
  const small = { ...sizes, rows: sizes.m, mostRows: 1 };
  if (isPossible(plan, sizes) || !isPossible(plan, small)) return undefined;
  return { participants: registry.withRows(sizes.mostRows), reason: "too-large" };
}

/** @throws whatever is no refusal of a plan: a fault of the program stops the run by its own name, and no participant for it. */
function isPossible(plan: Plan, sizes: PublicSizes): boolean {
  try {
    plannedMethod(plan, sizes);
    return true;
  } catch (error) {
    if (error instanceof MpMtlError || error instanceof RangeError) return false;
    throw error;
  }
}
