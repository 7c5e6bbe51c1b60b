/**
 * Privacy filters: theorems for budgets that are chosen on the way.
 *
 * - basic: sum of eps_t <= eps for pure events, any adaptivity (Rogers, Roth, Ullman, Vadhan 2016).
 * - gdp: sum of mu_t^2 <= mu^2 for Gaussian events (Smith and Thakurta 2022, "Fully adaptive
 *   composition for Gaussian differential privacy"; Koskela, Tobaben, Honkela 2023).
 * - rdp: sum of rho_t(alpha) <= rho at one order alpha fixed in advance (Feldman and Zrnic 2021,
 *   Theorem 4.3; Lecuyer 2021).
 *
 * The composition bound of Kairouz et al. and PLDs are theorems about fixed plans and are not here.
 * @module
 */
import * as math from "../../core/elementary.js";
import type { AccountantName } from "./accountants/accountant.js";
import { claimedEpsilon } from "./figures.js";
import { gaussianEpsilon, gaussianMu } from "./gdp.js";
import { largest } from "./bisect.js";
import { gaussianMuOf, pureEpsilonOf } from "./groups.js";
import { eventRdp } from "./accountants/rdp-accountant.js";
import { rdpToEpsilon, zcdpEpsilon } from "./rdp-conversion.js";
import { roundUp } from "./rounding.js";
import type { PrivacyEvent } from "../events/event-kinds.js";

/** Names of the filters. */
export type FilterName = "basic" | "gdp-filter" | "rdp-filter";

/** A running total that may be spent adaptively. */
export interface PrivacyFilter {
  readonly name: FilterName;
  readonly unit: string;
  /** What is left, in `unit`. */
  readonly left: number;
  /** What an event costs, in `unit`; RangeError if the theorem does not cover it. */
  cost(event: PrivacyEvent): number;
  /** Adds what an event costs; whoever calls has seen that it is left. */
  spend(event: PrivacyEvent): void;
  /** The spent total as an epsilon at the budget's delta. */
  spentEpsilon(): number;
}

function additive(
  name: FilterName,
  unit: string,
  capacity: number,
  cost: (event: PrivacyEvent) => number,
  toEpsilon: (spent: number) => number,
): PrivacyFilter {
  let spent = 0;
  return {
    name,
    unit,
    get left() {
      return Math.max(0, capacity - spent);
    },
    cost: (event) => claimedEpsilon(cost(event)),
    spend(event) {
      spent = claimedEpsilon(roundUp(spent + claimedEpsilon(cost(event))));
    },
    spentEpsilon: () => claimedEpsilon(toEpsilon(spent)),
  };
}

function refuse(event: PrivacyEvent, filter: string): never {
  throw new RangeError(
    `event: expected one that the ${filter} covers, got a ${event.kind} event; give the ledger a plan or another accountant`,
  );
}

/** Filter of basic composition. */
function basicFilter(epsilon: number): PrivacyFilter {
  return additive(
    "basic",
    "epsilon",
    epsilon,
    (event) => pureEpsilonOf(event) ?? refuse(event, "basic filter (pure events only)"),
    (spent) => spent,
  );
}

/** mu^2; below all numbers it is not nothing. */
const squared = (mu: number) => (mu === 0 ? 0 : Math.max(mu ** 2, Number.MIN_VALUE));

/** Filter of Gaussian differential privacy, in squared mu. */
function gdpFilter(epsilon: number, delta: number): PrivacyFilter {
  return additive(
    "gdp-filter",
    "mu^2",
    gaussianMu(epsilon, delta) ** 2,
    (event) => squared(gaussianMuOf(event) ?? refuse(event, "GDP filter (Gaussian events only)")),
    (spent) => gaussianEpsilon(Math.sqrt(spent), delta),
  );
}

/**
 * Filter of Renyi differential privacy at one order, by default the best for Gaussian events.
 *
 * @throws RangeError if the budget is too small for that order.
 */
function rdpFilter(epsilon: number, delta: number): PrivacyFilter {
  // The rho of a zCDP mechanism that just meets the budget, and the order that shows it.
  const rho = largest((rho) => zcdpEpsilon(rho, delta).epsilon <= epsilon, epsilon / 10, 1e-9);
  const { order } = zcdpEpsilon(rho, delta);
  // The conversion's inverse: what D_order may add up to.
  const capacity =
    epsilon - math.log1p(-1 / order) + (math.log(delta) + math.log(order)) / (order - 1);
  if (!(capacity > 0)) {
    throw new RangeError(
      `epsilon: expected one within reach of Renyi accounting at delta ${delta}; give a plan`,
    );
  }
  return additive(
    "rdp-filter",
    `Renyi divergence of order ${order.toPrecision(4)}`,
    capacity * (1 - 1e-12),
    (event) => eventRdp(event, order) ?? refuse(event, "RDP filter"),
    (spent) => rdpToEpsilon(order, spent, delta),
  );
}

/** The filter a ledger without a plan uses. */
export function openFilter(
  accountant: AccountantName | "auto",
  epsilon: number,
  delta: number,
): PrivacyFilter {
  if (delta === 0 && ["auto", "kov"].includes(accountant)) return basicFilter(epsilon);
  if (delta > 0 && accountant === "gdp") return gdpFilter(epsilon, delta);
  if (delta > 0 && ["auto", "rdp"].includes(accountant)) return rdpFilter(epsilon, delta);
  throw new RangeError(
    `accountant: expected a filter, got "${accountant}" at delta ${delta}, which needs a fixed plan; ` +
      'budgets chosen on the way are covered by "gdp" and "rdp" (delta > 0) or basic composition (delta 0)',
  );
}
