/**
 * How a privacy budget is spread over rounds.
 * @module
 */
import { object, positive } from "../core/checks.js";
import type { AccountantName } from "./accounting/accountants/accountant.js";
import { within } from "./accounting/figures.js";
import type { PrivacyEvent } from "./events/event-kinds.js";
import type { Mechanism, MechanismName } from "./mechanisms/mechanism.js";
import { checkDelta } from "./delta.js";
import { unitMechanism } from "./mechanisms/unit.js";
import { refuseIfDeltaPays } from "./noiseless.js";
import { scheduleWeights, type Schedule } from "./schedule.js";
import {
  chargedGroups,
  costOf,
  eventsAt,
  largestBudget,
  type ScheduledRounds,
} from "./scheduled-rounds.js";

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
  /** The accountant by whose theorem the plan is within the budget. */
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
  const { rounds, top } = asked(options);
  const { mechanism, shape, extra, epsilon, delta } = rounds;
  refuseIfDeltaPays(chargedGroups(rounds, eventsAt(rounds, 1)), delta);
  const found = largestBudget(rounds) * (1 - MARGIN);
  if (!(found > 0 && found < Infinity)) {
    throw new RangeError(
      `epsilon: expected a budget that some noise meets; none keeps ${shape.length} rounds within epsilon ${epsilon}, delta ${delta}` +
        (extra.length > 0 ? " beside the extra events; lower their cost" : ""),
    );
  }
  const { budget, events, accountant } = givenWay(rounds, found);
  return {
    budgets: shape.map((s) => budget * s),
    scale: budget / top,
    events,
    accountant,
    nominal: !mechanism.sound,
  };
}

/** The options checked, with the largest weight of the schedule. */
function asked(options: AllocateOptions): { rounds: ScheduledRounds; top: number } {
  object("options", options);
  const { schedule = { kind: "constant" }, extra = [] } = options;
  const epsilon = positive("epsilon", options.epsilon);
  const delta = checkDelta(options.delta);
  const named = options.mechanism;
  const mechanism = typeof named === "string" ? unitMechanism(named) : object("mechanism", named);
  const weights = scheduleWeights(schedule, options.rounds);
  const top = weights.reduce((a, b) => Math.max(a, b));
  if (!(top > 0 && top < Infinity)) {
    throw new RangeError(
      "schedule: expected weights within the range of doubles; over that many rounds they overflow or vanish",
    );
  }
  const shape = weights.map((w) => w / top); // avoids overflow in squares
  if (mechanism.events && shape.some((s) => s !== 1)) {
    throw new RangeError(
      `schedule: expected "constant": rounds of which each task takes part in some of its own choice are accounted at equal budgets only`,
    );
  }
  const accountant = options.accountant ?? (mechanism.sound ? "auto" : "kov");
  return { rounds: { mechanism, shape, extra, epsilon, delta, accountant }, top };
}

/** The budget lowered until its rounds fit: a numerical accountant may find a little more a hair away. */
function givenWay(rounds: ScheduledRounds, found: number) {
  let budget = found;
  for (let tries = 0; ; tries++) {
    const events = eventsAt(rounds, budget);
    const { epsilon, delta, accountant } = costOf(rounds, events);
    const fits = within(epsilon, rounds.epsilon) && within(delta, rounds.delta);
    if (fits || tries === 60) return { budget, events, accountant };
    budget *= tries < 3 ? 0.9999 : 0.95;
  }
}
