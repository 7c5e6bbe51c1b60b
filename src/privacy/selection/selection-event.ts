/**
 * A private selection as one event: a law of K, and what one run of the base mechanism releases.
 * @module
 */
import { array, object } from "../../core/checks.js";
import { checkRepetitions, type Repetitions } from "./repetitions.js";
import { checkAdjacency } from "../events/adjacency.js";
import type { Adjacency, EventRun, SelectionEvent } from "../events/event-kinds.js";

/**
 * A selection whose unchosen runs, and whose K, nobody sees.
 *
 * @param options.plans at least one; every event of the same adjacency, none a selection itself and none a Wishart release.
 * @throws RangeError naming the plan and the event.
 * @see Papernot and Steinke (2022); `accounting/selection.ts` for what it costs, with proof.
 */
export function selectionEvent(options: {
  repetitions: Repetitions;
  plans: readonly (readonly EventRun[])[];
  adjacency?: Adjacency;
}): SelectionEvent {
  object("options", options);
  const adjacency = checkAdjacency(options.adjacency ?? "replace");
  array("plans", options.plans);
  if (options.plans.length === 0) throw new RangeError("plans: expected at least one, got none");
  options.plans.forEach((plan, k) => {
    array(`plans[${k}]`, plan);
    if (plan.length === 0) throw new RangeError(`plans[${k}]: expected releases, got none`);
    plan.forEach(({ event, count }, i) => {
      const name = `plans[${k}][${i}]`;
      object(`${name}.event`, event);
      if (event.kind === "selection" || event.kind === "wishart") {
        throw new RangeError(
          `${name}: a ${event.kind} event cannot be part of a base mechanism: its own guarantee is ` +
            "not what selection needs",
        );
      }
      if (event.adjacency !== adjacency) {
        throw new RangeError(
          `${name}.adjacency: expected "${adjacency}" as the selection, got "${event.adjacency}"`,
        );
      }
      if (!Number.isInteger(count) || count < 1) {
        throw new RangeError(`${name}.count: expected an integer >= 1, got ${count}`);
      }
    });
  });
  return {
    kind: "selection",
    repetitions: checkRepetitions(options.repetitions),
    plans: options.plans.map((plan) => plan.map(({ event, count }) => ({ event, count }))),
    adjacency,
  };
}
