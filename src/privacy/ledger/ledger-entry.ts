/**
 * What a ledger holds, and what it is opened with.
 * @module
 */
import type { AccountantName } from "../accounting/accountants/accountant.js";
import type { Adjacency, PrivacyEvent } from "../events/event-kinds.js";
import type { LedgerTerms } from "./ledger-terms.js";

/** One charged release. */
export interface LedgerEntry {
  /** Round of the release, from 0. */
  readonly round: number;
  /** What was charged. */
  readonly event: PrivacyEvent;
  /** What the release was for, where that was said. */
  readonly label?: string;
}

/** Options of {@link Ledger}. */
export interface LedgerOptions {
  /** The budget, > 0. */
  epsilon: number;
  /** The budget's delta, in [0, 1). */
  delta: number;
  /** That of every event; others are refused. */
  adjacency: Adjacency;
  /**
   * With a plan: which accountant must find it within the budget, default `"auto"`. Without: the
   * filter for budgets chosen on the way; `"kov"` is basic composition there, `"gdp"` takes Gaussian
   * events only, `"rdp"` a mix, `"auto"` basic when delta is 0, else rdp.
   */
  accountant?: AccountantName | "auto";
  /**
   * Every release in order, fixed before the first. KOV, exact and PLD accounting are theorems
   * about fixed plans, so they need one. Without a plan a filter decides charge by charge.
   */
  plan?: readonly PrivacyEvent[];
  /** Charge one-sided Wishart events at the papers' nominal eps, which is not a guarantee. */
  nominal?: boolean;
  /**
   * Where all noise that is charged here comes from. A ledger that says so is not gone on with from
   * another source: one seeded release can be subtracted, whatever the others are.
   */
  noiseSource?: NoiseSource;
  /** What the budget and the events' sensitivities are of; absent: it is not said. */
  unit?: LedgerUnit;
  /** What is stated of the releases beside their budget; nothing is accounted by it. */
  terms?: LedgerTerms;
}

/** What a ledger's events hide: one task, one row of one, or all rows of a person. */
export type LedgerUnit = "task" | "record" | "person";

/** Every {@link LedgerUnit}. */
export const LEDGER_UNITS: readonly LedgerUnit[] = ["task", "record", "person"];

/** Secure: ChaCha20 keyed by the platform. Seeded: reproducible, so it protects nothing. */
export type NoiseSource = "secure" | "seeded";
