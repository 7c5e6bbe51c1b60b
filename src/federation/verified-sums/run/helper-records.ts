/**
 * What a helper keeps: the plan and session it agreed to, the sizes it computes with, the attempts it took part in, and every
 * sum it gave out, in one record with its charge.
 * @module
 */
import { DataError } from "../../../core/errors.js";
import type { Agreed } from "../../protocol/party/agreement.js";
import { decodeFrame, encodeFrame } from "../../protocol/messages/frame.js";
import type { AttemptNumber } from "../../protocol/messages/messages.js";

/** What is public of the run's tasks, as the leader told it first. */
export interface ToldSizes {
  readonly m: number;
  readonly rows: number;
  readonly mostRows: number;
}

/** What it agreed to, and the random name of this state, which is stored before it is told to anyone. */
export interface Joined extends Agreed {
  readonly state: string;
}

/** Number of sums that the run takes from it in all; absent in records of earlier builds. */
interface AllSums {
  readonly sums?: number;
}

/** Its noisy share of a round's sum. */
export interface GivenShare extends AttemptNumber {
  readonly bytes: Uint8Array;
}

/** A record of the helper's store. */
export type HelperRecord =
  | (Joined & { readonly type: "joined" })
  | (ToldSizes & AllSums & { readonly type: "sizes" })
  /** It begins to check reports of this attempt, whose number is used up. */
  | (AttemptNumber & { readonly type: "attempt" })
  /** The round is charged, and this is its share: said again, never drawn again. */
  | (GivenShare & { readonly type: "given" });

/** What earlier processes of a helper did. */
export interface HelperState {
  readonly joined: Joined | undefined;
  readonly sizes: ToldSizes | undefined;
  /** The last attempt at each round. */
  readonly used: ReadonlyMap<number, number>;
  readonly given: readonly GivenShare[];
  /** Whether all sums of the run were given. */
  readonly over: boolean;
}

export function encodeHelperRecord(record: HelperRecord): Uint8Array {
  if (record.type !== "given") return encodeFrame(record);
  const { bytes, ...header } = record;
  return encodeFrame(header, undefined, bytes);
}

/** @throws DataError if a record is of another kind. */
export function readHelperState(records: readonly Uint8Array[]): HelperState {
  let joined: Joined | undefined;
  let sizes: ToldSizes | undefined;
  let sums = Infinity;
  const used = new Map<number, number>();
  const given: GivenShare[] = [];
  for (const record of records) {
    const { header, bytes } = decodeFrame(record);
    const known = { ...header, bytes } as unknown as HelperRecord;
    switch (known.type) {
      case "joined":
        joined = { session: known.session, plan: known.plan, state: known.state };
        break;
      case "sizes":
        sizes = { m: known.m, rows: known.rows, mostRows: known.mostRows };
        sums = known.sums ?? Infinity;
        break;
      case "attempt":
        used.set(known.round, known.attempt);
        break;
      case "given":
        given.push({ round: known.round, attempt: known.attempt, bytes });
        break;
      default:
        throw new DataError("helper store: a record of an unknown type");
    }
  }
  return { joined, sizes, used, given, over: given.length === sums };
}
