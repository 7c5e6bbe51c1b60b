/**
 * What makes a private fit resumable: its ledger and every noisy statistic, written down as the
 * rounds go.
 *
 * A release is charged, then drawn, then kept in one record with its charge, and only then used: there is never one
 * without the other. A run that goes on reads the releases there are instead of drawing them again, so it repeats
 * what was published and spends nothing twice. Charges and releases are covered by the budget: they may be seen by
 * anyone.
 * @module
 */
import type { Ledger, LedgerOptions } from "../../privacy/index.js";

/** Where a fit's charges and releases are kept; `openJournal` of `mp-mtl/node` keeps them in a folder. */
export interface ReleaseJournal {
  /**
   * The run's ledger: new, with these options, or with the charges of the releases that earlier runs kept. A fit refuses one of another
   * budget or plan, or of other terms (how far a record moves the releases, owners' budgets, persons); that a journal is of the same data and
   * options otherwise is its own to see to.
   */
  openLedger(options: LedgerOptions): Ledger;
  /** The noisy statistic of a release, 1-based; undefined if it was never written. */
  read(release: number): Float64Array | undefined;
  /**
   * Keeps a noisy statistic, which is the journal's from then on, and the ledger's last charge, which is its own; must return only when both will survive
   * the process, and throw if another process may have kept something else for this release.
   */
  write(release: number, statistic: Float64Array): void;
}
