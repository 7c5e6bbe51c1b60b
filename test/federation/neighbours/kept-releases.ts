/**
 * A curator that releases what was kept of another run of the same plan, so that two worlds have the same releases.
 * @module
 */
import { RecordJournal, type CuratorRecord } from "../../../src/federation/protocol/records.js";
import { Ledger, type LedgerOptions } from "../../../src/privacy/index.js";

export type KeptRelease = Extract<CuratorRecord, { type: "release" }>;

/** While `body` runs, every curator is given these releases in place of its own, and keeps them as if it had drawn them. */
export async function withReleases<T>(
  kept: readonly KeptRelease[],
  body: () => Promise<T>,
): Promise<T> {
  const own = { ...methodsOf(RecordJournal.prototype) };
  const pending = new WeakMap<RecordJournal, KeptRelease>();
  Object.assign(RecordJournal.prototype, {
    openLedger(options: LedgerOptions): Ledger {
      const ledger = new Ledger(options);
      for (const { charge } of kept) {
        const { event, ...where } = charge;
        ledger.charge(event, where);
      }
      return ledger;
    },
    read(this: RecordJournal, release: number): Float64Array | undefined {
      const found = kept[release - 1];
      if (found) pending.set(this, found);
      return found?.statistic.slice();
    },
    take(this: RecordJournal): KeptRelease | undefined {
      const taken = pending.get(this);
      pending.delete(this);
      return taken;
    },
  });
  try {
    return await body();
  } finally {
    Object.assign(RecordJournal.prototype, own);
  }
}

const methodsOf = ({ openLedger, read, take }: RecordJournal) => ({ openLedger, read, take });
