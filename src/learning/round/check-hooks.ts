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

/** @throws OptionError for a name that is none of a fit's, such as a journal spelt otherwise; TypeError for a signal that is none. */
export function checkHooks(method: string, hooks: FitOptions): void {
  checkNames(`${method}: fit`, hooks, NAMES);
  const { signal, onRound, observe } = hooks;
  const { throwIfAborted } = (signal ?? {}) as Partial<AbortSignal>;
  if (signal !== undefined && typeof throwIfAborted !== "function") {
    throw new TypeError(`${method}: fit: signal: expected an AbortSignal, got ${typeof signal}`);
  }
  for (const [name, hook] of Object.entries({ onRound, observe })) {
    if (hook === undefined || typeof hook === "function") continue;
    throw new TypeError(`${method}: fit: ${name}: expected a function, got ${typeof hook}`);
  }
}
