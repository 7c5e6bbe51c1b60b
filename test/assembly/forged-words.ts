/**
 * A stream whose next words a test chooses, to reach what random words reach once in 2^39 draws.
 * @module
 */
import type { Core } from "../../src/core/core.js";
import type { Pointer } from "../../src/core/index.js";
import { testStream } from "./builds.js";

/** Bytes before the buffered words, and the index of the next one: `assembly/random/chacha.ts`. */
const BUFFER = 128;
const POSITION = 64;

/** First bits of a word that propose step 0, 1, 2 of variance 1. */
export const STEP_BITS = [0n, 64n, 104n] as const;

/**
 * A stream that hands out these next: bigints as 64 bits from an even index (as `next64` reads them), numbers as 32.
 */
export function forgeWords(core: Core, words: readonly (bigint | number)[]): Pointer {
  const state = testStream(core, 99);
  const scratch = core.arena.bytes(16);
  core.kernels.randomWords(state, scratch, 1); // fills the buffer
  const list: number[] = [];
  for (const word of words) {
    if (typeof word === "number") list.push(word);
    else {
      if (list.length % 2 === 1) list.push(0);
      list.push(Number(word & 0xffffffffn), Number(word >> 32n));
    }
  }
  if (list.length > 256) throw new RangeError("more words than a stream buffers");
  core.arena.words(state + BUFFER, list.length).set(list);
  core.arena.words(state + POSITION, 1)[0] = 0;
  return state;
}
