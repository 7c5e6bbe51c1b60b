/**
 * What a budget would promise with the settings as they stand, before anything is learned.
 * @module
 */
import { isPapers } from "./methods.js";

/** The settings on which a promise hangs, beside epsilon and delta. */
export interface BudgetSettings {
  readonly adjacency: "replace" | "zero-out";
  readonly mechanism: string;
  /** Empty: secure noise. */
  readonly seed: string;
}

const CLAIM = {
  replace: "whatever others believe about one task, all they receive raises the odds of it",
  "zero-out":
    "whether one task contributes what it does or nothing, all they receive raises the odds of either",
} as const;

/** A sentence up to its last word, the factor by which odds rise. */
export function budgetWords({ adjacency, mechanism, seed }: BudgetSettings): string {
  const claim = `${CLAIM[adjacency]} by a factor of at most`;
  if (isPapers(mechanism)) return `The papers claim, and their noise does not hold: ${claim}`;
  if (seed !== "")
    return `With a seed no one is protected from whoever has it; without it: ${claim}`;
  return claim.charAt(0).toUpperCase() + claim.slice(1);
}
