/**
 * The embedded kernels as bytes.
 * @module
 */
import { scalarBytes } from "../../src/core/bytes/scalar.js";
import { simdBytes } from "../../src/core/bytes/simd.js";

/** The bytes of a build. */
export function decodeBytes(build: "simd" | "scalar"): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(build === "simd" ? simdBytes : scalarBytes, "base64"));
}
