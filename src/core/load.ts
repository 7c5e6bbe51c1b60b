/**
 * Loading the kernels: bytes inside the package, compiled once, lazily and synchronously; or a
 * module that the host compiled itself.
 * @module
 */
import { relaxedBytes } from "./bytes/relaxed.js";
import { scalarBytes } from "./bytes/scalar.js";
import { simdBytes } from "./bytes/simd.js";
import { HostError } from "./errors.js";

/** Which build of the kernels is in use. */
export type KernelBuild = "simd" | "scalar" | "relaxed" | "custom";

/** Options of {@link initialize}. */
export interface InitializeOptions {
  /**
   * A ready module of `mp-mtl/kernels.wasm`, for hosts that refuse to compile bytes (edge workers,
   * pages whose content security policy lacks `wasm-unsafe-eval`).
   */
  module?: WebAssembly.Module;
  /**
   * Forces a build; by default SIMD where the host has it. "relaxed" fuses multiplications with
   * additions (relaxed SIMD): faster matrix products, but the last bits then depend on the host, so
   * that a seed no longer gives the same numbers everywhere.
   */
  build?: "simd" | "scalar" | "relaxed";
}

let loaded: Loaded | undefined;

function decodeBase64(text: string): Uint8Array<ArrayBuffer> {
  if (typeof Buffer !== "undefined") return new Uint8Array(Buffer.from(text, "base64"));
  return Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
}

function compile(bytes: Uint8Array<ArrayBuffer>): WebAssembly.Module {
  try {
    return new WebAssembly.Module(bytes);
  } catch (cause) {
    throw new HostError(
      "This host refuses to compile WebAssembly from bytes. In a page, allow 'wasm-unsafe-eval' in " +
        "the content security policy; on an edge host, import mp-mtl/kernels.wasm and pass it to " +
        "initialize({ module }).",
      { cause },
    );
  }
}

interface Loaded {
  module: WebAssembly.Module;
  build: KernelBuild;
}

function choose(build: InitializeOptions["build"]): Loaded {
  if (typeof WebAssembly === "undefined") throw new HostError("This host has no WebAssembly.");
  if (build === "scalar") return { module: compile(decodeBase64(scalarBytes)), build };
  const bytes = decodeBase64(build === "relaxed" ? relaxedBytes : simdBytes);
  // Validation tells the feature apart from a policy that forbids compiling.
  if (WebAssembly.validate(bytes)) return { module: compile(bytes), build: build ?? "simd" };
  if (build !== undefined) {
    const feature = build === "relaxed" ? "relaxed SIMD" : "SIMD";
    throw new HostError(
      `This host has no WebAssembly ${feature}; use initialize({ build: "scalar" }), or leave ` +
        `the choice to initialize().`,
    );
  }
  return choose("scalar");
}

/**
 * Loads the kernels now instead of at first use, or chooses which.
 * @throws HostError if the host cannot compile or lacks the features of the build asked for.
 */
export function loadKernels({ module, build }: InitializeOptions = {}): void {
  loaded = module ? { module, build: "custom" } : choose(build);
}

/** The compiled module, compiling it on first use. */
export function kernelModule(): WebAssembly.Module {
  return (loaded ??= choose(undefined)).module;
}

/** Which build is in use; loads it if none is. */
export function kernelBuild(): KernelBuild {
  return (loaded ??= choose(undefined)).build;
}
