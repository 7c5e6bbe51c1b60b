/**
 * The cost of a fixed list of events: eps for a delta, delta for an eps, by a named accountant or by
 * the tightest valid one.
 * @module
 */
import * as math from "../../core/elementary.js";
import { array, nonNegative, object, oneOf } from "../../core/checks.js";
import { checkDelta } from "../delta.js";
import type { Accountant, AccountantName } from "./accountants/accountant.js";
import { continuous } from "./discrete.js";
import { claimedDelta, claimedEpsilon } from "./figures.js";
import { gdpAccountant } from "./accountants/gdp-accountant.js";
import { groupEvents, type EventGroup } from "./groups.js";
import { exactAccountant } from "./accountants/exact-accountant.js";
import { kovAccountant } from "./accountants/kov-accountant.js";
import { pldAccountant } from "./accountants/pld-accountant.js";
import { rdpAccountant } from "./accountants/rdp-accountant.js";
import { roundUp } from "./rounding.js";
import { selectionAccountant } from "./accountants/selection-accountant.js";
import type { PrivacyEvent } from "../events/event-kinds.js";

const ACCOUNTANTS: Record<AccountantName, Accountant> = {
  gdp: gdpAccountant,
  exact: exactAccountant,
  kov: kovAccountant,
  rdp: rdpAccountant(),
  pld: pldAccountant,
  selection: selectionAccountant({
    epsilon: (groups, delta) => epsilonOfGroups(groups, delta).epsilon,
    delta: (groups, epsilon) => deltaOfGroups(groups, epsilon).delta,
  }),
};

/** e^eps beta: what discrete noise adds to delta_G, e^-700 at most, rounded up. */
const UNSEEN = 1e-300;

/** What the accountants say about a list of events. */
export interface Account {
  /** All the events together are (epsilon, delta)-DP; rounded up. */
  epsilon: number;
  /** The delta that goes with it; given, or found for a given epsilon and rounded up. */
  delta: number;
  /** Which accountant's figure it is. */
  accountant: AccountantName;
}

function covers(name: AccountantName, groups: readonly EventGroup[]): boolean {
  return ACCOUNTANTS[name].refusal(groups) === undefined;
}

/** The accountants that `"auto"` tries: an exact one alone; else all that cover the events. */
function candidates(groups: readonly EventGroup[]): Accountant[] {
  const exact = (["gdp", "exact"] as const).find((name) => covers(name, groups));
  if (exact) return [ACCOUNTANTS[exact]];
  const numerical = ["kov", "rdp", "pld", "selection"] as const;
  return numerical.filter((name) => covers(name, groups)).map((name) => ACCOUNTANTS[name]);
}

function choose(groups: readonly EventGroup[], name: AccountantName | "auto"): Accountant[] {
  oneOf("accountant", name, ["auto", ...Object.keys(ACCOUNTANTS)]);
  const chosen = name === "auto" ? candidates(groups) : [ACCOUNTANTS[name]];
  for (const accountant of chosen) {
    const refusal = accountant.refusal(groups);
    if (refusal !== undefined) {
      throw new RangeError(
        `accountant: expected one that covers the events; "${accountant.name}" does not: ${refusal}`,
      );
    }
  }
  if (chosen.length === 0) {
    throw new RangeError(
      "events: expected a list that some accountant covers; none covers these together",
    );
  }
  return chosen;
}

function hasDiscrete(groups: readonly EventGroup[]): boolean {
  return groups.some(({ event }) => event.kind === "discrete-gaussian");
}

/** {@link accountForDelta} on events already grouped. */
export function epsilonOfGroups(
  groups: readonly EventGroup[],
  delta: number,
  accountant: AccountantName | "auto" = "auto",
): Account {
  checkDelta(delta);
  if (hasDiscrete(groups)) return discreteEpsilon(groups, delta, accountant);
  let best: Account | undefined;
  for (const chosen of choose(groups, accountant)) {
    const epsilon = chosen.epsilon(groups, delta);
    if (!best || !(epsilon >= best.epsilon)) best = { epsilon, delta, accountant: chosen.name };
  }
  return best!;
}

/**
 * The price of discrete noise depends on the eps that is claimed, and holds up to the one it was asked for. On
 * grids so coarse that it outgrows every claim, only Renyi accounting is left, which needs no price.
 */
function discreteEpsilon(
  groups: readonly EventGroup[],
  delta: number,
  accountant: AccountantName | "auto",
): Account {
  let reached = epsilonOfGroups(continuous(groups, 0).groups, delta, accountant).epsilon + 1;
  while (reached < Infinity) {
    const { groups: gaussian, inflation, shift } = continuous(groups, reached);
    const kept = Math.max(0, delta * math.exp(-inflation) - UNSEEN);
    const account = epsilonOfGroups(gaussian, kept, accountant);
    const epsilon = claimedEpsilon(roundUp(account.epsilon + shift));
    if (epsilon <= reached) return { ...account, delta, epsilon };
    reached = 2 * epsilon;
  }
  if (accountant === "auto" || accountant === "rdp") {
    return { epsilon: rdpOnly(groups, delta), delta, accountant: "rdp" };
  }
  return { epsilon: Infinity, delta, accountant };
}

