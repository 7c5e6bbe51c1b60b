/**
 * Fields and a byte stream of the PINE draft that no run uses: the proofs are held to its test vectors in these, too.
 * @see draft-chen-cfrg-vdaf-pine-01; draft-irtf-cfrg-vdaf-11, section 6.1.
 * @module
 */
import { ctr } from "@noble/ciphers/aes.js";
import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { concatBytes } from "@noble/hashes/utils.js";
import { PrimeField } from "../../../../src/federation/verified-sums/field/field.js";
import type { Xof } from "../../../../src/federation/verified-sums/field/xof.js";

/** q = 4293918721: 4 bytes. Small proofs are weak in it. */
export const FIELD_32 = new PrimeField("Field32", 4293918721n, 4, 20, 3925978153n);

const MODULUS_128 = (1n << 66n) * 4611686018427387897n + 1n;
const GENERATOR_128 = new PrimeField("", MODULUS_128, 0, 0, 1n).power(7n, 4611686018427387897n);

/** q = 2^66 4611686018427387897 + 1: 16 bytes. */
export const FIELD_128 = new PrimeField("Field128", MODULUS_128, 16, 66, GENERATOR_128);

const BLOCK = 16;

/** AES-128 in counter mode, under a key and first counter from HMAC-SHA-256 of tag and binder. */
export const XOF_HMAC_SHA256_AES_128: Xof = {
  seedBytes: 32,
  stream(seed, tag, binder) {
    const digest = hmac(sha256, seed, concatBytes(Uint8Array.of(tag.length), tag, binder));
    const key = digest.slice(0, BLOCK);
    const counter = digest.slice(BLOCK);
    // Only its lower half counts. That it overflows within a read has probability below 2^-40.
    const count = new DataView(counter.buffer, counter.byteOffset + 8, 8);
    let rest = new Uint8Array(0);
    return (n) => {
      if (n > rest.length) {
        const blocks = Math.ceil((n - rest.length) / BLOCK);
        const more = ctr(key, counter).encrypt(new Uint8Array(blocks * BLOCK));
        count.setBigUint64(0, count.getBigUint64(0) + BigInt(blocks));
        rest = concatBytes(rest, more);
      }
      const bytes = rest.slice(0, n);
      rest = rest.subarray(n);
      return bytes;
    };
  },
};
