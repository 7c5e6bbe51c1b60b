/**
 * Arrays that two threads use in turns: in shared memory where the host has it, else sent there and back.
 * @module
 */

/** n float64, shared where that can be. */
export function sharedArray(n: number): Float64Array {
  return typeof SharedArrayBuffer === "function"
    ? new Float64Array(new SharedArrayBuffer(8 * n))
    : new Float64Array(n);
}

/** Whether both threads see what one writes. */
export const isShared = ({ buffer }: Float64Array): boolean => !(buffer instanceof ArrayBuffer);

/** Whether it is all of its buffer, not a view of memory that holds more. */
export const isWhole = ({ buffer, byteLength }: Float64Array): boolean =>
  buffer.byteLength === byteLength;

/** What of these arrays has to be transferred: the buffers that are not shared. */
export function buffersOf(arrays: readonly Float64Array[]): ArrayBuffer[] {
  return arrays.flatMap(({ buffer }) => (buffer instanceof ArrayBuffer ? [buffer] : []));
}