/** {@link accountForEpsilon} on events already grouped. */
export function deltaOfGroups(
  groups: readonly EventGroup[],
  epsilon: number,
  accountant: AccountantName | "auto" = "auto",
): Account {
  nonNegative("epsilon", epsilon);
  if (hasDiscrete(groups)) {
    const { groups: gaussian, inflation, shift } = continuous(groups, epsilon);
    const account = deltaOfGroups(gaussian, Math.max(0, epsilon - shift), accountant);
    // Below the shift eps 0 is no bound for a negative one: only delta 1 is.
    const delta = epsilon >= shift ? math.exp(inflation) * (account.delta + UNSEEN) : 1;
    return { ...account, epsilon, delta: claimedDelta(roundUp(delta)) };
  }
  let best: Account | undefined;
  for (const chosen of choose(groups, accountant)) {
    const delta = chosen.delta(groups, epsilon);
    if (!best || !(delta >= best.delta)) best = { epsilon, delta, accountant: chosen.name };
  }
  return best!;
}

function rdpOnly(groups: readonly EventGroup[], delta: number): number {
  return covers("rdp", groups) ? ACCOUNTANTS.rdp.epsilon(groups, delta) : Infinity;
}

/**
 * A valid epsilon by the accountants that need no more than a pass over the groups; Infinity where
 * none covers them.
 */
export function quickEpsilon(groups: readonly EventGroup[], delta: number): number {
  if (hasDiscrete(groups)) return rdpOnly(groups, delta);
  const quick = Object.values(ACCOUNTANTS).filter(
    ({ name, refusal }) => ["kov", "gdp", "rdp"].includes(name) && refusal(groups) === undefined,
  );
  return Math.min(...quick.map((accountant) => accountant.epsilon(groups, delta)));
}

/**
 * Smallest epsilon that can be claimed for a fixed list of events, and by which accountant.
 *
 * @param events        one per round, all of one adjacency.
 * @param options       at which delta, by whom.
 * @param options.delta 0 <= delta < 1.
 * @param options.accountant default `"auto"`.
 * @returns epsilon Infinity where no finite one exists at that delta.
 * @throws RangeError if the accountant does not cover an event.
 */
export function accountForDelta(
  events: readonly PrivacyEvent[],
  options: { delta: number; accountant?: AccountantName | "auto" },
): Account {
  array("events", events);
  const { delta, accountant = "auto" } = object("options", options);
  return epsilonOfGroups(groupEvents(events), delta, accountant);
}

/** Smallest delta that can be claimed for a fixed list of events at `epsilon`, and by whom. */
export function accountForEpsilon(
  events: readonly PrivacyEvent[],
  options: { epsilon: number; accountant?: AccountantName | "auto" },
): Account {
  array("events", events);
  const { epsilon, accountant = "auto" } = object("options", options);
  return deltaOfGroups(groupEvents(events), epsilon, accountant);
}

/**
 * The epsilon of {@link accountForDelta} alone.
 *
 * @param events  all releases of the run, or of several on the same data that were settled before any was seen.
 * @param options `delta`, from 0 to below 1; `accountant`, default "auto": the smallest epsilon that one of them proves.
 * @returns epsilon >= 0; Infinity where no accountant gives one.
 * @throws RangeError for a delta outside of that, or an accountant that cannot account for the events.
 * @example epsilonOf(new Array(30).fill(gaussianEvent({ sigma: 5 })), { delta: 1e-5 })
 */
export function epsilonOf(
  events: readonly PrivacyEvent[],
  options: { delta: number; accountant?: AccountantName | "auto" },
): number {
  return accountForDelta(events, options).epsilon;
}

/**
 * The delta of {@link accountForEpsilon} alone.
 *
 * @param events  all releases of the run, or of several on the same data that were settled before any was seen.
 * @param options `epsilon` >= 0; `accountant`, default "auto": the smallest delta that one of them proves.
 * @returns delta from 0 to 1.
 * @throws RangeError for a negative epsilon, or an accountant that cannot account for the events.
 * @example deltaOf(new Array(30).fill(gaussianEvent({ sigma: 5 })), { epsilon: 1 })
 */
export function deltaOf(
  events: readonly PrivacyEvent[],
  options: { epsilon: number; accountant?: AccountantName | "auto" },
): number {
  return accountForEpsilon(events, options).delta;
}
