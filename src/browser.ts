/**
 * `mp-mtl/browser`: the whole library as one file for a page without a bundler. Everything of
 * `mp-mtl`, and the other entry points as namespaces.
 * @module
 */
export * from "./index.js";
export * as linalg from "./linalg.js";
export * as privacy from "./privacy/index.js";
