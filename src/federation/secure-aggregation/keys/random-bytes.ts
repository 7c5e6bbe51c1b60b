/**
 * Where keys and shares come from: given to the machines, which read no generator themselves.
 * @module
 */
import { object } from "../../../core/checks.js";
import { chacha20 } from "@noble/ciphers/chacha.js";
import { randomBytes } from "@noble/hashes/utils.js";
import { refuseMode, seededKey } from "../../../random/seed.js";
import type { RandomOptions } from "../../../random/index.js";

/** n fresh random bytes. */
export type RandomBytes = (n: number) => Uint8Array;

/**
 * Random bytes from the platform's cryptographic generator, or reproducible ones, which hide nothing.
 *
 * @param options secure or seeded; a seed is stretched with ChaCha20.
 * @throws OptionError for an unknown mode; TypeError for a seed that is none.
 */
export function randomBytesFrom(options: RandomOptions): RandomBytes {
  object("options", options);
  if (options.mode === "secure") return (n) => randomBytes(n);
  if (options.mode !== "seeded") return refuseMode(options);
  const key = new Uint8Array(seededKey(options.seed).buffer);
  let drawn = 0;
  return (n) => {
    const nonce = new Uint8Array(12);
    new DataView(nonce.buffer).setUint32(0, drawn++, true);
    return chacha20(key, nonce, new Uint8Array(n));
  };
}
