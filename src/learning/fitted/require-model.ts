/**
 * That a fitted model is given where one is expected.
 * @module
 */
import type { FittedModelState } from "./model-state.js";

/** @throws TypeError if the argument is none; a model of another copy of the library is one. */
export function requireModel(given: Pick<FittedModelState, "taskNames">): void {
  if (Array.isArray((given as Partial<typeof given> | null | undefined)?.taskNames)) return;
  const found = Array.isArray(given) ? "an array" : given === null ? "null" : typeof given;
  throw new TypeError(
    `model: expected a fitted model, which fit and loadModel return, got ${found}`,
  );
}
