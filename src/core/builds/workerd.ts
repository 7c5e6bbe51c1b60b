/**
 * The kernels as a module that the host compiled when the worker was deployed: workerd refuses to
 * compile bytes at run time. What the import `#kernels` means under the condition "workerd".
 * @module
 */
import simd from "../../kernels.wasm";
import { HostError } from "../errors.js";
import type { PackedBuild } from "./packed-bytes.js";

/**
 * The module of the SIMD build, which every workerd can run.
 * @throws HostError for another build: only this one is deployed.
 */
export function packedModule(build: PackedBuild): WebAssembly.Module {
  if (build === "simd") return simd;
  throw new HostError(
    `The build ${JSON.stringify(build)} is not deployed with a worker, only "simd"; leave the ` +
      `choice to initialize(), or pass a module of your own: initialize({ module }).`,
  );
}
