/**
 * Events from JSON, checked field by field; unknown kinds and stray fields are refused.
 * @module
 */
import { isObject } from "../../core/is-object.js";
import {
  discreteGaussianEvent,
  gaussianEvent,
  laplaceEvent,
  pureEvent,
  sphericalLaplaceEvent,
  subsampledGaussianEvent,
  twoSidedWishartEvent,
  wishartEvent,
} from "./events.js";
import { randomAllocationEvent } from "./random-allocation.js";
import { selectionEvent } from "../selection/selection-event.js";
import type { EventRun, PrivacyEvent } from "./event-kinds.js";

type Fields = Record<string, unknown>;

const FIELDS: Record<PrivacyEvent["kind"], readonly string[]> = {
  gaussian: ["sigma", "sensitivity", "adjacency"],
  "subsampled-gaussian": ["sigma", "sensitivity", "adjacency", "sampling"],
  "discrete-gaussian": ["sigma", "grid", "entries", "shares", "sensitivity", "adjacency"],
  "two-sided-wishart": ["scale", "sensitivity", "adjacency"],
  wishart: ["dimension", "degreesOfFreedom", "scale", "clip", "nominal", "adjacency"],
  laplace: ["scale", "sensitivity", "adjacency"],
  "spherical-laplace": ["scale", "sensitivity", "adjacency"],
  pure: ["epsilon", "adjacency"],
  "random-allocation": ["sigma", "sensitivity", "adjacency", "rounds", "picks"],
  selection: ["repetitions", "plans", "adjacency"],
};

const BUILD: Record<PrivacyEvent["kind"], (fields: never) => PrivacyEvent> = {
  gaussian: gaussianEvent,
  "subsampled-gaussian": (fields: { sampling: { rate: number }; sigma: number }) =>
    subsampledGaussianEvent({ ...fields, rate: fields.sampling.rate }),
  "discrete-gaussian": discreteGaussianEvent,
  "two-sided-wishart": twoSidedWishartEvent,
  wishart: wishartEvent,
  laplace: laplaceEvent,
  "spherical-laplace": sphericalLaplaceEvent,
  pure: pureEvent,
  "random-allocation": randomAllocationEvent,
  selection: selectionEvent,
};

/** The kind of what is an event by its kind at least. @throws TypeError or RangeError otherwise. */
function knownKind(name: string, value: unknown): PrivacyEvent["kind"] {
  if (!isObject(value)) throw new TypeError(`${name}: expected an object`);
  const { kind } = value;
  if (typeof kind === "string" && Object.hasOwn(FIELDS, kind)) return kind as PrivacyEvent["kind"];
  throw new RangeError(
    `${name}.kind: expected one of ${Object.keys(FIELDS).join(", ")}; got ${JSON.stringify(kind)}. ` +
      "An unknown event has no known cost and is refused.",
  );
}

/**
 * Rebuilds an event from parsed JSON.
 *
 * @param name how the value is called in messages, for example `"events[3]"`.
 * @throws TypeError if it is not an object of the right fields, RangeError if its kind is unknown
 *   or a value is out of range.
 */
export function parseEvent(value: unknown, name = "event"): PrivacyEvent {
  const known = knownKind(name, value);
  const { kind: _, ...fields } = value as Fields;
  // The adjacency is part of the claim, so a stored event must state it.
  if (fields["adjacency"] === undefined) {
    throw new TypeError(`${name}.adjacency: expected "replace" or "zero-out", got nothing`);
  }
  const stray = Object.keys(fields).find((field) => !FIELDS[known].includes(field));
  if (stray !== undefined) {
    throw new RangeError(
      `${name}.${stray}: expected only the fields of a ${known} event, ${FIELDS[known].join(", ")}`,
    );
  }
  if (known === "subsampled-gaussian") {
    const { sampling } = fields;
    if (!isObject(sampling) || sampling["kind"] !== "poisson") {
      throw new RangeError(`${name}.sampling: expected { kind: "poisson", rate }`);
    }
  }
  if (known === "selection") fields["plans"] = parsePlans(fields["plans"], `${name}.plans`);
  try {
    return BUILD[known](fields as never);
  } catch (cause) {
    if (cause instanceof RangeError) throw new RangeError(`${name}.${cause.message}`, { cause });
    if (cause instanceof TypeError) throw new TypeError(`${name}.${cause.message}`, { cause });
    throw cause;
  }
}

/** The plans of a selection: lists of { event, count }. */
function parsePlans(value: unknown, name: string): EventRun[][] {
  if (!Array.isArray(value)) throw new TypeError(`${name}: expected an array of plans`);
  return value.map((plan: unknown, k) => {
    if (!Array.isArray(plan)) throw new TypeError(`${name}[${k}]: expected an array of releases`);
    return plan.map((run: unknown, i) => {
      const at = `${name}[${k}][${i}]`;
      if (!isObject(run)) throw new TypeError(`${at}: expected { event, count }`);
      return { event: parseEvent(run["event"], `${at}.event`), count: run["count"] as number };
    });
  });
}

/**
 * Whether two events are the same release, field by field.
 * @throws TypeError or RangeError for what is no event of a known kind.
 */
export function sameEvent(a: PrivacyEvent, b: PrivacyEvent): boolean {
  knownKind("a", a);
  knownKind("b", b);
  return a === b || eventKey(a) === eventKey(b);
}

/** Equal exactly for equal events: accountants group by it. */
export function eventKey(event: PrivacyEvent): string {
  const fields = event as unknown as Fields;
  return [event.kind, ...FIELDS[event.kind].map((name) => JSON.stringify(fields[name]))].join("|");
}

/** Equal neighbours together. */
export function runsOf(events: readonly PrivacyEvent[]): EventRun[] {
  const runs: { event: PrivacyEvent; count: number; key: string }[] = [];
  for (const event of events) {
    const key = eventKey(event);
    const last = runs.at(-1);
    if (last?.key === key) last.count++;
    else runs.push({ event, count: 1, key });
  }
  return runs.map(({ event, count }) => ({ event, count }));
}
