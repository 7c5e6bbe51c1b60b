/**
 * Addresses in the kernels' memory.
 * @module
 */

/** Byte address in WebAssembly memory, 16-byte aligned as the arena hands it out. */
export type Pointer = number;
