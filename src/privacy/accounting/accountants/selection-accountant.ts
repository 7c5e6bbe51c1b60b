/**
 * Accounting of one private selection by the profile of its base mechanism.
 * @module
 */
import { meanRepetitions } from "../../selection/repetitions.js";
import { defineAccountant, type Accountant } from "./accountant.js";
import type { EventGroup } from "../groups.js";
import { roundUp } from "../rounding.js";
import { logSelectionRatio } from "../selection.js";
import type { SelectionEvent } from "../../events/event-kinds.js";

/** How the base mechanism's releases are accounted. */
export interface BaseAccounting {
  epsilon(groups: readonly EventGroup[], delta: number): number;
  delta(groups: readonly EventGroup[], epsilon: number): number;
}

/** Lines of the trade-off bound: more are tighter and cost one accounting each. */
const LINES = 24;
/** The profile's tail beyond which lines no longer matter, in units of gamma or 1 / mean. */
const TAIL = 1e-4;

const single = (groups: readonly EventGroup[]): SelectionEvent | undefined => {
  const [group] = groups;
  return groups.length === 1 && group!.count === 1 && group!.event.kind === "selection"
    ? group!.event
    : undefined;
};

/** The worst profile among the plans: which plan is drawn does not depend on the data. */
function baseDelta(event: SelectionEvent, base: BaseAccounting, epsilon: number): number {
  return event.plans.reduce((worst, plan) => Math.max(worst, base.delta(plan, epsilon)), 0);
}

function baseEpsilon(event: SelectionEvent, base: BaseAccounting, delta: number): number {
  return event.plans.reduce((worst, plan) => Math.max(worst, base.epsilon(plan, delta)), 0);
}

/** ln R, from a profile asked between 0 and where it has all but vanished. */
function logRatio(event: SelectionEvent, base: BaseAccounting): number {
  const { repetitions } = event;
  const scale = repetitions.kind === "poisson" ? 1 / repetitions.mean : repetitions.gamma;
  const pure = baseEpsilon(event, base, 0);
  const top = Number.isFinite(pure) ? pure : baseEpsilon(event, base, TAIL * Math.min(1, scale));
  if (!Number.isFinite(top)) return Infinity;
  const epsilons = Array.from({ length: LINES + 1 }, (_, k) => (top * k) / LINES);
  return logSelectionRatio(repetitions, (epsilon) => baseDelta(event, base, epsilon), epsilons);
}

/** An accountant of one selection and nothing else; {@link selectionRdp} composes. */
export function selectionAccountant(base: BaseAccounting): Accountant {
  const ratios = new WeakMap<SelectionEvent, number>();
  const ratioOf = (event: SelectionEvent) => {
    const known = ratios.get(event) ?? logRatio(event, base);
    ratios.set(event, known);
    return known;
  };
  return defineAccountant({
    name: "selection",
    refusal: (groups) =>
      single(groups) ? undefined : "it covers one selection alone; a mix is composed by rdp",
    epsilon(groups, delta) {
      const event = single(groups)!;
      const kept = Math.min(1, delta / meanRepetitions(event.repetitions)) * (1 - 2 ** -50);
      return roundUp(baseEpsilon(event, base, kept) + ratioOf(event));
    },
    delta(groups, epsilon) {
      const event = single(groups)!;
      const left = epsilon - ratioOf(event);
      if (!(left >= 0)) return 1;
      const one = baseDelta(event, base, left);
      // A mean below 1 makes nothing of the smallest number, which is no delta of 0.
      return Math.min(
        1,
        Math.max(one && Number.MIN_VALUE, roundUp(meanRepetitions(event.repetitions) * one)),
      );
    },
  });
}
