/**
 * The one door to WebAssembly: an instance of the kernels with an arena over its memory.
 * @module
 */
import { Arena } from "./arena.js";
import type { Kernels } from "./kernels.js";
import { kernelModule } from "./load.js";

/** Kernels and the memory they work in. */
export interface Core {
  readonly kernels: Kernels;
  readonly arena: Arena;
}

/**
 * A fresh instance with its own memory. Each fit opens one: its data lies there once, two fits
 * that interleave cannot disturb each other, and dropping it returns the memory to the host
 * (WebAssembly memory itself never shrinks).
 */
export function openCore(): Core {
  const instance = new WebAssembly.Instance(kernelModule(), {});
  const kernels = instance.exports as unknown as Kernels;
  return { kernels, arena: new Arena(kernels.memory, kernels.heapBase()) };
}

let shared: Core | undefined;
const SHARED_LIMIT = 64 * 2 ** 20;

/**
 * Runs a synchronous piece of work in a shared instance and releases all it allocated. An
 * instance that has grown large is dropped afterwards.
 */
export function withCore<T>(work: (core: Core) => T): T {
  const core = (shared ??= openCore());
  const mark = core.arena.mark();
  try {
    return work(core);
  } finally {
    core.arena.release(mark);
    if (core.kernels.memory.buffer.byteLength > SHARED_LIMIT) shared = undefined;
  }
}

/** Forgets the shared instance, so that the next use takes the module loaded then. */
export function resetSharedCore(): void {
  shared = undefined;
}
