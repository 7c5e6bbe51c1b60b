/**
 * What some of a run's events cost, as a ledger of their own will take them.
 * @module
 */
import { deltaOf, epsilonOf, type PrivacyEvent } from "../../privacy/index.js";
import type { ReleasePlan } from "../round/release-plan.js";

/** Rounds of rare samples may cost nothing at their delta, which no ledger is of. */
const LEAST = 2 ** -40;

/**
 * Rounded up until their ledger takes them: it holds delta at that epsilon to its budget, and of sampled rounds the two are
 * each other's inverse to seven digits only.
 * @param most what they cannot cost more than.
 */
export function epsilonThatFits(
  events: readonly PrivacyEvent[],
  {
    epsilon: most,
    delta,
    accountant,
  }: Pick<ReleasePlan["ledger"], "epsilon" | "delta" | "accountant">,
): number {
  const cost = Math.max(epsilonOf(events, { delta, accountant }), LEAST);
  for (let slack = 1e-9; ; slack *= 10) {
    const epsilon = cost * (1 + slack);
    if (!(epsilon < most)) return most;
    if (delta === 0 || deltaOf(events, { epsilon, accountant }) <= delta) return epsilon;
  }
}
