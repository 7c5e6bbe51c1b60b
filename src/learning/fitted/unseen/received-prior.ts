/**
 * A prior as its owner was sent it, through JSON or a structured clone: the same numbers.
 * @module
 */
import { DataError } from "../../../core/index.js";
import type { Component } from "../model-state.js";
import { numbersOf } from "../task/numbers-of.js";
import type { SharedPrior } from "./shared-prior.js";

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;

/** @throws DataError for an array of numbers that is none. */
function received(name: string, component: Component): Component {
  if (isObject(component) && component.data instanceof Float64Array) return component;
  if (!isObject(component) || !Array.isArray(component.shape)) {
    throw new DataError(`prior: ${name}: expected an array of numbers with its shape.`);
  }
  return {
    ...component,
    data: numbersOf(`prior: ${name}`, component.data, "sharedPrior made them"),
  };
}

/**
 * @throws TypeError for what is no prior; DataError for a component that is none.
 */
export function receivedPrior(prior: SharedPrior): SharedPrior {
  if (!isObject(prior) || !isObject(prior.components)) {
    throw new TypeError("prior: expected a fitted model, or what sharedPrior makes of one");
  }
  const components = Object.entries(prior.components);
  if (components.every(([, one]) => one?.data instanceof Float64Array)) return prior;
  return {
    ...prior,
    components: Object.fromEntries(components.map(([name, one]) => [name, received(name, one)])),
  };
}
