/**
 * What an accountant is, and the choice among them.
 * @module
 */
import { claimedDelta, claimedEpsilon } from "../figures.js";
import type { EventGroup } from "../groups.js";

/** Names of the accountants; `"auto"` takes the tightest valid one. */
export const ACCOUNTANT_NAMES = ["gdp", "exact", "kov", "rdp", "pld", "selection"] as const;
/** Names of the accountants; which suits which events is in their own files. */
export type AccountantName = (typeof ACCOUNTANT_NAMES)[number];

/** Turns grouped events into delta(eps) and eps(delta), rounded against us. */
export interface AccountantParts {
  readonly name: AccountantName;
  /** Undefined if it covers the events; otherwise why it does not. */
  refusal(groups: readonly EventGroup[]): string | undefined;
  /** Infinity where no finite eps exists. */
  epsilon(groups: readonly EventGroup[], delta: number): number;
  delta(groups: readonly EventGroup[], epsilon: number): number;
}

declare const claimed: unique symbol;

/** An accountant whose figures may be claimed; only {@link defineAccountant} makes one. */
export interface Accountant extends AccountantParts {
  readonly [claimed]: true;
}

/** An accountant whose every result passes {@link claimedEpsilon} or {@link claimedDelta}. */
export function defineAccountant(parts: AccountantParts): Accountant {
  const { name, refusal } = parts;
  const checked: AccountantParts = {
    name,
    refusal,
    epsilon: (groups, delta) => claimedEpsilon(parts.epsilon(groups, delta)),
    delta: (groups, epsilon) => claimedDelta(parts.delta(groups, epsilon)),
  };
  return checked as Accountant;
}
