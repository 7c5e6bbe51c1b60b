/**
 * What a budget can be expected to buy with the data and settings as they stand, before anything is learned.
 * @module
 */
import { prospectsOf } from "../../../src/learning/prospects/prospects.js";
import type { DataSizes } from "../work/messages.js";

/** Methods that learn, for a part of the budget, how large columns are that nobody declared. */
const LEARNING_SIZES: ReadonlySet<string> = new Set(["auto", "mp-mixed"]);

/** What is asked of, beside the data. */
export interface AskedBudget {
  /** The library's name. */
  readonly method: string;
  readonly epsilon: number;
  readonly delta: "auto" | number;
}

/** The expectation, where there is one, and what to think about; as `fit` and `account` say it, each a sentence. */
export function prospectsWords(
  sizes: DataSizes,
  { method, epsilon, delta }: AskedBudget,
): readonly string[] {
  const undeclared = LEARNING_SIZES.has(method) ? sizes.undeclared : 0;
  const { expectation, warnings } = prospectsOf({ ...sizes, undeclared, epsilon, delta });
  const all = expectation === null ? warnings : [expectation, ...warnings];
  return all.map((text) => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`);
}
