/**
 * What a curator and a relay say to each other in one attempt at a sum, as bytes after the header of every message of an
 * attempt (`secure-aggregation/attempt/messages.ts`):
 *
 *   curator -> relay                                     relay -> curator
 *   gather    urgency, modulus, entries, whose inputs,   partial   whose inputs, their sum
 *             of plain sums their terms                  held      whose inputs so far
 *
 * A relay whose sums are for another relay sends its `partial` there, and `held` to the curator.
 * Sets have one bit for each member of the relay's group, all participants beneath it, in the order of their numbers in the plan.
 * @module
 */
import { concatBytes } from "@noble/hashes/utils.js";
import { message } from "../secure-aggregation/attempt/messages.js";
import { parseSet, setBytes } from "../secure-aggregation/attempt/message-parts.js";
import {
  parseResidues,
  residueBytes,
  type ModulusBits,
} from "../secure-aggregation/integers/residues.js";
import { uint32 } from "../secure-aggregation/keys/session.js";

/** How soon the curator wants a sum: when it is whole; that too, and word of what is there; at once, whoever is missing. */
export type Urgency = "whole" | "tell" | "now";

/** What a relay is asked for. */
export interface GatherRequest {
  readonly urgency: Urgency;
  readonly bits: ModulusBits;
  /** Residues in an input. */
  readonly entries: number;
  /** Places in the group of those whose inputs are awaited. */
  readonly awaited: ReadonlySet<number>;
  /** Of plain sums what vectors are held to (`relayed-sums/clear-terms.ts`); of secure ones nothing. */
  readonly terms?: Uint8Array;
}

/** A sum of the inputs of some of a group. */
export interface Partial {
  /** Their places in the group. */
  readonly held: ReadonlySet<number>;
  readonly sum: Uint32Array;
}

const URGENCIES: readonly Urgency[] = ["whole", "tell", "now"];
const HEAD_BYTES = 6;
/** Longest vector that a relay adds up, in bytes: a curator cannot have it take all memory. */
const MOST_BYTES = 2 ** 30;

export function gatherMessage(
  session: Uint8Array,
  { urgency, bits, entries, awaited, terms = new Uint8Array() }: GatherRequest,
  size: number,
): Uint8Array {
  const head = Uint8Array.of(URGENCIES.indexOf(urgency), bits);
  return message("gather", session, head, uint32(entries), setBytes(awaited, size), terms);
}

/** @returns undefined if the body is no request for a group of that size. */
export function parseGather(body: Uint8Array, size: number): GatherRequest | undefined {
  if (body.length < HEAD_BYTES) return undefined;
  const urgency = URGENCIES[body[0]!];
  const bits = body[1];
  const entries = new DataView(body.buffer, body.byteOffset).getUint32(2, true);
  const end = HEAD_BYTES + Math.ceil(size / 8);
  const awaited = parseSet(body.subarray(HEAD_BYTES, end), size);
  if (!urgency || !awaited || (bits !== 32 && bits !== 64)) return undefined;
  if (entries < 1 || entries * (bits / 8) > MOST_BYTES) return undefined;
  const terms = body.slice(end);
  return { urgency, bits, entries, awaited, ...(terms.length > 0 ? { terms } : {}) };
}

export function partialMessage(
  session: Uint8Array,
  { held, sum }: Partial,
  size: number,
): Uint8Array {
  return concatBytes(message("partial", session, setBytes(held, size)), residueBytes(sum));
}

/** @returns undefined if the body is no sum for a group of that size. */
export function parsePartial(
  body: Uint8Array,
  size: number,
  { entries, bits }: { readonly entries: number; readonly bits: ModulusBits },
): Partial | undefined {
  const end = Math.ceil(size / 8);
  const held = parseSet(body.subarray(0, end), size);
  const sum = held && parseResidues(body.subarray(end), entries, bits);
  return sum && { held, sum };
}

export function heldMessage(
  session: Uint8Array,
  held: ReadonlySet<number>,
  size: number,
): Uint8Array {
  return message("held", session, setBytes(held, size));
}
