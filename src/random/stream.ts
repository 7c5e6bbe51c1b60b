/**
 * Random streams: ChaCha20 in the kernels, keyed securely or from a seed.
 * @module
 */
import { integer } from "../core/checks.js";
import type { Core } from "../core/core.js";
import type { Pointer } from "../core/kernels/pointer.js";
import { refuseMode, secureKey, seededKey } from "./seed.js";

/**
 * Where randomness comes from. `"secure"`: a fresh key from `crypto.getRandomValues`. `"seeded"`:
 * the same seed gives the same bits on every host; whoever knows the seed can subtract the noise,
 * so what it touches is reproducible and not private.
 */
export type RandomOptions =
  | { mode: "secure" }
  | {
      mode: "seeded";
      /** Whoever knows it can subtract the noise; 1 and "1" are the same seed. */
      seed: string | number;
    };

/** An open stream. Its state lies in the memory of `core`, whose kernels draw from it. */
export interface RandomStream {
  /** How it was keyed. */
  readonly mode: RandomOptions["mode"];
  /** The kernels and the memory that it lies in. */
  readonly core: Core;
  /** Address of the state, for the kernels that draw. */
  readonly state: Pointer;
  /**
   * Goes to the start of another stream of the same key, so that what is drawn for one purpose does
   * not depend on how much was drawn for those before.
   */
  select(purpose: number): void;
  /** Overwrites key and buffered words. Call it before the arena block is given back. */
  close(): void;
}

/**
 * Opens a stream in the memory of `core`.
 *
 * @param options secure or seeded; see {@link RandomOptions}.
 * @param purpose number of the stream, 0 to 2^53 - 1, default 0. Streams of one seed with different
 *                numbers are independent; with the same number they are the same.
 * @throws HostError where a secure key cannot be had; OptionError for an unknown mode.
 */
export function openStream(core: Core, options: RandomOptions, purpose = 0): RandomStream {
  integer("purpose", purpose, 0);
  const { kernels, arena } = core;
  const bytes = kernels.randomStateBytes();
  const key = keyOf(options);
  const state = arena.bytes(bytes, "a random stream");
  const mark = arena.mark();
  const at = arena.bytes(key.byteLength, "a random key");
  arena.words(at, key.length).set(key);
  kernels.randomInit(state, at, purpose >>> 0, Math.floor(purpose / 2 ** 32));
  arena.wipe(at, key.byteLength);
  key.fill(0);
  arena.release(mark);
  return {
    mode: options.mode,
    core,
    state,
    select: (number) => {
      integer("purpose", number, 0);
      kernels.randomSelect(state, number >>> 0, Math.floor(number / 2 ** 32));
    },
    close: () => arena.wipe(state, bytes),
  };
}

function keyOf(options: RandomOptions): Uint32Array<ArrayBuffer> {
  if (options.mode === "secure") return secureKey();
  if (options.mode === "seeded") return seededKey(options.seed);
  return refuseMode(options);
}
