/**
 * The 32 key bytes of a stream: from the platform's cryptographic generator, or from a seed.
 * @module
 */
import seedrandom from "seedrandom";
import { HostError, OptionError } from "../core/errors.js";
import { kindOf } from "../core/messages/kind-of.js";

const KEY_WORDS = 8;

/** A key from `crypto.getRandomValues`. */
export function secureKey(): Uint32Array<ArrayBuffer> {
  const source = (globalThis as { crypto?: Crypto }).crypto;
  if (typeof source?.getRandomValues !== "function") {
    throw new HostError(
      "This host has no crypto.getRandomValues, so noise that protects anyone cannot be drawn. " +
        'Use a newer host; random: { mode: "seeded", seed } works here but is not private.',
    );
  }
  return source.getRandomValues(new Uint32Array(KEY_WORDS));
}

/**
 * A key from a seed, by the ARC4 generator of seedrandom. 1 and "1" are the same seed.
 * @throws TypeError if the seed is neither a finite number nor a non-empty string; it is not shown.
 */
export function seededKey(seed: string | number): Uint32Array<ArrayBuffer> {
  const usable = typeof seed === "string" ? seed !== "" : Number.isFinite(seed);
  if (!usable) {
    const found = seed === "" ? "an empty string" : kindOf(seed);
    throw new TypeError(
      `random.seed: expected a non-empty string or a finite number, got ${found}`,
    );
  }
  const generator = seedrandom(`mp-mtl key ${seed}`);
  return Uint32Array.from({ length: KEY_WORDS }, () => generator.int32());
}

/** @throws OptionError in any case: the mode is neither of the two, and taken for none. */
export function refuseMode(options: never): never {
  const found = JSON.stringify((options as { mode: unknown }).mode);
  throw new OptionError(`random.mode: expected "secure" or "seeded", got ${found}`);
}
