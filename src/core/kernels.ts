/**
 * The contract between TypeScript and `assembly/index.ts`: every function the kernels export.
 *
 * All matrices are float64, row-major. Sizes and overlap are checked by the caller, never by a
 * kernel. Functions named `…Workspace` return the bytes of scratch memory the kernel needs at
 * `work` (as float64, so that a size beyond 4 GiB is seen rather than wrapped).
 * @module
 */

import type { LinearAlgebraKernels } from "./kernels/linear-algebra.js";
import type { Pointer } from "./kernels/pointer.js";
import type { ProximalKernels } from "./kernels/proximal.js";
import type { RandomKernels } from "./kernels/random.js";
import type { TaskKernels } from "./kernels/tasks.js";

/** Everything the kernels export. */
export interface Kernels extends LinearAlgebraKernels, RandomKernels, TaskKernels, ProximalKernels {
  readonly memory: WebAssembly.Memory;
  /** First byte the arena may use. */
  heapBase(): Pointer;
}
