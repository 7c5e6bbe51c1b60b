/**
 * A list of events from JSON.
 * @module
 */
import { fromDpEvent } from "./parse-dp-event.js";
import { parseEvent } from "./parse-event.js";
import type { PrivacyEvent } from "./event-kinds.js";

/**
 * Reads `[event, …]` or `{ "events": [event, …] }`, where an event may have a `count` of rounds; also
 * the JSON of a ledger, whose charged releases are taken, and a `DpEvent` of dp_accounting (see `fromDpEvent`).
 *
 * @throws TypeError or RangeError that names the event and field.
 */
export function parseEvents(value: unknown): PrivacyEvent[] {
  const wrapped = value as { events?: unknown; entries?: unknown; class_name?: unknown } | null;
  if (wrapped?.class_name !== undefined) return fromDpEvent(value);
  // Which of the two was meant nobody could tell.
  if (!Array.isArray(value) && wrapped?.events !== undefined && wrapped.entries !== undefined) {
    throw new RangeError("events: expected them or the entries of a ledger, got both");
  }
  const list =
    Array.isArray(value) || value === null || typeof value !== "object"
      ? value
      : (wrapped?.events ??
        (Array.isArray(wrapped?.entries) ? wrapped.entries.map(entryEvent) : undefined));
  if (!Array.isArray(list)) {
    throw new TypeError(
      'events: expected an array of events, or an object with "events", or a ledger',
    );
  }
  return list.flatMap((item: unknown, i) => {
    const name = `events[${i}]`;
    if (typeof item !== "object" || item === null)
      throw new TypeError(`${name}: expected an object`);
    const { count = 1, ...event } = item as { count?: unknown };
    if (!Number.isInteger(count) || (count as number) < 1 || (count as number) > 1e7) {
      throw new RangeError(`${name}.count: expected an integer from 1 to 10000000`);
    }
    return new Array<PrivacyEvent>(count as number).fill(parseEvent(event, name));
  });
}

function entryEvent(entry: unknown): unknown {
  return (entry as { event?: unknown } | null)?.event;
}
