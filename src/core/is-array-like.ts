/**
 * Lists of values: arrays and typed arrays.
 * @module
 */

/** Whether a value is an array or a typed array. */
export function isArrayLike(value: unknown): value is ArrayLike<unknown> {
  return Array.isArray(value) || (ArrayBuffer.isView(value) && !(value instanceof DataView));
}
