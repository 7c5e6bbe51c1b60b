/**
 * Events in the exchange form of Google's `dp_accounting`: its `DpEvent` named tuples as JSON, with the adjacency, which
 * they do not have, added. `parse-dp-event.ts` reads it.
 *
 * `noise_multiplier` is noise over sensitivity, the sensitivity being that of the adjacency: with that library's
 * ADD_OR_REMOVE_ONE, whose sensitivity is the bound on a record, the figures are the same for both adjacencies. A release
 * of which only eps-DP is known is written as randomized response of two answers, which costs as much as any such release
 * can (Kairouz, Oh, Viswanath 2015). What has no counterpart is refused: written as something else it would cost less. For the same reason
 * figures are rounded towards more cost: noise and what is kept of an answer by chance down, runs in the mean up.
 * @module
 */
import * as math from "../../core/elementary.js";
import { quotientBelow, roundUp } from "../accounting/rounding.js";
import { array } from "../../core/checks.js";
import { checkedEvents } from "./checked-event.js";
import { runsOf } from "./parse-event.js";
import { meanRepetitions } from "../selection/repetitions.js";
import type { EventRun, PrivacyEvent, SelectionEvent } from "./event-kinds.js";

/** A `DpEvent` as JSON: `module_name`, `class_name` and the fields of its class. */
export interface DpEventTuple {
  /** Python module of the class. */
  readonly module_name: string;
  /** Name of the class. */
  readonly class_name: string;
  readonly [field: string]: unknown;
}

const MODULE = "dp_accounting.dp_event";

const tuple = (class_name: string, fields: object): DpEventTuple => ({
  module_name: MODULE,
  class_name,
  ...fields,
});

/**
 * Releases as one event of `dp_accounting`.
 *
 * @returns the event, with `adjacency` on the outermost.
 * @throws RangeError naming an event's kind that has no counterpart, or two adjacencies in one list.
 */
export function toDpEvent(events: readonly PrivacyEvent[]): DpEventTuple {
  const given = checkedEvents(array("events", events));
  const adjacency = given[0]?.adjacency ?? "replace";
  const other = given.findIndex((event) => event.adjacency !== adjacency);
  if (other >= 0) {
    throw new RangeError(
      `events[${other}].adjacency: expected "${adjacency}" as before, got "${given[other]!.adjacency}"`,
    );
  }
  return { ...composed(runsOf(given)), adjacency };
}

function composed(runs: readonly EventRun[]): DpEventTuple {
  const events = runs.flatMap(({ event, count }) => repeated(written(event), count));
  return events.length === 1 ? events[0]! : tuple("ComposedDpEvent", { events });
}

/** Randomized response is written out: that library's PLD accountant passes over its count. */
function repeated(event: DpEventTuple, count: number): DpEventTuple[] {
  if (count === 1) return [event];
  return event.class_name === "RandomizedResponseDpEvent"
    ? new Array<DpEventTuple>(count).fill(event)
    : [tuple("SelfComposedDpEvent", { event, count })];
}

function written(event: PrivacyEvent): DpEventTuple {
  switch (event.kind) {
    case "gaussian":
      return gaussian(event);
    case "laplace":
      return tuple("LaplaceDpEvent", { noise_multiplier: multiplier(event.scale, event) });
    case "subsampled-gaussian":
      return tuple("PoissonSampledDpEvent", {
        sampling_probability: event.sampling.rate,
        event: gaussian(event),
      });
    case "pure":
      return tuple("RandomizedResponseDpEvent", {
        // By more than its rounding: near 1 that is as much as a small epsilon.
        noise_parameter: (2 / (1 + math.exp(event.epsilon))) * (1 - 2 ** -50),
        num_buckets: 2,
      });
    case "selection":
      return selection(event);
    default:
      throw new RangeError(
        `a ${event.kind} event has no counterpart in dp_accounting and is not written; account it here.`,
      );
  }
}

const gaussian = (event: { readonly sigma: number; readonly sensitivity: number }) =>
  tuple("GaussianDpEvent", { noise_multiplier: multiplier(event.sigma, event) });

function multiplier(noise: number, { sensitivity }: { readonly sensitivity: number }): number {
  if (sensitivity > 0) return quotientBelow(noise, sensitivity);
  throw new RangeError(
    "sensitivity: an event of sensitivity 0 releases nothing and is not written.",
  );
}

function selection({ repetitions, plans }: SelectionEvent): DpEventTuple {
  if (plans.length > 1) {
    throw new RangeError(
      `a selection among ${plans.length} plans has no counterpart in dp_accounting, which repeats one event.`,
    );
  }
  if (repetitions.kind === "poisson" || repetitions.eta < 0) {
    throw new RangeError(
      "a selection is written with a truncated negative binomial number of runs, eta >= 0: JSON has no number " +
        "for the shape of a Poisson one, and dp_accounting none below 0.",
    );
  }
  return tuple("RepeatAndSelectDpEvent", {
    event: composed(plans[0]!),
    mean: roundUp(meanRepetitions(repetitions)),
    shape: repetitions.eta,
  });
}
