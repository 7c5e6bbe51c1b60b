/**
 * What tests of runs with relays share: the run without them, what passes, and relays that lie.
 * @module
 */
import { expect } from "vitest";
import {
  decodeFrame,
  decodeMessage,
  encodeMessage,
  MemoryStore,
  type Body,
  type CuratorStatus,
  type ParticipantTransport,
} from "../../../src/federation/index.js";
import type { AggregationInput } from "../../../src/federation/index.js";
import {
  AGGREGATION,
  Killed,
  planOf,
  run,
  weightsOf,
  type Run,
} from "../secure-aggregation/secure-run.js";

const METHOD = ["mp-low-rank", { rounds: 2, epsilon: 5 }] as const;
export const ROUNDS = 2;

/** The plan without relays, or with those that participants have. */
export const planned = (
  relays: Readonly<Record<string, string | undefined>> = {},
  more: Partial<AggregationInput> = {},
) =>
  planOf(...METHOD, {
    ...more,
    participants: AGGREGATION.participants.map((one) => {
      const relay = relays[one.name];
      return relay === undefined ? one : { ...one, relay };
    }),
  });

/** Two relays, and one participant without. */
const RELAYS: Readonly<Record<string, string | undefined>> = {
  p0: "west",
  p1: "west",
  p2: "east",
  p3: "east",
};
export const relayed = (relays = RELAYS) => planned(relays);

/** The same relays beneath a third, which has a participant of its own, too. */
export const BENEATH = { ...RELAYS, p4: "top" };
export const ABOVE = [
  { name: "west", relay: "top" },
  { name: "east", relay: "top" },
] as const;
export const tree = () => planned(BENEATH, { relays: ABOVE });

/** Models, in the order of tasks. */
export const sorted = (models: Run["models"]) =>
  [...weightsOf(models)].sort(([a], [b]) => (a < b ? -1 : 1));

let flat: Promise<Run> | undefined;
/** The models of the run without relays, to the bit, and as many charges. */
export async function expectFlat({ models, curator }: Run): Promise<void> {
  const without = await (flat ??= run(planned()));
  expect(sorted(models)).toEqual(sorted(without.models));
  expect(curator.guarantee).toEqual(without.curator.guarantee);
  expect(curator.ledger.entries).toHaveLength(ROUNDS);
}

export const of = (statuses: readonly CuratorStatus[], kind: CuratorStatus["kind"]) =>
  statuses.filter((status) => status.kind === kind);

/** Kind of the message of an attempt that a message carries; 0 for an invitation. */
export function kindOf(message: Uint8Array): number | undefined {
  const decoded = decodeMessage(message);
  return decoded.type === "aggregate" ? (decoded.bytes[1] ?? 0) : undefined;
}
export const [INBOX, INPUT, GATHER, PARTIAL] = [4, 5, 10, 11] as const;

const HEADER = 34;

export function with_(bytes: Uint8Array, at: number, value: number): Uint8Array {
  const changed = bytes.slice();
  changed[at] = value;
  return changed;
}

/** A sum of nobody's inputs. */
export function nobody(bytes: Uint8Array): Uint8Array {
  const changed = bytes.slice();
  changed.fill(0, HEADER);
  return changed;
}

/** Changes the sums that a relay passes on. */
export function liar(
  own: ParticipantTransport,
  lie: (bytes: Uint8Array, times: number) => Uint8Array,
): ParticipantTransport {
  let times = 0;
  return {
    ...own,
    send: (message, relay) => {
      if (kindOf(message) !== PARTIAL) return own.send(message, relay);
      const { bytes, ...rest } = decodeMessage(message) as ReturnType<typeof decodeMessage> & {
        bytes: Uint8Array;
      };
      const { run: name, session, plan, participant, ...body } = rest;
      const changed = lie(bytes, ++times) as Uint8Array<ArrayBuffer>;
      const envelope = { run: name, session, plan, participant };
      return own.send(encodeMessage(envelope, { ...body, bytes: changed } as Body), relay);
    },
  };
}

/** Sums that a curator opened. */
export const opened = async (store: MemoryStore): Promise<number> =>
  (await store.load()).filter((record) => decodeFrame(record).header["type"] === "opening").length;

/** A store whose curator is killed once before, or after, each of its records. */
export class KillingOnce extends MemoryStore {
  readonly #when: "before" | "after";
  readonly #seen = new Set<string>();

  constructor(when: "before" | "after") {
    super();
    this.#when = when;
  }

  override async append(record: Uint8Array): Promise<void> {
    const { type, round } = decodeFrame(record).header;
    const key = `${type as string} ${round as number}`;
    const kills = !this.#seen.has(key);
    this.#seen.add(key);
    if (!kills || this.#when === "after") await super.append(record);
    if (kills) throw new Killed();
  }
}

/** p1 drops out before its input. */
export const DROPPING = {
  absent: ["p1"],
  watch: (
    { to, message }: { to: string; message: Uint8Array },
    network: { cut(who: string, cut: boolean): void },
  ) => {
    if (to === "p1" && kindOf(message) === INBOX) network.cut("p1", true);
  },
};
