/**
 * What stands in the messages of an attempt, as bytes: entries of participants, lists and sets of them. Numbers are little-endian.
 * @module
 */
import { concatBytes } from "@noble/hashes/utils.js";
import { uint32 } from "../keys/session.js";

/** Something that belongs to one participant. */
export interface Entry {
  readonly index: number;
  readonly bytes: Uint8Array;
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
