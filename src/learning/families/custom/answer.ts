/**
 * What a function of the user's own answered, which is checked, never trusted.
 * @module
 */
import { finiteArray } from "../../../core/index.js";

/** Numbers as such a function may give them. */
export type Answer = Float64Array | readonly number[];

/**
 * @param what of which function, for messages.
 * @throws TypeError for anything but numbers, a promise among it; RangeError for more or fewer than `length`, or one that is not finite.
 */
export function answerOf(what: string, answer: Answer, length: number): Float64Array {
  if ((answer as unknown) instanceof Promise) {
    throw new TypeError(
      `${what}: expected a Float64Array or an array of numbers, got a promise: the function has to answer at once, without async`,
    );
  }
  if (!Array.isArray(answer)) return finiteArray(what, answer as Float64Array, length);
  // A null would count as 0.
  const at = answer.findIndex((value) => typeof value !== "number");
  if (at >= 0) {
    throw new TypeError(`${what}: expected numbers, entry ${at} is ${typeof answer[at]}`);
  }
  return finiteArray(what, Float64Array.from(answer as number[]), length);
}
