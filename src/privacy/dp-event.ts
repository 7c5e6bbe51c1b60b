/**
 * Events in the exchange form of Google's `dp_accounting`: its `DpEvent` named tuples as JSON, with the adjacency, which
 * they do not have, added.
 *
 * `noise_multiplier` is noise over sensitivity, the sensitivity being that of the adjacency: with that library's
 * ADD_OR_REMOVE_ONE, whose sensitivity is the bound on a record, the figures are the same for both adjacencies. A release
 * of which only eps-DP is known is written as randomized response of two answers, which costs as much as any such release
 * can (Kairouz, Oh, Viswanath 2015). What has no counterpart is refused: written as something else it would cost less.
 * @module
 */
import * as math from "../core/elementary.js";
import { integer, nonNegative, oneOf, positive } from "../core/checks.js";
import { roundUp } from "./accounting/rounding.js";
import { gaussianEvent, laplaceEvent, pureEvent, subsampledGaussianEvent } from "./events.js";
import { eventKey } from "./parse-event.js";
import { meanRepetitions, repetitionsOfMean } from "./repetitions.js";
import { selectionEvent } from "./selection-event.js";
import type { Adjacency, EventRun, PrivacyEvent, SelectionEvent } from "./event-kinds.js";

/** A `DpEvent` as JSON: `module_name`, `class_name` and the fields of its class. */
export interface DpEventTuple {
  readonly module_name: string;
  readonly class_name: string;
  readonly [field: string]: unknown;
}

const MODULE = "dp_accounting.dp_event";

const tuple = (class_name: string, fields: object): DpEventTuple => ({
  ...{ module_name: MODULE, class_name },
  ...fields,
});

/**
 * Releases as one event of `dp_accounting`.
 *
 * @returns the event, with `adjacency` on the outermost.
 * @throws RangeError naming an event's kind that has no counterpart, or two adjacencies in one list.
 */
export function toDpEvent(events: readonly PrivacyEvent[]): DpEventTuple {
  const adjacency = events[0]?.adjacency ?? "replace";
  const other = events.findIndex((event) => event.adjacency !== adjacency);
  if (other >= 0) {
    throw new RangeError(
      `events[${other}].adjacency: expected "${adjacency}" as before, got "${events[other]!.adjacency}"`,
    );
  }
  return { ...composed(runsOf(events)), adjacency };
}

/** Equal neighbours together. */
function runsOf(events: readonly PrivacyEvent[]): EventRun[] {
  const runs: { event: PrivacyEvent; count: number; key: string }[] = [];
  for (const event of events) {
    const key = eventKey(event);
    const last = runs.at(-1);
    if (last?.key === key) last.count++;
    else runs.push({ event, count: 1, key });
  }
  return runs.map(({ event, count }) => ({ event, count }));
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
        noise_parameter: 2 / (1 + math.exp(event.epsilon)),
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
  if (sensitivity > 0) return noise / sensitivity;
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
    mean: meanRepetitions(repetitions),
    shape: repetitions.eta,
  });
}

type Fields = Record<string, unknown>;

/** What the classes that are read have; a field beside would cost something, perhaps, and is refused. */
const FIELDS: Readonly<Record<string, readonly string[]>> = {
  NoOpDpEvent: [],
  GaussianDpEvent: ["noise_multiplier"],
  LaplaceDpEvent: ["noise_multiplier"],
  RandomizedResponseDpEvent: ["noise_parameter", "num_buckets"],
  PoissonSampledDpEvent: ["sampling_probability", "event"],
  SelfComposedDpEvent: ["event", "count"],
  ComposedDpEvent: ["events"],
  RepeatAndSelectDpEvent: ["event", "mean", "shape"],
};

/** What all of them have. */
const NAMES = ["module_name", "class_name"];

/** Longest list that is read. */
const MOST_EVENTS = 1e7;

/**
 * Releases from a `DpEvent` as JSON.
 *
 * @throws TypeError where `adjacency` or a field is missing; RangeError for a class without a counterpart, and for values
 *         out of range.
 */
export function fromDpEvent(value: unknown): PrivacyEvent[] {
  const { adjacency } = fieldsOf(value, "event");
  if (adjacency === undefined) {
    throw new TypeError(
      'event.adjacency: expected "replace" or "zero-out", got nothing. dp_accounting leaves it to the accountant; ' +
        "here it is part of the claim: add it to the outermost event.",
    );
  }
  return read(
    value,
    oneOf("event.adjacency", adjacency as string, ["replace", "zero-out"]),
    "event",
  );
}

