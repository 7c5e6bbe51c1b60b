/**
 * Events that a program hands over as plain objects. Their makers check them, and so does who reads them from a file; one written
 * by hand, or cast to the type, has been through neither, and no theorem covers a negative sigma, or a sample under replace.
 * @module
 */
import { parseEvent } from "./parse-event.js";
import type { PrivacyEvent } from "./event-kinds.js";

/** Those that were found good: a plan has one object for many rounds. */
const found = new WeakSet<PrivacyEvent>();

/**
 * The event itself.
 * @throws TypeError or RangeError naming the field that is wrong, missing or unknown.
 */
export function checkedEvent<Event extends PrivacyEvent>(event: Event, name = "event"): Event {
  if (found.has(event)) return event;
  parseEvent(event, name);
  found.add(event);
  return event;
}
