/**
 * Figures of a numerical accountant that are asked for again: every participant of a run plans the same releases, and so does every
 * fit of an evaluation or an audit.
 * @module
 */
import { eventKey } from "../../events/parse-event.js";
import type { EventGroup } from "../groups.js";

/** Most figures that are kept; the oldest goes first. */
const MOST = 500;

type Figure = (groups: readonly EventGroup[], bound: number) => number;

/** The same function, which gives a figure that it gave before for the same events and bound without computing it. */
export function remembered(compute: Figure): Figure {
  const known = new Map<string, number>();
  return (groups, bound) => {
    // Every field of every event, numbers to the last bit: what is not the same has another key.
    const key = [bound, ...groups.map(({ event, count }) => `${count} ${eventKey(event)}`)].join();
    const before = known.get(key);
    if (before !== undefined) return before;
    const figure = compute(groups, bound);
    if (known.size >= MOST) known.delete(known.keys().next().value!);
    known.set(key, figure);
    return figure;
  };
}
