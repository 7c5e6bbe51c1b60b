/**
 * Real random numbers, each known to as many bits as are asked for.
 *
 * The kernel `exactReals` draws the first 46 bits after the point. What follows is uniform, and drawn here where a
 * rounding depends on it: 64 bits of all numbers, then rarely more, as integers of any length, which the host's
 * collector and not this library clears from memory.
 * @module
 */
import type { Core } from "../../../core/core.js";
import type { Pointer } from "../../../core/kernels/pointer.js";
import type { NoiseStream } from "../mechanism.js";

/** Bits that the kernel draws. */
export const FIRST_BITS = 46;
/** Bits drawn for every number once a rounding depends on any. */
export const NEXT_BITS = 64;
const RECORD_WORDS = 16;
const TAIL_BITS = 480;
const CHUNK = 4096;

/** What follows the first bits of a number: `value` of `bits` bits. */
interface Rest {
  value: bigint;
  bits: number;
}

const recordBytes = ({ kernels }: Core) => Math.ceil(kernels.exactRealsRecords() / 16) * 16;

/** Bytes that {@link ExactReals} needs beside the numbers. */
export function exactRealsWorkspace(core: Core): number {
  return recordBytes(core) + 4 * CHUNK;
}

/** Draws `count` numbers of one law to `at`, and refines them. */
export class ExactReals {
  readonly #core: Core;
  readonly #random: NoiseStream;
  readonly #at: Pointer;
  readonly #count: number;
  readonly #work: Pointer;
  /** Rests that the kernel had to draw, and those drawn beyond {@link NEXT_BITS}. */
  readonly #rests = new Map<number, Rest>();
  /** The next 64 bits of every number: high word, low word. */
  #next: Uint32Array | undefined;

  /** @param work {@link exactRealsWorkspace} bytes, in use while this is. */
  constructor(
    core: Core,
    random: NoiseStream,
    law: "normal" | "exponential",
    at: Pointer,
    count: number,
    work: Pointer,
  ) {
    this.#core = core;
    this.#random = random;
    this.#at = at;
    this.#count = count;
    this.#work = work;
    const { kernels, arena } = core;
    const known = kernels.exactReals(random.state, at, count, law === "normal" ? 1 : 0, work);
    const words = arena.words(work, known * RECORD_WORDS);
    for (let k = 0; k < known; k++) {
      const record = words.subarray(k * RECORD_WORDS, (k + 1) * RECORD_WORDS);
      this.#rests.set(record[0]!, { value: joined(record.subarray(1)), bits: TAIL_BITS });
    }
  }

  /** The sizes, cut to their first bits, with their signs. A view: memory growth detaches it. */
  get values(): Float64Array {
    return this.#core.arena.view(this.#at, this.#count);
  }

  /** The next {@link NEXT_BITS} bits of every number, two words each, the high one first. */
  get next(): Uint32Array {
    if (this.#next) return this.#next;
    const next = new Uint32Array(2 * this.#count);
    for (let from = 0; from < next.length; from += CHUNK) {
      const n = Math.min(CHUNK, next.length - from);
      next.set(this.#words(n), from);
    }
    for (const [i, { value }] of this.#rests) {
      const first = value >> BigInt(TAIL_BITS - NEXT_BITS);
      next[2 * i] = Number(first >> 32n);
      next[2 * i + 1] = Number(first & 0xffffffffn);
    }
    return (this.#next = next);
  }

  /** floor(|x_i| 2^bits), bits >= 46. */
  size(i: number, bits: number): bigint {
    const size = BigInt(Math.abs(this.values[i]!) * 2 ** FIRST_BITS);
    const more = bits - FIRST_BITS;
    if (more === 0) return size;
    const { next } = this;
    let rest = this.#rests.get(i);
    rest ??= { value: joined(next.subarray(2 * i, 2 * i + 2)), bits: NEXT_BITS };
    while (rest.bits < more) {
      rest.value = (rest.value << 64n) | joined(this.#words(2));
      rest.bits += 64;
      this.#rests.set(i, rest);
    }
    return (size << BigInt(more)) | (rest.value >> BigInt(rest.bits - more));
  }

  /** Overwrites the numbers and what is known of their rests. */
  wipe(): void {
    this.#rests.clear();
    this.#next?.fill(0);
    this.#core.arena.wipe(this.#at, 8 * this.#count);
    this.#core.arena.wipe(this.#work, exactRealsWorkspace(this.#core));
  }

  #words(n: number): Uint32Array {
    const { kernels, arena } = this.#core;
    const at = this.#work + recordBytes(this.#core);
    kernels.randomWords(this.#random.state, at, n);
    return arena.words(at, n);
  }
}

function joined(words: Uint32Array): bigint {
  return words.reduce((value, word) => (value << 32n) | BigInt(word), 0n);
}

/** Whether a number is negative; -0 is. */
export function isNegative(x: number): boolean {
  return x < 0 || Object.is(x, -0);
}
