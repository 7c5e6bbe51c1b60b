/**
 * The names that a fit's second argument may have.
 * @module
 */
import { checkNames, namesOf } from "../../core/index.js";
import type { FitOptions } from "./estimator.js";

const NAMES = namesOf<FitOptions>({
  onRound: true,
  signal: true,
  workers: true,
  threads: true,
  journal: true,
  warmStart: true,
  notCharged: true,
  observe: true,
  sums: true,
});

const isFunction = (value: unknown) => typeof value === "function";
const member = (value: unknown, name: string) => (value as Record<string, unknown> | null)?.[name];

/** What a hook must be to be used, where a program may hand over something else. */
const KINDS: Partial<
  Record<keyof FitOptions, [expected: string, test: (value: unknown) => boolean]>
> = {
  signal: ["an AbortSignal", (value) => isFunction(member(value, "throwIfAborted"))],
  onRound: ["a function", isFunction],
  observe: ["a function", isFunction],
  sums: ['"in-order" or "any-order"', (value) => value === "in-order" || value === "any-order"],
  journal: [
    "a journal, as openJournal makes it",
    (value) => isFunction(member(value, "openLedger")),
  ],
  // A text would be taken apart into letters.
  notCharged: [
    "an array of texts",
    (value) => Array.isArray(value) && value.every((one) => typeof one === "string"),
  ],
};

/**
 * @throws OptionError for a name that is none of a fit's, such as a journal spelt otherwise; TypeError for what is not of its
 *   kind.
 */
export function checkHooks(method: string, hooks: FitOptions): void {
  checkNames(`${method}: fit`, hooks, NAMES);
  for (const [name, [expected, test]] of Object.entries(KINDS)) {
    const value: unknown = hooks[name as keyof FitOptions];
    if (value === undefined || test(value)) continue;
    throw new TypeError(`${method}: fit: ${name}: expected ${expected}, got ${typeof value}`);
  }
}
