/**
 * The budget of a private selection: how large a run may be for the whole to stay within (eps, delta).
 * @module
 */
import { callable, object, positive } from "../../core/checks.js";
import { checkDelta } from "../delta.js";
import { deltaOfGroups, epsilonOfGroups } from "../accounting/account.js";
import { largestCostly } from "../accounting/bisect.js";
import { groupEvents } from "../accounting/groups.js";
import { Ledger } from "../ledger/ledger.js";
import { checkRepetitions, type Repetitions } from "./repetitions.js";
import { selectionEvent } from "./selection-event.js";
import type { NoiseSource } from "../ledger/ledger-entry.js";
import { checkAdjacency } from "../events/adjacency.js";
import type { Adjacency, PrivacyEvent } from "../events/event-kinds.js";

/** What a guarantee says of the private selection it covers. Everything in it may be shown. */
export interface SelectionRecord {
  /** The law of the number of runs, or "all": every candidate once, every release charged. */
  readonly repetitions: Repetitions | "all";
  /** How many candidates there were. */
  readonly candidates: number;
  /** The budget of one run's own releases; its score's noise comes on top. */
  readonly run: {
    /** eps of one run's own releases. */
    readonly epsilon: number;
    /** The delta that goes with it. */
    readonly delta: number;
  };
  /** Share of a run's budget that its score takes, in (0, 1). */
  readonly scoreShare: number;
  /** The chosen run's noisy score, in tasks; null where nothing was run. */
  readonly score: number | null;
}

/** What must hold. */
export interface SelectionBudget {
  readonly epsilon: number;
  readonly delta: number;
  readonly adjacency: Adjacency;
  readonly repetitions: Repetitions | "all";
  /** Where the runs' noise comes from. */
  readonly noiseSource?: NoiseSource;
  /** Relative width to which the runs' budget is found. */
  readonly relative: number;
}

/** A selection that fits its budget, ready to be charged. */
export interface PlannedSelection {
  /** eps of one run. */
  readonly own: number;
  /** Every candidate's releases. */
  readonly plans: readonly (readonly PrivacyEvent[])[];
  readonly ledger: Ledger;
  /**
   * Charges the ledger: for a random number of runs the whole selection at its start, for "all" each run's
   * releases before it.
   */
  charge(what: "selection" | "run", plan?: readonly PrivacyEvent[]): void;
}

/**
 * Finds the largest budget of a run, and opens the ledger of the whole.
 *
 * @param plansAt the releases of one run of every candidate, its score among them, when a run's own
 *   budget is eps; more eps must not cost less.
 * @param budget  what the whole must stay within.
 * @throws RangeError if no budget fits; TypeError or RangeError naming a field of the budget that is none.
 */
export function calibrateSelection(
  plansAt: (own: number) => readonly (readonly PrivacyEvent[])[],
  budget: SelectionBudget,
): PlannedSelection {
  callable("plansAt", plansAt);
  const { epsilon, delta, adjacency, repetitions, relative, noiseSource } = object(
    "budget",
    budget,
  );
  positive("epsilon", epsilon);
  checkDelta(delta);
  checkAdjacency(adjacency);
  if (repetitions !== "all") checkRepetitions(repetitions);
  positive("relative", relative);
  /** The events of the whole selection. */
  const eventsOf = (plans: readonly (readonly PrivacyEvent[])[]): PrivacyEvent[] => {
    if (repetitions === "all") return plans.flat();
    const distinct = new Map(
      plans.map(groupEvents).map((plan) => [JSON.stringify(plan), plan] as const),
    );
    return [selectionEvent({ repetitions, plans: [...distinct.values()], adjacency })];
  };
  const cost = (own: number) => {
    const groups = groupEvents(eventsOf(plansAt(own)));
    return delta === 0 ? epsilonOfGroups(groups, 0).epsilon : deltaOfGroups(groups, epsilon).delta;
  };
  const limit = delta === 0 ? epsilon : delta;
  const own = largestCostly(cost, limit, epsilon / 2, relative);
  if (!(own > 0)) {
    throw new RangeError(
      `epsilon: expected a budget that a private selection can share out, got epsilon ${epsilon}, delta ${delta}`,
    );
  }
  const plans = plansAt(own);
  const plan = eventsOf(plans);
  const ledger = new Ledger({
    epsilon,
    delta,
    adjacency,
    plan,
    unit: "task",
    ...(noiseSource === undefined ? {} : { noiseSource }),
  });
  let round = 0;
  return {
    own,
    plans,
    ledger,
    charge(what, run = []) {
      if (repetitions !== "all" && what === "selection") {
        ledger.charge(plan[0]!, { round: 1, label: "private selection" });
      }
      if (repetitions === "all" && what === "run") {
        for (const event of run) ledger.charge(event, { round: ++round, label: "candidate run" });
      }
    },
  };
}
