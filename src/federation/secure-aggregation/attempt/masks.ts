/**
 * Masks: ChaCha20 keystream (RFC 8439, from @noble/ciphers) read as residues.
 *
 * A key is used for one mask only, so nonce and counter start at zero.
 * @module
 */
import { chacha20 } from "@noble/ciphers/chacha.js";
import { addResidues, type ModulusBits } from "../integers/residues.js";

/** Bytes expanded at a time: small enough for the first caches. A multiple of the 64-byte block. */
const CHUNK = 2 ** 14;
const BLOCK = 64;

const NONCE = new Uint8Array(12);
const ZEROS = new Uint8Array(CHUNK);

/**
 * into <- into + sign * mask(key).
 *
 * @param key  32 bytes, never used for anything else.
 * @param sign 1 or -1; two parties with one key take opposite signs, and their masks cancel.
 */
export function addMask(into: Uint32Array, key: Uint8Array, bits: ModulusBits, sign: 1 | -1): void {
  const stream = new Uint8Array(CHUNK);
  const words = new Uint32Array(stream.buffer);
  for (let done = 0; done < into.length; done += words.length) {
    const part = into.subarray(done, done + words.length);
    const length = 4 * part.length;
    chacha20(key, NONCE, ZEROS.subarray(0, length), stream.subarray(0, length), (4 * done) / BLOCK);
    addResidues(part, words, bits, sign);
  }
  stream.fill(0);
}
