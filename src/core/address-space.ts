/**
 * What one memory of the kernels holds.
 * @module
 */
/** Bytes that 32-bit addresses reach: 65,536 pages of 64 KiB. */
export const ADDRESS_SPACE = 2 ** 32;
