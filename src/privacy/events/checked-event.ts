/**
 * Events that a program hands over as plain objects. Their makers check them, and so does who reads them from a file; one written
 * by hand, or cast to the type, has been through neither, and no theorem covers a negative sigma, or a sample under replace.
 *
 * What is accounted for is a frozen copy: the program's own object may be another release by the time that it is looked at again.
 * @module
 */
import { parseEvent } from "./parse-event.js";
import type { PrivacyEvent } from "./event-kinds.js";

/** Copies that were made here: nobody can change them. */
const copies = new WeakSet<PrivacyEvent>();

/**
 * The event as it is now.
 * @throws TypeError or RangeError naming the field that is wrong, missing or unknown.
 */
export function checkedEvent(event: PrivacyEvent): PrivacyEvent {
  if (copies.has(event)) return event;
  const own = parseEvent(event);
  freeze(own);
  copies.add(own);
  return own;
}

/** Those of a list, an object in several places as one copy: a plan has one for many rounds. */
export function checkedEvents(events: readonly PrivacyEvent[]): PrivacyEvent[] {
  const known = new Map<PrivacyEvent, PrivacyEvent>();
  return events.map((event) => {
    const own = known.get(event) ?? checkedEvent(event);
    known.set(event, own);
    return own;
  });
}

function freeze(value: object): void {
  Object.freeze(value);
  for (const part of Object.values(value) as unknown[]) {
    if (typeof part === "object" && part !== null) freeze(part);
  }
}
