/**
 * Instances of both builds of the kernels, so that a test can run on each and compare them.
 * @module
 */
import { describe } from "vitest";
import { initialize, openCore, type Pointer } from "../../src/core/index.js";
import type { Core } from "../../src/core/core.js";

export type Build = "simd" | "scalar";
export const builds: readonly Build[] = ["simd", "scalar"];

/** A fresh instance of one build; what is loaded otherwise stays the default. */
export function coreOf(build: Build): Core {
  initialize({ build });
  try {
    return openCore();
  } finally {
    initialize();
  }
}

/** A group of tests, once for each build. */
export function describeBuilds(title: string, body: (core: Core, build: Build) => void): void {
  for (const build of builds) describe(`${title} (${build})`, () => body(coreOf(build), build));
}

/** A block holding unsigned 32-bit words. */
export function wordsOf(core: Core, values: ArrayLike<number>): Pointer {
  const at = core.arena.bytes(4 * values.length);
  core.arena.words(at, values.length).set(values);
  return at;
}

/** A ChaCha20 state keyed with the bytes seed, seed + 1, ... */
export function testStream(core: Core, seed: number, stream = 0): Pointer {
  const { kernels, arena } = core;
  const state = arena.bytes(kernels.randomStateBytes());
  const key = wordsOf(
    core,
    Uint32Array.from({ length: 8 }, (_, i) => seed + 0x01000193 * i),
  );
  kernels.randomInit(state, key, stream, 0);
  return state;
}
