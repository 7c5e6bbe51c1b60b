/**
 * What makes a private fit resumable: its ledger and every noisy statistic, written down as the
 * rounds go.
 *
 * A release is charged, then drawn, then written, and only then used. A run that goes on reads
 * the releases there are instead of drawing them again, so it repeats what was published and
 * spends nothing twice. Ledger and releases are covered by the budget: they may be seen by anyone.
 * @module
 */
import type { Ledger, LedgerOptions } from "../../privacy/index.js";

/** Where a fit's charges and releases are kept; `openJournal` of `mp-mtl/node` keeps them in a folder. */
export interface ReleaseJournal {
  /** The run's ledger: new, or with the charges that earlier runs made. */
  openLedger(options: LedgerOptions): Ledger;
  /** The noisy statistic of a release, 1-based; undefined if it was never written. */
  read(release: number): Float64Array | undefined;
  /** Keeps a noisy statistic; must return only when it will survive the process. */
  write(release: number, statistic: Float64Array): void;
}
