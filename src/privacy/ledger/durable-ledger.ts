/**
 * A ledger that is written down line by line, each line before its noise is drawn, so that a killed
 * process never under-reports what it spent.
 *
 * The first line is the empty ledger, every further one a charge with its number. `append` must
 * return only when the line will survive the process and the machine (fsync); a line whose append did
 * not return may be torn, and nothing was drawn for it.
 * @module
 */
import { DataError, HostError } from "../../core/errors.js";
import { parseEntry, parseLedger } from "./ledger-json.js";
import { Ledger } from "./ledger.js";
import type { LedgerEntry, LedgerOptions } from "./ledger-entry.js";

/** Writes one line, durably; the line ends with a line break. */
export type AppendLine = (line: string) => void;

/**
 * A ledger that outlives its process: each charge is appended to a log, one line of JSON, before it counts. `create` begins a log, `recover` reads one. `openLedgerFolder` of
 * `mp-mtl/node` keeps it in a file.
 */
export class DurableLedger extends Ledger {
  #append: AppendLine | undefined;

  private constructor(options: LedgerOptions) {
    super(options);
  }

  /** A new ledger; its first line is written now. */
  static create(options: LedgerOptions, append: AppendLine): DurableLedger {
    const ledger = new DurableLedger(options);
    append(`${JSON.stringify(ledger)}\n`);
    ledger.#append = append;
    return ledger;
  }

  /**
   * A ledger from its log. What follows the last line break is a torn line: it is left out, and
   * `length` says where the log must be cut before it is appended to.
   *
   * @param text the whole log.
   * @param append for further charges.
   * @throws DataError if a complete line is not what was written there, naming it.
   * @throws BudgetExceededError if the log overspends its own budget.
   */
  static recover(text: string, append: AppendLine): { ledger: DurableLedger; length: number } {
    const length = text.lastIndexOf("\n") + 1;
    const lines = text.slice(0, length).split("\n").slice(0, -1);
    if (lines.length === 0) throw new DataError("ledger log: expected its first line, found none");
    const parsed = lines.map((line, i) => {
      try {
        return JSON.parse(line) as unknown;
      } catch {
        // The host's own message would show a piece of the line.
        throw new DataError(`ledger log: line ${i + 1} is damaged`);
      }
    });
    const { entries, ...options } = parseLedger(parsed[0]);
    if (entries.length > 0) throw new DataError("ledger log: line 1 should hold no charges");
    const ledger = new DurableLedger(options);
    parsed.slice(1).forEach((value, i) => {
      const { number, ...entry } = (value ?? {}) as Record<string, unknown>;
      if (number !== i + 1) {
        throw new DataError(`ledger log: line ${i + 2} should be charge ${i + 1}`);
      }
      const { event, ...where } = parseEntry(entry, `ledger log line ${i + 2}`);
      ledger.charge(event, where);
    });
    ledger.#append = append;
    return { ledger, length };
  }

  protected override record(entry: LedgerEntry): void {
    const append = this.#append;
    if (!append) return; // replaying the log
    // Until the line is known to be safe nothing may follow it.
    this.#append = () => {
      throw new HostError(
        "ledger log: an earlier charge could not be written; nothing was released. Open the log again.",
      );
    };
    append(`${JSON.stringify({ number: this.releases + 1, ...entry })}\n`);
    this.#append = append;
  }
}
