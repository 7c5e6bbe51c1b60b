/**
 * The names that a fit's second argument may have.
 * @module
 */
import { checkNames, namesOf } from "../../core/index.js";
import type { FitOptions } from "./estimator.js";

const NAMES = namesOf<FitOptions>({
  ...{ onRound: true, signal: true, workers: true, threads: true, journal: true },
  ...{ warmStart: true, notCharged: true, observe: true },
});

/** @throws OptionError for a name that is none of a fit's, such as a journal spelt otherwise. */
export function checkHooks(method: string, hooks: FitOptions): void {
  checkNames(`${method}: fit`, hooks, NAMES);
}
