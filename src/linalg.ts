/**
 * Linear algebra on row-major Float64Array: the entry point `mp-mtl/linalg`.
 * @module
 */
export * from "./linalg/index.js";
