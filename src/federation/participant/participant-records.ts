/**
 * What a participant's store holds: what it agreed to, the sizes it was told, the rows it had and the broadcasts it received, by their
 * digests, and, where it must never say a thing twice, what it showed, at which secure sums it took part and which it helped to open, and its integers of the
 * sum that is open. Last, that its models were kept elsewhere.
 * @module
 */
import { DataError } from "../../core/index.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import type { Agreed } from "../protocol/party/agreement.js";
import { decodeFrame, encodeFrame } from "../protocol/messages/frame.js";
import type { Message } from "../protocol/messages/messages.js";
import type { RowsMark } from "./data/own-rows.js";
import type { Shown } from "./participant-rounds.js";

type Start = Extract<Message, { type: "start" }>;

/** What a start tells that stays as it is, whichever round it is told in. */
const TOLD = ["m", "rows", "mostRows", "owners", "positions"] as const;

/** What earlier processes of a participant did. */
export interface StoredState {
  readonly joined: Agreed | undefined;
  /** The random name of this store, where participants add noise. */
  readonly name: string | undefined;
  /** Digest of the sizes and places that the curator told at the start. */
  readonly told: string | undefined;
  /** Of the rows at the start; undefined before it, and of a release that kept none. */
  readonly rows: RowsMark | undefined;
  /** Digests of the broadcasts that were received, by round: there is one for each, or noise was drawn twice. */
  readonly received: ReadonlyMap<number, string>;
  readonly shown: Shown[];
  /** Rounds whose sums were opened. */
  readonly opened: number[];
  /** With neighbours in a ring: the latest attempt in which it took part, by round. */
  readonly begun: ReadonlyMap<number, number>;
  /** With secure sums: the last round whose integers were drawn; 0 for none. */
  readonly drawn: number;
  /** With secure sums: the integers of the open round, noise included. */
  readonly integers: Shown | undefined;
  /** Whether the models were kept where their owner has them. */
  readonly completed: boolean;
}

/** What tells one broadcast from another: SHA-256 of its float64s, hexadecimal. */
export function digestOf(values: Float64Array): string {
  return bytesToHex(sha256(new Uint8Array(values.buffer, values.byteOffset, values.byteLength)));
}

/** What tells one run's sizes and one's places in it from others. */
export function digestOfTold(told: Pick<Start, (typeof TOLD)[number]>): string {
  return bytesToHex(sha256(utf8ToBytes(JSON.stringify(TOLD.map((name) => told[name] ?? null)))));
}

/** The record of a round's integers. */
export function integersRecord({ round, values }: Shown): Uint8Array {
  return encodeFrame({ type: "integers", round }, values);
}

/** @throws DataError if a record is of another kind. */
export function readStoredState(records: readonly Uint8Array[] = []): StoredState {
  let joined: Agreed | undefined;
  let name: string | undefined;
  let told: string | undefined;
  let rows: RowsMark | undefined;
  const received = new Map<number, string>();
  const shown: Shown[] = [];
  const opened: number[] = [];
  const begun = new Map<number, number>();
  let drawn = 0;
  let integers: Shown | undefined;
  let completed = false;
  for (const record of records) {
    const { header, values } = decodeFrame(record);
    const round = header["round"] as number;
    switch (header["type"]) {
      case "joined":
        joined = { session: header["session"] as string, plan: header["plan"] as string };
        break;
      case "named":
        name = header["name"] as string;
        break;
      case "started":
        told = header["told"] as string;
        rows = header["rows"] as RowsMark | undefined;
        break;
      case "heard":
        received.set(round, header["digest"] as string);
        break;
      case "shown":
        shown.push({ round, values });
        break;
      case "opened":
        opened.push(round);
        break;
      case "begun":
        begun.set(round, Math.max(begun.get(round) ?? 0, header["attempt"] as number));
        break;
      case "drawn":
        drawn = Math.max(drawn, round);
        break;
      case "integers":
        integers = { round, values };
        break;
      case "completed":
        completed = true;
        break;
      default:
        throw new DataError("participant store: a record of an unknown type");
    }
  }
  return { joined, name, told, rows, received, shown, opened, begun, drawn, integers, completed };
}
