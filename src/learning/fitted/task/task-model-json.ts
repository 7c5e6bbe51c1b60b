/**
 * A task's model through JSON and structured clones: arrays of numbers there and back, the same bits.
 * @module
 */
import { numbersOf } from "./numbers-of.js";
import type { TaskModelState } from "./task-model-state.js";

const numbers = (what: string, given: unknown) =>
  numbersOf(`task model: ${what}`, given, "forTask made them");

const record = (value: unknown) => value as Record<string, unknown>;

/** Members that are arrays of numbers of a part of the state. */
function revived<Part extends object>(what: string, part: Part): Part {
  const entries = Object.entries(part).map(([name, value]) => [
    name,
    numbers(`${what}.${name}`, value),
  ]);
  return Object.fromEntries(entries) as Part;
}

/**
 * The state with arrays of numbers in their places.
 * @throws DataError for what was none of a task's model; TypeError for no object, and for an architecture without its code.
 */
export function withNumbers(state: TaskModelState): TaskModelState {
  if (typeof state !== "object" || state === null) {
    throw new TypeError("task model: expected what forTask made, or its JSON read by JSON.parse");
  }
  const { weights, intercepts, limits, posterior, architecture } = state;
  if (architecture && typeof record(architecture)["predict"] !== "function") {
    throw new TypeError(
      "architecture: expected the model that the weights are of; neither JSON nor a structured clone keeps its code",
    );
  }
  return {
    ...state,
    weights: numbers("weights", weights),
    intercepts: intercepts && numbers("intercepts", intercepts),
    ...(limits ? { limits: revived("limits", limits) } : {}),
    ...(posterior ? { posterior: revived("posterior", posterior) } : {}),
  };
}

/** The same with lists in the places of arrays of numbers. */
export function inPlainNumbers(state: TaskModelState): object {
  const plain = (value: unknown): unknown => {
    if (value instanceof Float64Array) return Array.from(value);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, plain(one)]));
  };
  const { weights, intercepts, limits, posterior, ...others } = state;
  return {
    ...others,
    ...(plain({ weights, intercepts, ...(limits ? { limits } : {}) }) as object),
    ...(posterior ? { posterior: plain(posterior) } : {}),
  };
}
