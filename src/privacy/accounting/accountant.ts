/**
 * What an accountant is, and the choice among them.
 * @module
 */
import type { EventGroup } from "./groups.js";

/** Names of the accountants; `"auto"` takes the tightest valid one. */
export type AccountantName = "kov" | "exact" | "gdp" | "rdp" | "pld" | "selection";

/** Turns grouped events into delta(eps) and eps(delta), rounded against us. */
export interface Accountant {
  readonly name: AccountantName;
  /** Undefined if it covers the events; otherwise why it does not. */
  refusal(groups: readonly EventGroup[]): string | undefined;
  /** Infinity where no finite eps exists. */
  epsilon(groups: readonly EventGroup[], delta: number): number;
  delta(groups: readonly EventGroup[], epsilon: number): number;
}
