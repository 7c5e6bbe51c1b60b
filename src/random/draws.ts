/**
 * Draws in bulk from a stream, as arrays of the caller's own.
 * @module
 */
import { integer } from "../core/checks.js";
import type { Pointer } from "../core/kernels/pointer.js";
import type { RandomStream } from "./stream.js";
import { uniformBelow } from "./uniform-below.js";

/** Runs `fill` on a scratch block of n float64, copies it out, wipes and releases it. */
function drawn(
  { core }: RandomStream,
  n: number,
  what: string,
  fill: (at: Pointer) => void,
): Float64Array {
  const { arena } = core;
  const mark = arena.mark();
  const at = arena.f64(n, what);
  try {
    fill(at);
    return arena.view(at, n).slice();
  } finally {
    arena.wipe(at, 8 * n);
    arena.release(mark);
  }
}

/** n independent standard normals. */
export function normals(stream: RandomStream, n: number): Float64Array {
  integer("n", n, 0, 2 ** 29);
  return drawn(stream, n, "normal draws", (at) =>
    stream.core.kernels.randomNormal(stream.state, at, n),
  );
}

/** n independent uniforms on the open interval (0, 1). */
export function uniforms(stream: RandomStream, n: number): Float64Array {
  integer("n", n, 0, 2 ** 29);
  return drawn(stream, n, "uniform draws", (at) =>
    stream.core.kernels.randomUniform(stream.state, at, n),
  );
}

/** 64 uniform bits, of which {@link uniforms} makes the same numbers as of these. */
export function randomBits({ core, state }: RandomStream): bigint {
  const { arena, kernels } = core;
  const mark = arena.mark();
  const at = arena.bytes(8, "random bits");
  kernels.randomWords(state, at, 2);
  const [low, high] = arena.words(at, 2);
  const bits = (BigInt(high!) << 32n) | BigInt(low!);
  arena.wipe(at, 8);
  arena.release(mark);
  return bits;
}

const CHUNK = 256;

/** Hands out the stream's 32-bit words one by one. */
function wordReader({ core, state }: RandomStream): { next(): number; close(): void } {
  const { arena, kernels } = core;
  const mark = arena.mark();
  const at = arena.bytes(4 * CHUNK, "random words");
  let used = CHUNK;
  return {
    next() {
      if (used === CHUNK) {
        kernels.randomWords(state, at, CHUNK);
        used = 0;
      }
      return arena.words(at, CHUNK)[used++]!;
    },
    close() {
      arena.wipe(at, 4 * CHUNK);
      arena.release(mark);
    },
  };
}

/** A uniform random order of 0..n-1 (Fisher and Yates), every order equally likely. */
export function permutation(stream: RandomStream, n: number): Uint32Array {
  integer("n", n, 0, 2 ** 32 - 1);
  const order = Uint32Array.from({ length: n }, (_, i) => i);
  shuffle(stream, order);
  return order;
}

/** Puts the entries of `list` into a uniform random order, in place. */
export function shuffle(stream: RandomStream, list: { length: number; [index: number]: unknown }) {
  const reader = wordReader(stream);
  try {
    for (let i = list.length - 1; i > 0; i--) {
      const j = uniformBelow(i + 1, reader.next);
      const kept = list[i];
      list[i] = list[j];
      list[j] = kept;
    }
  } finally {
    reader.close();
  }
}
