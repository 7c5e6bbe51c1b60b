export { Arena } from "./arena.js";
export * from "./checks.js";
export { closeCore, openCore, withCore, type Core } from "./core.js";
export * from "./errors.js";
export { checkNames, namesOf } from "./messages/known-names.js";
export { didYouMean } from "./messages/nearest.js";
export { adoptKernels, initialize } from "./initialize.js";
export type { Kernels } from "./kernels.js";
export type { Pointer } from "./kernels/pointer.js";
export {
  kernelBuild,
  loadedKernels,
  type InitializeOptions,
  type KernelBuild,
  type LoadedKernels,
} from "./load.js";
export { VERSION } from "./version.js";
