/**
 * Records that vouch for those before them: each has its number, its length, and the digest of the record before,
 * and one digest covers these and the content.
 *
 * A record is one line of text, `mp-mtl-record 1 NUMBER BEFORE LENGTH DIGEST`, and the content. DIGEST is the SHA-256 of
 * all else, BEFORE that of the record before (of the first, what the chain began with). So a record that was altered, cut, exchanged
 * or taken from other records is found, and so is one that is missing before another. Records that are missing at the end
 * are not found here: somebody else must know how many there were.
 * @module
 */
import { DataError } from "./errors.js";

/** SHA-256 of some bytes, 32 bytes. */
export type Sha256 = (bytes: Uint8Array) => Uint8Array;

/** The end of a chain. */
export interface ChainEnd {
  /** Records so far. */
  readonly count: number;
  /** Digest of the last, 64 hexadecimal digits. */
  readonly digest: string;
}

/** The end of a chain without records; one that is to be told from all others begins with random digits instead. */
export const EMPTY_CHAIN: ChainEnd = { count: 0, digest: "0".repeat(64) };

const LAYOUT = "mp-mtl-record 1";
/** Longest first line there can be. */
const HEAD_LIMIT = 256;
const HEAD = /^(mp-mtl-record 1 (\d+) ([0-9a-f]{64}) (\d+) )([0-9a-f]{64})\n/;
const ADVICE =
  "what it released cannot be drawn again; restore the records as they were last, or start anew with a budget of its own";

const hexOf = (bytes: Uint8Array) =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

function digestOf(head: string, content: Uint8Array, sha256: Sha256): string {
  const text = new TextEncoder().encode(head);
  const all = new Uint8Array(text.length + content.length);
  all.set(text);
  all.set(content, text.length);
  return hexOf(sha256(all));
}

const firstLine = (bytes: Uint8Array) =>
  HEAD.exec(new TextDecoder("latin1").decode(bytes.subarray(0, HEAD_LIMIT)));

/** What a chain began with, by its first record; of bytes that are none, what opening them will refuse. */
export function chainStart(first: Uint8Array): ChainEnd {
  return { ...EMPTY_CHAIN, digest: firstLine(first)?.[3] ?? EMPTY_CHAIN.digest };
}

/** Makes the record that follows `end`, and the chain's new end. */
export function sealRecord(
  end: ChainEnd,
  content: Uint8Array,
  sha256: Sha256,
): { bytes: Uint8Array; end: ChainEnd } {
  const count = end.count + 1;
  const head = `${LAYOUT} ${count} ${end.digest} ${content.length} `;
  const digest = digestOf(head, content, sha256);
  const line = new TextEncoder().encode(`${head}${digest}\n`);
  const bytes = new Uint8Array(line.length + content.length);
  bytes.set(line);
  bytes.set(content, line.length);
  return { bytes, end: { count, digest } };
}

/**
 * The content of the record that must follow `end`, and the chain's new end.
 *
 * @param place names the record in errors.
 * @throws DataError if the bytes are not that record, whole and unaltered.
 */
export function openRecord(
  end: ChainEnd,
  bytes: Uint8Array,
  sha256: Sha256,
  place: string,
): { content: Uint8Array; end: ChainEnd } {
  const count = end.count + 1;
  const refuse = (what: string): never => {
    throw new DataError(`${place}: record ${count} ${what}; ${ADVICE}.`);
  };
  const [line, head, number, before, length, digest] = firstLine(bytes) ?? refuse("is damaged");
  // A copy: `slice` of what Node reads is none.
  const content = Uint8Array.from(bytes.subarray(line!.length));
  if (content.length !== Number(length)) refuse("is damaged: it is cut short, or too long");
  if (digestOf(head!, content, sha256) !== digest) refuse("is damaged: its digest is another");
  if (Number(number) !== count || before !== end.digest) {
    refuse(`does not follow the record before it: it is of other records, or out of its place`);
  }
  return { content, end: { count, digest: digest! } };
}
