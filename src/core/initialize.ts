/**
 * `initialize`: choose or hand over the kernels before first use.
 * @module
 */
import { resetSharedCore } from "./core.js";
import { adoptLoaded, loadKernels, type InitializeOptions, type LoadedKernels } from "./load.js";

/**
 * Loads the kernels now. Calling it is optional: without it they load at first use.
 *
 * @param options.module a compiled `mp-mtl/kernels.wasm`, for hosts that refuse to compile bytes.
 * @param options.build  "simd", "scalar" or "relaxed"; by default SIMD where the host has it.
 * @throws HostError if the host cannot compile, or lacks what the build asked for needs.
 * @example initialize({ build: "scalar" });
 */
export function initialize(options: InitializeOptions = {}): void {
  loadKernels(options);
  resetSharedCore();
}

/** In a worker: uses the kernels of the thread that started it, instead of compiling its own. */
export function adoptKernels(kernels: LoadedKernels): void {
  adoptLoaded(kernels);
  resetSharedCore();
}
