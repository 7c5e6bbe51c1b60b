/**
 * The methods by their names: for the command line, worker jobs and files.
 * @module
 */
import { didYouMean, OptionError } from "../core/index.js";
import { auto } from "./auto/auto.js";
import { ALL_METHODS } from "./estimators/all.js";
import { singleTask } from "./estimators/single-task.js";
import type { AnyMethod } from "./options/method.js";
import type { Estimator } from "./round/estimator.js";

/** The methods that can be had by name, in the order the help lists them. */
export const METHODS: readonly AnyMethod[] = ALL_METHODS.filter(({ inCodeOnly }) => !inCodeOnly);

/** Names, in the order the help lists them. */
export const METHOD_NAMES: readonly string[] = METHODS.map(({ name }) => name);

/** The method that shares nothing, with which the others are compared. */
export const ALONE = singleTask.name;

/** Those, and the one that takes one of them by what is public: the default. */
export const AUTO = auto.name;
export const SELECTABLE: readonly AnyMethod[] = [auto, ...METHODS];

/** What is known of a method; undefined for a name that is none's. */
export function findMethod(name: string): AnyMethod | undefined {
  return SELECTABLE.find((method) => method.name === name);
}

/**
 * What is known of a method.
 * @throws OptionError for an unknown name.
 */
export function methodNamed(name: string): AnyMethod {
  const method = findMethod(name);
  if (method) return method;
  throw new OptionError(
    `method: expected one of ${AUTO}, ${METHOD_NAMES.join(", ")}, got ${JSON.stringify(name)}.` +
      didYouMean(String(name), [AUTO, ...METHOD_NAMES]),
  );
}

/**
 * The estimator of that name; options that are undefined keep their defaults.
 * @throws OptionError for an unknown name or a bad option.
 */
export function makeEstimator(name: string, options: Record<string, unknown> = {}): Estimator {
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  return methodNamed(name).make(Object.fromEntries(given));
}

/** Whether the method draws noise under a budget. */
export function isPrivateMethod(name: string): boolean {
  return [auto, ...ALL_METHODS].some((one) => one.name === name && one.privacy !== null);
}

/** Whether its halves can run apart, on the machines of a federation. */
export const isFederated = ({ halves, inCodeOnly }: AnyMethod): boolean =>
  halves !== undefined && !inCodeOnly;
