/**
 * Questions answered by inverting an accountant: the smallest noise, the largest number of rounds.
 * @module
 */
import { callable, integer, object, positive } from "../../core/checks.js";
import { checkDelta } from "../delta.js";
import { checkedEvent } from "../events/checked-event.js";
import { refuseIfDeltaPays } from "../noiseless.js";
import { deltaOfGroups, epsilonOfGroups, type Account } from "./account.js";
import type { AccountantName } from "./accountants/accountant.js";
import { bisect, largestCostly } from "./bisect.js";
import { within } from "./figures.js";
import type { EventGroup } from "./groups.js";
import type { PrivacyEvent } from "../events/event-kinds.js";

/** What must hold. */
export interface Budget {
  /** Total epsilon > 0. */
  epsilon: number;
  /** Total delta, 0 <= delta < 1. */
  delta: number;
  /** Default `"auto"`. */
  accountant?: AccountantName | "auto";
}

function accountOf(groups: readonly EventGroup[], budget: Budget): Account {
  const { epsilon, delta, accountant = "auto" } = budget;
  return delta === 0
    ? epsilonOfGroups(groups, 0, accountant)
    : deltaOfGroups(groups, epsilon, accountant);
}

function fits(groups: readonly EventGroup[], budget: Budget): boolean {
  const { epsilon, delta } = accountOf(groups, budget);
  return within(epsilon, budget.epsilon) && within(delta, budget.delta);
}

function checkBudget({ epsilon, delta }: Budget): void {
  positive("epsilon", epsilon);
  checkDelta(delta);
}

/** Relative width to which the noise is found: every step may cost a transform. */
const WIDTH = 1e-8;

/**
 * The smallest noise with which a number of equal rounds stays within a budget.
 *
 * @param options.event  the event of one round at a noise scale (sigma, v, Laplace scale); more noise
 *   must not cost more.
 * @param options.rounds >= 1, default 1.
 * @returns the noise, rounded up by at most 1e-8 relative, and the accounting of the rounds.
 * @throws RangeError if no amount of noise is enough.
 * @throws DeltaPaysError if none is needed, as delta pays alone.
 * @example calibrate({ epsilon: 1, delta: 1e-5, rounds: 30, event: (sigma) => gaussianEvent({ sigma }) })
 */
export function calibrate(
  options: Budget & { event: (noise: number) => PrivacyEvent; rounds?: number },
): { noise: number; event: PrivacyEvent } & Account {
  checkBudget(object("options", options));
  const { event, rounds = 1 } = options;
  callable("event", event);
  integer("rounds", rounds, 1);
  const groups = (noise: number) => [{ event: checkedEvent(event(noise)), count: rounds }];
  const { epsilon, delta } = options;
  refuseIfDeltaPays(groups(1), delta);
  const costAt = (scale: number) => {
    const account = accountOf(groups(scale), options);
    return delta === 0 ? account.epsilon : account.delta;
  };
  const strength = largestCostly((x) => costAt(1 / x), delta === 0 ? epsilon : delta, 1, WIDTH);
  const noise = 1 / strength;
  if (!Number.isFinite(noise)) {
    throw new RangeError(
      `epsilon: expected a budget that some noise meets; ${rounds} rounds cannot be within epsilon ` +
        `${options.epsilon}, delta ${options.delta}`,
    );
  }
  return { noise, event: event(noise), ...accountOf(groups(noise), options) };
}

/**
 * The largest number of rounds of one event within a budget; 0 if not even one fits.
 *
 * @returns at most 2^31 (a free event would go on for ever).
 * @throws DeltaPaysError if they fit only because delta pays for a few rounds without noise.
 */
export function largestRounds(options: Budget & { event: PrivacyEvent }): number {
  checkBudget(object("options", options));
  const event = checkedEvent(options.event);
  const rounds = roundsWithin({ ...options, event });
  refuseIfDeltaPays([{ event, count: rounds }], options.delta);
  return rounds;
}

function roundsWithin(options: Budget & { event: PrivacyEvent }): number {
  const fit = (count: number) => fits([{ event: options.event, count }], options);
  if (!fit(1)) return 0;
  let inside = 1;
  while (inside < 2 ** 31 && fit(2 * inside)) inside *= 2;
  if (inside >= 2 ** 31) return inside;
  const integers = bisect((x) => fit(Math.floor(x)), { inside, outside: 2 * inside }, 0.5 / inside);
  let rounds = Math.floor(integers.inside);
  while (fit(rounds + 1)) rounds++;
  return rounds;
}
