/**
 * How a privacy budget is spread over rounds: b_t = b_0 s_t.
 * @module
 */
import * as math from "../core/elementary.js";
import { finite, integer, nonNegative, object, positive } from "../core/checks.js";
import { deltaOfGroups, epsilonOfGroups } from "./accounting/account.js";
import type { AccountantName } from "./accounting/accountant.js";
import { largest, largestCostly } from "./accounting/bisect.js";
import { within } from "./accounting/figures.js";
import { gaussianMu } from "./accounting/gdp.js";
import { gaussianMuOf, groupEvents, nominalEvent, pureEpsilonOf } from "./accounting/groups.js";
import { compositionTerms } from "./accounting/kov.js";
import { sum } from "./accounting/rounding.js";
import type { Mechanism, MechanismName } from "./mechanisms/mechanism.js";
import { refuseIfDeltaPays } from "./noiseless.js";
import { unitMechanism } from "./mechanisms/unit.js";
import type { PrivacyEvent } from "./event-kinds.js";

/**
 * The shape s_t of the budgets, t = 1..T: 1, t^exponent, or ratio^-t. A positive exponent or a ratio
 * below 1 spends more in late rounds.
 */
export type Schedule =
  | { kind: "constant" }
  | { kind: "polynomial"; exponent: number }
  | { kind: "geometric"; ratio: number };

/** Most rounds of a plan: each has an event of its own in memory and in the ledger. */
export const MOST_ROUNDS = 1_000_000;

/** s_1..s_T of a schedule, 1 <= T <= {@link MOST_ROUNDS}. */
export function scheduleWeights(schedule: Schedule, rounds: number): Float64Array {
  integer("rounds", rounds, 1, MOST_ROUNDS);
  switch (schedule.kind) {
    case "constant":
      return new Float64Array(rounds).fill(1);
    case "polynomial": {
      const exponent = finite("exponent", schedule.exponent);
      return Float64Array.from({ length: rounds }, (_, i) => math.pow(i + 1, exponent));
    }
    case "geometric": {
      const ratio = positive("ratio", schedule.ratio);
      return Float64Array.from({ length: rounds }, (_, i) => math.pow(ratio, -(i + 1)));
    }
    default:
      throw new RangeError(
        `schedule.kind: expected constant, polynomial or geometric; got ${JSON.stringify((schedule as { kind: unknown }).kind)}`,
      );
  }
}

/** Options of {@link allocateBudget}. */
export interface AllocateOptions {
  /** Default constant. */
  schedule?: Schedule;
  /** T, from 1 to a million. */
  rounds: number;
  /** Total epsilon > 0. */
  epsilon: number;
  /** Total delta, 0 <= delta < 1. */
  delta: number;
  /** A mechanism, or the name of one at unit sensitivity under `replace`. */
  mechanism: Mechanism | MechanismName;
  /** Default `"auto"`; the papers' Wishart mechanism is allotted by `"kov"`, nominally. */
  accountant?: AccountantName | "auto";
  /** Events outside the schedule that the same budget must pay for, for example a private choice. */
  extra?: readonly PrivacyEvent[];
}

/** A planned spending. */
export interface Allocation {
  /** b_1..b_T: eps_t of a pure mechanism, mu_t of a Gaussian one. */
  budgets: Float64Array;
  /** b_0. */
  scale: number;
  /** The rounds' events, in order, after those of `extra`. */
  events: PrivacyEvent[];
  accountant: AccountantName;
  /** True where the figures are the papers' claim and not a guarantee. */
  nominal: boolean;
}

/** Relative reduction of b_0 that pays for the rounding of sigma = Delta / b and back. */
const MARGIN = 1e-12;

/**
 * The largest budgets of a schedule whose composition stays within (epsilon, delta).
 *
 * b_0 is found in closed form for Gaussian rounds and by bisection otherwise, and lowered by a
 * margin that covers rounding, so that a ledger opened for (epsilon, delta) accepts the plan.
 *
 * @throws RangeError if the budget is too small for any noise (for example pure rounds at
 *   epsilon 0, or `extra` alone exceeding it).
 * @throws DeltaPaysError if the plan needs no noise, as delta pays alone.
 * @see Liang et al. (2020), who bisect the same bound; Kairouz, Oh, Viswanath (2017).
 */