function fieldsOf(value: unknown, name: string): Fields {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Fields;
  throw new TypeError(`${name}: expected an object with module_name and class_name`);
}

function read(value: unknown, adjacency: Adjacency, name: string): PrivacyEvent[] {
  const { adjacency: own, ...fields } = fieldsOf(value, name);
  if (own !== undefined && own !== adjacency) {
    throw new RangeError(`${name}.adjacency: expected "${adjacency}" as the outermost event`);
  }
  const kind = fields["class_name"];
  const known = typeof kind === "string" && Object.hasOwn(FIELDS, kind) ? FIELDS[kind]! : undefined;
  const stray = known && Object.keys(fields).find((field) => ![...NAMES, ...known].includes(field));
  if (stray !== undefined) {
    throw new RangeError(
      `${name}.${stray}: expected only the fields of a ${kind as string}${known!.length > 0 ? `, ${known!.join(", ")}` : ""}`,
    );
  }
  const number = (field: string) => positive(`${name}.${field}`, fields[field] as number);
  const inner = () => read(fields["event"], adjacency, `${name}.event`);
  switch (kind) {
    case "NoOpDpEvent":
      return [];
    case "GaussianDpEvent":
      return [gaussianEvent({ sigma: number("noise_multiplier"), adjacency })];
    case "LaplaceDpEvent":
      return [laplaceEvent({ scale: number("noise_multiplier"), adjacency })];
    case "RandomizedResponseDpEvent":
      return [pureEvent({ epsilon: responseEpsilon(fields, name), adjacency })];
    case "PoissonSampledDpEvent":
      return [sampled(inner(), number("sampling_probability"), adjacency, name)];
    case "SelfComposedDpEvent": {
      const count = integer(`${name}.count`, fields["count"] as number, 0, MOST_EVENTS);
      const events = inner();
      checkLength(count * events.length, name);
      return new Array<PrivacyEvent[]>(count).fill(events).flat();
    }
    case "ComposedDpEvent": {
      const { events } = fields;
      if (!Array.isArray(events)) throw new TypeError(`${name}.events: expected an array`);
      const all = events.flatMap((event, i) => read(event, adjacency, `${name}.events[${i}]`));
      checkLength(all.length, name);
      return all;
    }
    case "RepeatAndSelectDpEvent": {
      const eta = nonNegative(`${name}.shape`, fields["shape"] as number);
      const repetitions = repetitionsOfMean(eta, number("mean"));
      return [selectionEvent({ repetitions, plans: [runsOf(inner())], adjacency })];
    }
    default:
      throw new RangeError(
        `${name}.class_name: ${JSON.stringify(kind)} has no counterpart here and is refused; read ` +
          "are NoOp, Gaussian, Laplace, RandomizedResponse, PoissonSampled (of a Gaussian), SelfComposed, Composed " +
          "and RepeatAndSelect DpEvents.",
      );
  }
}

function checkLength(count: number, name: string): void {
  if (count <= MOST_EVENTS) return;
  throw new RangeError(`${name}: expected at most ${MOST_EVENTS} releases, got ${count}`);
}

/** ln((1 - p + p/k) / (p/k)): an answer is kept with probability 1 - p, else drawn from all k. */
function responseEpsilon({ noise_parameter: p, num_buckets }: Fields, name: string): number {
  const k = integer(`${name}.num_buckets`, num_buckets as number, 2);
  const noise = positive(`${name}.noise_parameter`, p as number);
  if (noise > 1) throw new RangeError(`${name}.noise_parameter: expected at most 1, got ${noise}`);
  return roundUp(math.log1p((k * (1 - noise)) / noise));
}

function sampled(
  events: readonly PrivacyEvent[],
  rate: number,
  adjacency: Adjacency,
  name: string,
): PrivacyEvent {
  const [event] = events;
  if (events.length !== 1 || event!.kind !== "gaussian") {
    throw new RangeError(
      `${name}.event: expected a GaussianDpEvent in a Poisson sample: of others no cost is known here.`,
    );
  }
  return subsampledGaussianEvent({ ...event, rate, adjacency });
}
