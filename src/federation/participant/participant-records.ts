/**
 * What a participant's store holds: the session it joined and, where it must never say a thing twice,
 * what it showed, which secure sums it helped to open, and its integers of the sum that is open.
 * @module
 */
import { DataError } from "../../core/index.js";
import { decodeFrame, encodeFrame } from "../protocol/frame.js";
import type { Shown } from "./participant-rounds.js";

/** What earlier processes of a participant did. */
export interface StoredState {
  /** The session that was joined. */
  readonly joined: string | undefined;
  readonly shown: Shown[];
  /** Rounds whose sums were opened. */
  readonly opened: number[];
  /** With secure sums: the integers of the open round, noise included. */
  readonly integers: Shown | undefined;
}

/** The record of a round's integers. */
export function integersRecord({ round, values }: Shown): Uint8Array {
  return encodeFrame({ type: "integers", round }, values);
}

/** @throws DataError if a record is of another kind. */
export function readStoredState(records: readonly Uint8Array[] = []): StoredState {
  let joined: string | undefined;
  const shown: Shown[] = [];
  const opened: number[] = [];
  let integers: Shown | undefined;
  for (const record of records) {
    const { header, values } = decodeFrame(record);
    const round = header["round"] as number;
    switch (header["type"]) {
      case "joined":
        joined = header["session"] as string;
        break;
      case "shown":
        shown.push({ round, values });
        break;
      case "opened":
        opened.push(round);
        break;
      case "integers":
        integers = { round, values };
        break;
      default:
        throw new DataError("participant store: a record of an unknown type");
    }
  }
  return { joined, shown, opened, integers };
}