export function allocateBudget(options: AllocateOptions): Allocation {
  object("options", options);
  const { schedule = { kind: "constant" }, rounds, extra = [] } = options;
  const epsilon = positive("epsilon", options.epsilon);
  const delta = nonNegative("delta", options.delta);
  if (delta >= 1) throw new RangeError(`delta: expected 0 <= delta < 1, got ${delta}`);
  const mechanism =
    typeof options.mechanism === "string" ? unitMechanism(options.mechanism) : options.mechanism;
  const weights = scheduleWeights(schedule, rounds);
  const top = weights.reduce((a, b) => Math.max(a, b));
  if (!(top > 0 && top < Infinity)) {
    throw new RangeError(
      "schedule: expected weights within the range of doubles; over that many rounds they overflow or vanish",
    );
  }
  const shape = weights.map((w) => w / top); // avoids overflow in squares
  const nominal = !mechanism.sound;
  const accountant = options.accountant ?? (nominal ? "kov" : "auto");

  if (mechanism.events && shape.some((s) => s !== 1)) {
    throw new RangeError(
      `schedule: expected "constant": rounds of which each task takes part in some of its own choice are accounted at equal budgets only`,
    );
  }
  const events = (largestBudget: number): PrivacyEvent[] => {
    if (mechanism.events) return [...extra, ...mechanism.events(largestBudget, rounds)];
    // Rounds of equal budget share one event, which accountants then count together.
    const made = new Map<number, PrivacyEvent>();
    const planned = Array.from(shape, (s) => {
      const budget = largestBudget * s;
      let event = made.get(budget);
      if (!event) made.set(budget, (event = mechanism.event(budget)));
      return event;
    });
    return [...extra, ...planned];
  };
  const charged = (list: readonly PrivacyEvent[]) => (nominal ? list.map(nominalEvent) : list);

  refuseIfDeltaPays(groupEvents(charged(events(1))), delta);
  const found = closedForm() ?? search();
  let peak = found * (1 - MARGIN);
  if (!(peak > 0 && peak < Infinity)) {
    throw new RangeError(
      `epsilon: expected a budget that some noise meets; none keeps ${rounds} rounds within epsilon ${epsilon}, delta ${delta}` +
        (extra.length > 0 ? " beside the extra events; lower their cost" : ""),
    );
  }
  let plan = events(peak);
  let account = deltaOrEpsilon(plan);
  // A numerical accountant may find a little more a hair away: give way until it does not.
  const fits = () => within(account.epsilon, epsilon) && within(account.delta, delta);
  for (let i = 0; i < 60 && !fits(); i++) {
    peak *= i < 3 ? 0.9999 : 0.95;
    plan = events(peak);
    account = deltaOrEpsilon(plan);
  }
  return {
    budgets: shape.map((s) => peak * s),
    scale: peak / top,
    events: plan,
    accountant: account.accountant,
    nominal,
  };

  function deltaOrEpsilon(list: readonly PrivacyEvent[]) {
    const groups = groupEvents(charged(list));
    return delta === 0
      ? epsilonOfGroups(groups, 0, accountant)
      : deltaOfGroups(groups, epsilon, accountant);
  }

  function closedForm(): number | undefined {
    if (extra.length > 0 || mechanism.events) return undefined;
    if (delta > 0 && ["auto", "gdp"].includes(accountant)) {
      const mu = gaussianMuOf(mechanism.event(1));
      if (mu !== undefined) {
        return gaussianMu(epsilon, delta) / Math.sqrt(sum(rounds, (t) => shape[t]! ** 2)) / mu;
      }
    }
    const pure = pureEpsilonOf(charged([mechanism.event(1)])[0]!);
    if (pure !== undefined && (accountant === "kov" || delta === 0)) {
      return largest((b) => {
        const runs = Array.from(shape, (s) => ({ epsilon: pure * b * s, count: 1 }));
        const terms = compositionTerms(runs, delta);
        return Math.min(terms.basic, terms.log, terms.logE) <= epsilon;
      }, epsilon);
    }
    return undefined;
  }

  function search(): number {
    const groupsAt = (b: number) => groupEvents(charged(events(b)));
    if (delta === 0) {
      return largestCostly(
        (b) => epsilonOfGroups(groupsAt(b), 0, accountant).epsilon,
        epsilon,
        start(),
      );
    }
    return largestCostly(
      (b) => deltaOfGroups(groupsAt(b), epsilon, accountant).delta,
      delta,
      start(),
    );
  }

  /** Near the answer: the budget of a Gaussian (or the pure bound) of the same shape. */
  function start(): number {
    const norm = Math.sqrt(sum(rounds, (t) => shape[t]! ** 2));
    return delta > 0 ? gaussianMu(epsilon, delta) / norm : epsilon / sum(rounds, (t) => shape[t]!);
  }
}
