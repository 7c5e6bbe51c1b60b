/**
 * Events from the exchange form of Google's `dp_accounting`, as `dp-event.ts` writes and explains it: every field is checked, and what has
 * no counterpart here is refused.
 * @module
 */
import * as math from "../../core/elementary.js";
import { integer, nonNegative, positive } from "../../core/checks.js";
import { checkAdjacency } from "./adjacency.js";
import { roundUp } from "../accounting/rounding.js";
import { runsOf } from "./parse-event.js";
import { gaussianEvent, laplaceEvent, pureEvent, subsampledGaussianEvent } from "./events.js";
import { repetitionsOfMean } from "../selection/repetitions.js";
import { selectionEvent } from "../selection/selection-event.js";
import type { Adjacency, PrivacyEvent } from "./event-kinds.js";

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
  return read(value, checkAdjacency(adjacency as Adjacency, "event.adjacency"), "event");
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
