/**
 * What rounds of one mechanism cost whose budgets follow a schedule, and the largest budget that a total affords them.
 * @module
 */
import { deltaOfGroups, epsilonOfGroups } from "./accounting/account.js";
import type { AccountantName } from "./accounting/accountants/accountant.js";
import { largest, largestCostly } from "./accounting/bisect.js";
import { gaussianMu } from "./accounting/gdp.js";
import {
  gaussianMuOf,
  groupEvents,
  nominalEvent,
  pureEpsilonOf,
  type EventGroup,
} from "./accounting/groups.js";
import { compositionTerms } from "./accounting/kov.js";
import { sum } from "./accounting/rounding.js";
import { checkedEvent, checkedEvents } from "./events/checked-event.js";
import type { PrivacyEvent } from "./events/event-kinds.js";
import type { Mechanism } from "./mechanisms/mechanism.js";

/** Rounds, and the total that they may spend. */
export interface ScheduledRounds {
  readonly mechanism: Mechanism;
  /** Each round's budget over the largest. */
  readonly shape: Float64Array;
  /** Events that the same total pays for. */
  readonly extra: readonly PrivacyEvent[];
  readonly epsilon: number;
  readonly delta: number;
  readonly accountant: AccountantName | "auto";
}

/** The events of all rounds if the largest has this budget, after those of `extra`. */
export function eventsAt(rounds: ScheduledRounds, largestBudget: number): PrivacyEvent[] {
  const { mechanism, shape, extra } = rounds;
  if (mechanism.events) {
    return [...extra, ...checkedEvents(mechanism.events(largestBudget, shape.length))];
  }
  // Rounds of equal budget share one event, which accountants then count together, checked here instead of at every charge.
  const made = new Map<number, PrivacyEvent>();
  const events = [...extra];
  for (const s of shape) {
    const budget = largestBudget * s;
    let event = made.get(budget);
    if (!event) made.set(budget, (event = checkedEvent(mechanism.event(budget))));
    events.push(event);
  }
  return events;
}

/** The events as the accountant has them: a mechanism without a proof is charged what its papers claim. */
export function chargedGroups(
  { mechanism }: ScheduledRounds,
  events: readonly PrivacyEvent[],
): EventGroup[] {
  return groupEvents(mechanism.sound ? events : events.map(nominalEvent));
}

/** The epsilon and delta of events, one of them as the total has it. */
export function costOf(rounds: ScheduledRounds, events: readonly PrivacyEvent[]) {
  const { epsilon, delta, accountant } = rounds;
  const groups = chargedGroups(rounds, events);
  return delta === 0
    ? epsilonOfGroups(groups, 0, accountant)
    : deltaOfGroups(groups, epsilon, accountant);
}

/**
 * The budget of the largest round that spends the total, up to rounding.
 * @returns 0 or Infinity where none does.
 */
export function largestBudget(rounds: ScheduledRounds): number {
  return closedForm(rounds) ?? search(rounds);
}

function closedForm(rounds: ScheduledRounds): number | undefined {
  const { mechanism, shape, extra, epsilon, delta, accountant } = rounds;
  if (extra.length > 0 || mechanism.events) return undefined;
  const unit = mechanism.event(1);
  if (delta > 0 && ["auto", "gdp"].includes(accountant)) {
    const mu = gaussianMuOf(unit);
    if (mu !== undefined) return gaussianMu(epsilon, delta) / norm(shape) / mu;
  }
  const pure = pureEpsilonOf(chargedGroups(rounds, [unit])[0]!.event);
  if (pure === undefined || (accountant !== "kov" && delta > 0)) return undefined;
  return largest((budget) => {
    const runs = Array.from(shape, (s) => ({ epsilon: pure * budget * s, count: 1 }));
    const terms = compositionTerms(runs, delta);
    return Math.min(terms.basic, terms.log, terms.logE) <= epsilon;
  }, epsilon);
}

function search(rounds: ScheduledRounds): number {
  const { shape, epsilon, delta } = rounds;
  const costAt = (budget: number) => costOf(rounds, eventsAt(rounds, budget));
  // Near the answer: the pure bound of rounds of this shape, or the budget of Gaussian ones.
  if (delta === 0) {
    const start = epsilon / sum(shape.length, (t) => shape[t]!);
    return largestCostly((budget) => costAt(budget).epsilon, epsilon, start);
  }
  const start = gaussianMu(epsilon, delta) / norm(shape);
  return largestCostly((budget) => costAt(budget).delta, delta, start);
}

const norm = (shape: Float64Array) => Math.sqrt(sum(shape.length, (t) => shape[t]! ** 2));
