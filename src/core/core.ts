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

/** Kernels in use, and the module that they are of. */
const open = new WeakMap<Kernels, WebAssembly.Module>();
/**
 * Instances whose work is over. One that is taken again costs no growing of its memory, whose every step counts as garbage for
 * the host: a fit of 10 MiB set off a collection of everything.
 */
const kept: Kernels[] = [];
/** At most so many, of so many bytes together: memory that nobody uses. */
const MOST_KEPT = 2;
const KEPT_LIMIT = 64 * 2 ** 20;

const bytesOf = ({ memory }: Kernels) => memory.buffer.byteLength;

/**
 * An instance with a memory of its own. Each fit opens one: its data lies there once, and two fits that interleave cannot disturb
 * each other. Closing it, or dropping it, returns what a large one holds to the host (WebAssembly memory itself never shrinks).
 */
export function openCore(): Core {
  const module = kernelModule();
  const kernels =
    kept.pop() ?? (new WebAssembly.Instance(module, {}).exports as unknown as Kernels);
  open.set(kernels, module);
  return { kernels, arena: new Arena(kernels.memory, kernels.heapBase()) };
}

/**
 * Hands an instance back once nothing refers to it any more: a small one is wiped and kept for the next `openCore`. One that is
 * never closed is dropped like any other object.
 */
export function closeCore({ kernels, arena }: Core): void {
  const isCurrent = open.get(kernels) === kernelModule();
  const isFirst = open.delete(kernels);
  if (!isFirst || !isCurrent || kept.length >= MOST_KEPT) return;
  if (kept.reduce((sum, one) => sum + bytesOf(one), bytesOf(kernels)) > KEPT_LIMIT) return;
  arena.wipeAll();
  kept.push(kernels);
}

let shared: Core | undefined;
const SHARED_LIMIT = 64 * 2 ** 20;

/**
 * Runs a synchronous piece of work in a shared instance and releases all it allocated. An
 * instance that has grown large is dropped afterwards.
 */
export function withCore<T>(work: (core: Core) => T): T {
  const core = sharedCore();
  const mark = core.arena.mark();
  try {
    return work(core);
  } finally {
    leaveCore(core, mark);
  }
}

/**
 * The shared instance, for what is asked thousands of times a fit: a function that is made for every call, as `withCore` takes one, is compiled anew after every
 * large collection. The caller hands it back by `leaveCore`, whatever happens.
 */
export function sharedCore(): Core {
  return (shared ??= openCore());
}

/** Releases what was allocated in the shared instance since `mark`. */
export function leaveCore({ arena, kernels }: Core, mark: number): void {
  arena.release(mark);
  if (bytesOf(kernels) > SHARED_LIMIT) shared = undefined;
}

/** Forgets the instances that are kept, so that the next use takes the module loaded then. */
export function resetSharedCore(): void {
  shared = undefined;
  kept.length = 0;
}
