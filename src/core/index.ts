export { Arena } from "./arena.js";
export * from "./checks.js";
export { openCore, withCore, type Core } from "./core.js";
export * from "./errors.js";
export { didYouMean, nearest } from "./nearest.js";
export { initialize } from "./initialize.js";
export type { Kernels, Pointer } from "./kernels.js";
export { kernelBuild, type InitializeOptions, type KernelBuild } from "./load.js";
export { VERSION } from "./version.js";
