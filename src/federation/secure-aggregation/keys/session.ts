/**
 * One attempt at one round's sum: everything signed, derived or encrypted is bound to it.
 * @module
 */
import { sha256 } from "@noble/hashes/sha2.js";
import { concatBytes, utf8ToBytes } from "@noble/hashes/utils.js";
import { integer, object, text } from "../../../core/checks.js";

/** Which sum. Two attempts never share a session. */
export interface SessionName {
  /** Hash of the plan, as agreed. */
  readonly plan: string;
  /** Name of the run, as the plan has it. */
  readonly run: string;
  /** 1-based. */
  readonly round: number;
  /** 1-based; a new one after a failed one. */
  readonly attempt: number;
}

/** Bytes of a session's identifier. */
export const SESSION_BYTES = 32;

/** The identifier: SHA-256 of the name's fields, each preceded by its length. */
export function sessionId(name: SessionName): Uint8Array {
  const { plan, run, round, attempt } = object("name", name);
  text("plan", plan);
  text("run", run);
  integer("round", round, 1);
  integer("attempt", attempt, 1);
  const fields = ["mp-mtl secure aggregation 2", plan, run, String(round), String(attempt)];
  return sha256(concatBytes(...fields.flatMap(framed)));
}

function framed(field: string): Uint8Array[] {
  const bytes = utf8ToBytes(field);
  return [uint32(bytes.length), bytes];
}

/** Four bytes, little-endian. */
export function uint32(value: number): Uint8Array {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, value, true);
  return bytes;
}
