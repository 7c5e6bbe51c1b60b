/**
 * The kernels compiled from bytes that travel inside the package: what every bundler and every host
 * that may compile WebAssembly can use. The default of the import `#kernels`.
 * @module
 */
import { relaxedFromSimd } from "../bytes/relaxed.js";
import { scalarFromSimd } from "../bytes/scalar.js";
import { simdBytes } from "../bytes/simd.js";
import { HostError } from "../errors.js";
import { applyDifference } from "./difference.js";

/** The builds of the kernels that are packed. */
export type PackedBuild = "simd" | "scalar" | "relaxed";

function decodeBase64(text: string): Uint8Array<ArrayBuffer> {
  if (typeof Buffer !== "undefined") return new Uint8Array(Buffer.from(text, "base64"));
  return Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
}

/** The bytes of a build; all but the SIMD build are packed as their difference from it. */
export function kernelBytes(build: PackedBuild): Uint8Array<ArrayBuffer> {
  const simd = decodeBase64(simdBytes);
  if (build === "simd") return simd;
  const difference = build === "scalar" ? scalarFromSimd : relaxedFromSimd;
  return applyDifference(simd, decodeBase64(difference));
}

/**
 * The module of a build, or undefined where the host lacks the features it needs.
 * @throws HostError if the host forbids compiling.
 */
export function packedModule(build: PackedBuild): WebAssembly.Module | undefined {
  const bytes = kernelBytes(build);
  // Validation tells a missing feature apart from a policy that forbids compiling.
  if (build !== "scalar" && !WebAssembly.validate(bytes)) return undefined;
  try {
    return new WebAssembly.Module(bytes);
  } catch (cause) {
    throw new HostError(
      "This host refuses to compile WebAssembly from bytes. In a page, allow 'wasm-unsafe-eval' in " +
        'the content security policy; on an edge host, bundle with the export condition "workerd", ' +
        "or import mp-mtl/kernels.wasm and pass it to initialize({ module }).",
      { cause },
    );
  }
}
