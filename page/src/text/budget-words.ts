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

const WHO = {
  replace: "whatever others believe about one task",
  "zero-out": "whether one task contributes what it does or nothing",
} as const;

/** A sentence up to its last word, the factor by which odds change. */
export function budgetWords({ adjacency, mechanism, seed }: BudgetSettings): string {
  const claim = `${WHO[adjacency]}, all they receive changes the odds by a factor of at most`;
  if (isPapers(mechanism)) return `The papers claim, and their noise does not hold: ${claim}`;
  if (seed !== "")
    return `With a seed no one is protected from whoever has it; without it: ${claim}`;
  return claim.charAt(0).toUpperCase() + claim.slice(1);
}
