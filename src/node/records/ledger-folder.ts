/**
 * A ledger in a folder of records: created if absent, taken up where it stopped if not.
 * @module
 */
import { text } from "../../core/checks.js";
import { DataError } from "../../core/errors.js";
import { DurableLedger } from "../../privacy/ledger/durable-ledger.js";
import { openRecordFolder } from "./record-folder.js";
import { requireSameLedger } from "../../privacy/ledger/require-same-ledger.js";
import type { LedgerOptions } from "../../privacy/ledger/ledger-entry.js";

/** An open ledger. */
export interface LedgerFolder {
  /** Every charge is on disk before it counts. */
  readonly ledger: DurableLedger;
  /** Lets other processes have the folder. */
  close(): void;
}

/**
 * Opens a ledger that is kept in a folder: one record, and one file, for every charge.
 *
 * @param folder  made if it is not there, for its owner only.
 * @param options for a new ledger; an existing one must be for the same budget, adjacency, plan and source of noise.
 * @throws OptionError if the ledger is for something else, or the folder cannot be written.
 * @throws DataError if a record is missing or damaged, naming it, if the folder is an older copy, holds something else, or is in use.
 * @example
 * const { ledger, close } = openLedgerFolder("budget", { epsilon: 1, delta: 1e-5, adjacency: "replace" });
 */
export function openLedgerFolder(folder: string, options: LedgerOptions): LedgerFolder {
  text("folder", folder);
  const what = "this ledger open; two fits cannot spend one budget at once";
  const records = openRecordFolder(folder, what);
  const append = (line: string) => records.append(new TextEncoder().encode(line));
  try {
    const log = records
      .read()
      .map((record) => new TextDecoder().decode(record))
      .join("");
    if (log === "") {
      return { ledger: DurableLedger.create(options, append), close: () => records.close() };
    }
    const { ledger, length } = DurableLedger.recover(log, append);
    if (length < log.length) throw new DataError(`${folder}: its last record is no charge.`);
    requireSameLedger(folder, ledger, options);
    return { ledger, close: () => records.close() };
  } catch (error) {
    records.close();
    throw error;
  }
}
