/**
 * Who was drawn in a round, sealed: the records keep it for those that come back, under a key that lies beside the
 * records and is wiped when the last participant has its models. Without the key a record tells nothing but the number
 * of tasks.
 * @see RFC 8439 (ChaCha20-Poly1305); a fresh nonce for every record.
 * @module
 */
import { chacha20poly1305 } from "@noble/ciphers/chacha.js";
import { DataError } from "../../../core/index.js";
import type { RandomBytes } from "../../secure-aggregation/keys/random-bytes.js";

const KEY_BYTES = 32;
const NONCE_BYTES = 12;

/** A key for all samples of one run. */
export const sampleKey = (random: RandomBytes): Uint8Array => random(KEY_BYTES);

/** The round is authenticated, so that a record cannot stand for another round's. */
const boundTo = (round: number) => new TextEncoder().encode(`sample of round ${round}`);

/**
 * Seals a mark for each of `tasks` tasks: of one length, whoever was drawn.
 * @returns nonce and sealed marks.
 */
export function sealSample(
  key: Uint8Array,
  round: number,
  tasks: number,
  positions: readonly number[],
  random: RandomBytes,
): Uint8Array {
  const marks = new Uint8Array(tasks);
  for (const position of positions) marks[position] = 1;
  const nonce = random(NONCE_BYTES);
  const sealed = chacha20poly1305(key, nonce, boundTo(round)).encrypt(marks);
  marks.fill(0);
  const bytes = new Uint8Array(NONCE_BYTES + sealed.length);
  bytes.set(nonce);
  bytes.set(sealed, NONCE_BYTES);
  return bytes;
}

/**
 * The positions that were drawn.
 * @throws DataError if the key is another's.
 */
export function openSample(key: Uint8Array, round: number, bytes: Uint8Array): number[] {
  let marks: Uint8Array;
  try {
    const nonce = bytes.subarray(0, NONCE_BYTES);
    marks = chacha20poly1305(key, nonce, boundTo(round)).decrypt(bytes.subarray(NONCE_BYTES));
  } catch (cause) {
    throw new DataError(
      `run store: the key of its samples does not open that of round ${round}; restore the key as it was`,
      { cause },
    );
  }
  return Array.from(marks, (_, position) => position).filter((position) => marks[position] === 1);
}
