/**
 * Loading the kernels: a build that comes with the package, compiled once, lazily and synchronously;
 * or a module that the caller hands over.
 * @module
 */
import { packedModule } from "#kernels";
import { HostError } from "./errors.js";

/** Which build of the kernels is in use. */
export type KernelBuild = "simd" | "scalar" | "relaxed" | "custom";

/** Options of {@link initialize}. */
export interface InitializeOptions {
  /**
   * A ready module of `mp-mtl/kernels.wasm`, for hosts that refuse to compile bytes. On workerd it
   * is not needed: the package's export condition "workerd" imports that file by itself.
   */
  module?: WebAssembly.Module;
  /**
   * Forces a build; by default SIMD where the host has it. "relaxed" fuses multiplications with
   * additions (relaxed SIMD): faster matrix products, but the last bits then depend on the host, so
   * that a seed no longer gives the same numbers everywhere.
   */
  build?: "simd" | "scalar" | "relaxed";
}

/** Compiled kernels and which build they are; they may be posted to other threads. */
export interface LoadedKernels {
  readonly module: WebAssembly.Module;
  readonly build: KernelBuild;
}

let loaded: LoadedKernels | undefined;

function choose(build: InitializeOptions["build"]): LoadedKernels {
  if (typeof WebAssembly === "undefined") throw new HostError("This host has no WebAssembly.");
  const module = packedModule(build ?? "simd");
  if (module) return { module, build: build ?? "simd" };
  if (build === undefined) return choose("scalar");
  const feature = build === "relaxed" ? "relaxed SIMD" : "SIMD";
  throw new HostError(
    `This host has no WebAssembly ${feature}; use initialize({ build: "scalar" }), or leave ` +
      `the choice to initialize().`,
  );
}

/**
 * Loads the kernels now instead of at first use, or chooses which.
 * @throws HostError if the host cannot compile or lacks the features of the build asked for.
 */
export function loadKernels({ module, build }: InitializeOptions): void {
  loaded = module ? { module, build: "custom" } : choose(build);
}

/** The compiled module, compiling it on first use. */
export function kernelModule(): WebAssembly.Module {
  return (loaded ??= choose(undefined)).module;
}

/**
 * Which build of the kernels is in use; loads the default one if none is.
 * @throws HostError if the host cannot compile it.
 */
export function kernelBuild(): KernelBuild {
  return (loaded ??= choose(undefined)).build;
}

/** What is loaded, if anything is: for threads that shall use the same. */
export function loadedKernels(): LoadedKernels | undefined {
  return loaded;
}

/** Uses kernels that another thread loaded. */
export function adoptLoaded(kernels: LoadedKernels): void {
  loaded = kernels;
}
