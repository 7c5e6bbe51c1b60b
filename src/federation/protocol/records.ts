/**
 * What a curator keeps: the session, who registered, who started, samples and releases. One record is one frame, and
 * a release is kept in one record with its charge, so there is never one without the other.
 * @module
 */
import { DataError } from "../../core/index.js";
import { checkOldFormat, type FileFormat } from "../../core/file-format.js";
import type { ReleaseJournal } from "../../learning/index.js";
import { Ledger, parseEvent, type LedgerEntry, type LedgerOptions } from "../../privacy/index.js";
import { decodeFrame, encodeFrame, OWN_HEADER_LIMIT } from "./messages/frame.js";
import type { RegisteredTask } from "./messages/messages.js";
import type { Plan } from "./plan/plan-form.js";

/** A participant of a started run, and where its tasks stand. */
export interface Member {
  readonly participant: string;
  readonly tasks: readonly RegisteredTask[];
  readonly positions: readonly number[];
  /** Where participants add noise: the name of its state. */
  readonly state?: string;
}

/** What a participant registered. */
export interface Registration {
  readonly participant: string;
  /** null: it does not take part after all. */
  readonly tasks: readonly RegisteredTask[] | null;
  /** Where participants add noise: the name of its state. */
  readonly state?: string;
}

/** How records are laid out; the session's says so, and one that says nothing is of version 1. 2: samples are sealed, participants expelled. */
const RECORDS: FileFormat = { format: "mp-mtl-run-store", version: 2 };

/** How the rounds of an allocation are drawn. */
type Draw = "blocks";

/** That of a plan; undefined where it has none. */
export function drawOf({ options }: Pick<Plan, "options">): Draw | undefined {
  const { kind } = (options["sampling"] ?? {}) as { kind?: string };
  return kind === "allocation" ? "blocks" : undefined;
}

/** A record of the curator's store. */
export type CuratorRecord =
  | {
      readonly type: "session";
      readonly session: string;
      readonly plan: string;
      /** Where tasks take part in so many rounds: one of each block; earlier releases, which drew any of them, said nothing. */
      readonly draw?: Draw;
    }
  /** Before the start: what participants registered last, in the order in which that came. */
  | { readonly type: "registrations"; readonly changes: readonly Registration[] }
  /** Who starts, whatever was registered. */
  | {
      readonly type: "members";
      readonly members: readonly Member[];
      /** How many rounds there will be, for whoever looks at the records alone; earlier releases said nothing. */
      readonly rounds?: number;
    }
  /** A participant that came after the start. */
  | { readonly type: "joined"; readonly member: Member }
  /** The state with which the helper takes part, kept before it is asked for anything: another one would draw a second noise. */
  | { readonly type: "helper"; readonly state: string }
  /** Nobody waits for this participant any more, and nothing is taken from it. */
  | { readonly type: "expelled"; readonly participant: string }
  /** Who was drawn in a round, where not everyone is: the curator's secret, sealed (`curator/rounds/sealed-sample.ts`). */
  | { readonly type: "sample"; readonly round: number; readonly bytes: Uint8Array }
  /** What opens samples: held beside the records, and wiped when every participant has its models. */
  | { readonly type: "sample-key"; readonly bytes: Uint8Array }
  /** An attempt at a secure sum was begun: its number is used up. */
  | { readonly type: "attempt"; readonly round: number; readonly attempt: number }
  /** A secure or verified sum may be opened from now on; what opening it takes. It will be charged for the round. */
  | {
      readonly type: "opening";
      readonly round: number;
      readonly attempt: number;
      readonly bytes: Uint8Array;
      /** With two aggregators: whose reports are in the sum. `bytes` is the leader's noisy share of it. */
      readonly included?: readonly string[];
    }
  /** The noisy statistic of a round and what was charged for it. */
  | {
      readonly type: "release";
      readonly round: number;
      readonly charge: LedgerEntry;
      readonly statistic: Float64Array;
    };

const TYPES = [
  "session",
  "registrations",
  "members",
  "joined",
  "helper",
  "expelled",
  "sample",
  "sample-key",
  "attempt",
  "opening",
  "release",
];
const WITH_BYTES = ["sample", "sample-key", "opening"];

