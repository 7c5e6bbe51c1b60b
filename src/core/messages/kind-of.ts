/**
 * What was given in the place of something else, in a few words that tell nothing of its content.
 * @module
 */

/** Whether it is one, of whatever realm. */
const isPromise = (value: unknown): boolean =>
  typeof (value as PromiseLike<unknown> | null | undefined)?.then === "function";

/** Completes "got". */
export function kindOf(value: unknown): string {
  if (Array.isArray(value)) return "an array";
  if (isPromise(value)) return "a promise: await it";
  return value === null ? "null" : typeof value;
}
