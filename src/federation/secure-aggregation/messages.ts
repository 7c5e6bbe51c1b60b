/**
 * The messages of one attempt, as bytes: version, kind, session, then fixed-size fields.
 *
 *   participant -> curator                     curator -> participants
 *   keys      two public keys, signature       roster    of its neighbours: keys, signatures
 *   shares    commitment, sealed shares        inbox     sealed shares for it
 *   input     complaints, masked integers      included  who shared, who is in the sum
 *   consent   signature of `included`          consents  signatures of at least t
 *   reveal    one share per neighbour
 *
 * `gather`, `partial` and `held` pass between the curator and relays (`relays/relay-messages.ts`).
 * Numbers are little-endian. A message with anything missing or left over is refused.
 * @module
 */
import { concatBytes } from "@noble/hashes/utils.js";
import { equalBytes } from "../protocol/equal-bytes.js";
import { KEY_BYTES, SEAL_BYTES, SIGNATURE_BYTES } from "./keys.js";
import { SESSION_BYTES, uint32 } from "./session.js";
import { ELEMENT_BYTES } from "./shamir.js";

const VERSION = 1;

const KINDS = {
  keys: 1,
  roster: 2,
  shares: 3,
  inbox: 4,
  input: 5,
  included: 6,
  consent: 7,
  consents: 8,
  reveal: 9,
  gather: 10,
  partial: 11,
  held: 12,
} as const;

/** Names of the messages. */
export type MessageKind = keyof typeof KINDS;

const HEADER_BYTES = 2 + SESSION_BYTES;

/** Bytes of two sealed shares: of the mask key and of the self-mask seed. */
export const SEALED_BYTES = 2 * ELEMENT_BYTES + SEAL_BYTES;

/** Something that belongs to one participant. */
export interface Entry {
  readonly index: number;
  readonly bytes: Uint8Array;
}

/** A participant's public keys and its signature of them. */
export const KEYS_BYTES = 2 * KEY_BYTES + SIGNATURE_BYTES;

/** Whole message: header and body. */
export function message(
  kind: MessageKind,
  session: Uint8Array,
  ...body: readonly Uint8Array[]
): Uint8Array {
  return concatBytes(Uint8Array.of(VERSION, KINDS[kind]), session, ...body);
}

/**
 * Kind and body of a message of this session.
 * @returns a sentence if it is none.
 */
export function parseMessage(
  bytes: Uint8Array,
  session: Uint8Array,
): { kind: MessageKind; body: Uint8Array } | string {
  if (bytes.length < HEADER_BYTES) return "shorter than a header";
  if (bytes[0] !== VERSION) return `of version ${bytes[0]}, expected ${VERSION}`;
  if (!equalBytes(bytes.subarray(2, HEADER_BYTES), session))
    return "of another run, round or attempt";
  const kind = (Object.keys(KINDS) as MessageKind[]).find((name) => KINDS[name] === bytes[1]);
  if (!kind) return `of unknown kind ${bytes[1]}`;
  return { kind, body: bytes.subarray(HEADER_BYTES) };
}

/** Entries of one size: each its index and bytes. */
export function entriesBytes(entries: readonly Entry[]): Uint8Array {
  const length = entries.reduce((sum, { bytes }) => sum + 4 + bytes.length, 0);
  const whole = new Uint8Array(length);
  const view = new DataView(whole.buffer);
  let at = 0;
  for (const { index, bytes } of entries) {
    view.setUint32(at, index, true);
    whole.set(bytes, at + 4);
    at += 4 + bytes.length;
  }
  return whole;
}

/**
 * Entries of `size` bytes with strictly increasing indices below n.
 * @returns undefined if that is not what the bytes are.
 */
export function parseEntries(bytes: Uint8Array, size: number, n: number): Entry[] | undefined {
  const stride = 4 + size;
  if (bytes.length % stride !== 0) return undefined;
  // One copy for all, since a round of ten thousand has millions of entries; `slice` of a Buffer would be none.
  const own = new Uint8Array(bytes);
  const view = new DataView(own.buffer);
  const entries: Entry[] = [];
  let last = -1;
  for (let at = 0; at < own.length; at += stride) {
    const index = view.getUint32(at, true);
    if (index <= last || index >= n) return undefined;
    entries.push({ index, bytes: own.subarray(at + 4, at + stride) });
    last = index;
  }
  return entries;
}

/** A list of indices, preceded by its length: what `complaints` are. */
export function indicesBytes(indices: readonly number[]): Uint8Array {
  return concatBytes(uint32(indices.length), ...indices.map(uint32));
}

/**
 * Splits off a list of strictly increasing indices below n.
 * @returns undefined if there is none.
 */
export function takeIndices(
  bytes: Uint8Array,
  n: number,
): { indices: number[]; rest: Uint8Array } | undefined {
  if (bytes.length < 4) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const count = view.getUint32(0, true);
  const end = 4 + 4 * count;
  if (count > n || bytes.length < end) return undefined;
  const indices: number[] = [];
  for (let at = 4; at < end; at += 4) {
    const index = view.getUint32(at, true);
    if (index >= n || index <= (indices.at(-1) ?? -1)) return undefined;
    indices.push(index);
  }
  return { indices, rest: bytes.subarray(end) };
}

/** A set of participants, one bit each. */
export function setBytes(members: Iterable<number>, n: number): Uint8Array {
  const bytes = new Uint8Array(Math.ceil(n / 8));
  for (const index of members) bytes[index >> 3]! |= 1 << (index & 7);
  return bytes;
}

/** @returns undefined if the bytes are not a set of participants below n. */
export function parseSet(bytes: Uint8Array, n: number): Set<number> | undefined {
  if (bytes.length !== Math.ceil(n / 8)) return undefined;
  const members = new Set<number>();
  for (let index = 0; index < 8 * bytes.length; index++) {
    if ((bytes[index >> 3]! >> (index & 7)) & 1) {
      if (index >= n) return undefined;
      members.add(index);
    }
  }
  return members;
}