export function encodeRecord(record: CuratorRecord): Uint8Array {
  if ("bytes" in record) {
    const { bytes, ...header } = record;
    return encodeFrame(header, undefined, bytes);
  }
  if (record.type === "session") return encodeFrame({ ...record, ...RECORDS });
  if (record.type !== "release") return encodeFrame(record);
  const { statistic, ...header } = record;
  return encodeFrame(header, statistic);
}

/** @throws DataError if the bytes are not a record that `encodeRecord` made. */
export function decodeRecord(bytes: Uint8Array): CuratorRecord {
  // Who takes part is one record: of two hundred thousand its header is longer than any message's may be.
  const { header, values, bytes: plain } = decodeFrame(bytes, OWN_HEADER_LIMIT);
  if (!TYPES.includes(header["type"] as string)) {
    throw new DataError("run store: a record of an unknown type; is the store of another program?");
  }
  if (header["type"] === "session") checkOldFormat("run store", header, RECORDS);
  if (WITH_BYTES.includes(header["type"] as string)) {
    return { ...header, bytes: plain } as unknown as CuratorRecord;
  }
  if (header["type"] !== "release") return header as unknown as CuratorRecord;
  const { round, event, label } = header["charge"] as LedgerEntry & { label?: string };
  const charge = { round, event: parseEvent(event), ...(label === undefined ? {} : { label }) };
  return { type: "release", round: header["round"] as number, charge, statistic: values };
}

/**
 * The journal of a curator's half over records: what was released before is read, never drawn again;
 * a new release is handed out once, to be kept before it is published.
 */
export class RecordJournal implements ReleaseJournal {
  /** Releases that are still to be read. */
  readonly #kept: Map<number, Extract<CuratorRecord, { type: "release" }>>;
  /** How many earlier processes of the curator kept. */
  readonly releases: number;
  #ledger: Ledger | undefined;
  #fresh: Extract<CuratorRecord, { type: "release" }> | undefined;

  constructor(records: readonly CuratorRecord[]) {
    const releases = records.filter((record) => record.type === "release");
    this.#kept = new Map(releases.map((release) => [release.round, release]));
    this.releases = releases.length;
    releases.forEach(({ round }, i) => {
      if (round !== i + 1) throw new DataError(`run store: release ${i + 1} is missing`);
    });
  }

  openLedger(options: LedgerOptions): Ledger {
    const ledger = (this.#ledger = new Ledger(options));
    for (const { charge } of this.#kept.values()) {
      const { event, ...where } = charge;
      ledger.charge(event, where);
    }
    return ledger;
  }

  read(release: number): Float64Array | undefined {
    const kept = this.#kept.get(release);
    // It is asked for once, and all of them are as long as the run.
    this.#kept.delete(release);
    return kept?.statistic;
  }

  write(release: number, statistic: Float64Array): void {
    const charge = this.#ledger!.entries.at(-1)!;
    this.#fresh = { type: "release", round: release, charge, statistic: statistic.slice() };
  }

  /** The release just made, once; undefined if the round only repeated a kept one. */
  take(): Extract<CuratorRecord, { type: "release" }> | undefined {
    const fresh = this.#fresh;
    this.#fresh = undefined;
    return fresh;
  }
}

/**
 * The session of a store's first record.
 * @param draw of the plan's rounds, where it has an allocation.
 * @throws DataError if the store is of another plan, or its rounds were drawn in another way.
 */
export function requireSession(first: CuratorRecord, plan: string, draw?: Draw): string {
  if (first.type !== "session") throw new DataError("run store: its first record is missing");
  if (first.plan !== plan) {
    throw new DataError(
      "run store: its records are of another plan. A run goes on with the plan that it began with: put that plan back as it was, or " +
        "give the other one another run's name and a store of its own",
    );
  }
  if (first.draw === draw) return first.session;
  throw new DataError(
    "run store: the rounds of its allocation were drawn by a release of mp-mtl that drew any of them; this one draws one of each " +
      "block, and a task could take part in more than was charged. Go on with that release, or start the run anew",
  );
}
