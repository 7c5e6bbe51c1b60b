/**
 * What a private fit would release, without running it.
 * @module
 */
import type { TaskSet } from "../../data/index.js";
import type { LedgerOptions } from "../../privacy/index.js";
import type { Estimator } from "../round/estimator.js";

/** Ends a fit at the moment it opens its ledger. */
class Planned extends Error {
  readonly ledger: LedgerOptions;
  constructor(ledger: LedgerOptions) {
    super("the plan is known");
    this.ledger = ledger;
  }
}

/**
 * The ledger that a fit of these tasks would open: its plan of releases, fixed before the first of
 * them by options and public sizes. Nothing is drawn and nothing released.
 */
export async function plannedLedger(estimator: Estimator, tasks: TaskSet): Promise<LedgerOptions> {
  const unread = () => undefined;
  const openLedger = (ledger: LedgerOptions) => {
    throw new Planned(ledger);
  };
  try {
    await estimator.fit(tasks, { journal: { openLedger, read: unread, write: unread } });
  } catch (error) {
    if (error instanceof Planned) return error.ledger;
    throw error;
  }
  throw new TypeError(`${estimator.method}: expected a method that keeps a ledger`);
}
