/**
 * The stored form of a ledger: runs of equal planned events, and the entries.
 * @module
 */
import type { AccountantName } from "../accounting/accountants/accountant.js";
import { parseEvent } from "../events/parse-event.js";
import type { LedgerEntry, LedgerOptions, LedgerUnit, NoiseSource } from "./ledger-entry.js";
import type { LedgerTerms } from "./ledger-terms.js";
import type { Adjacency, EventRun, PrivacyEvent } from "../events/event-kinds.js";

/** JSON of a ledger. */
export interface StoredLedger {
  format: "mp-mtl-ledger";
  version: 1;
  epsilon: number;
  delta: number;
  adjacency: Adjacency;
  accountant: AccountantName | "auto";
  nominal: boolean;
  noiseSource?: NoiseSource;
  unit?: LedgerUnit;
  terms?: LedgerTerms;
  plan?: EventRun[];
  entries: LedgerEntry[];
}

/** Most planned releases that are read: their list is made whole. */
const MOST_PLANNED = 10_000_000;

function object(value: unknown, name: string): Record<string, unknown> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new TypeError(`${name}: expected an object`);
  }
  return value as Record<string, unknown>;
}

function array(value: unknown, name: string): unknown[] {
  if (!Array.isArray(value)) throw new TypeError(`${name}: expected an array`);
  return value;
}

/** One entry from JSON. */
export function parseEntry(value: unknown, name: string): LedgerEntry {
  const { round, label, event } = object(value, name);
  if (label !== undefined && typeof label !== "string") {
    throw new TypeError(`${name}.label: expected a string`);
  }
  if (typeof round !== "number") throw new TypeError(`${name}.round: expected a number`);
  return {
    round,
    event: parseEvent(event, `${name}.event`),
    ...(label === undefined ? {} : { label }),
  };
}

/** Checks the header's shape and rebuilds plan and entries; the ledger checks the values. */
export function parseLedger(value: unknown): LedgerOptions & { entries: LedgerEntry[] } {
  const stored = object(value, "ledger");
  if (stored["format"] !== "mp-mtl-ledger" || stored["version"] !== 1) {
    throw new RangeError(
      `ledger: expected format "mp-mtl-ledger" version 1, got ${JSON.stringify(stored["format"])} ` +
        `version ${JSON.stringify(stored["version"])}`,
    );
  }
  if (typeof stored["nominal"] !== "boolean") {
    throw new TypeError("ledger.nominal: expected true or false");
  }
  const options: LedgerOptions = {
    epsilon: stored["epsilon"] as number,
    delta: stored["delta"] as number,
    adjacency: stored["adjacency"] as Adjacency,
    accountant: stored["accountant"] as AccountantName,
    nominal: stored["nominal"],
  };
  if (stored["noiseSource"] !== undefined) {
    options.noiseSource = stored["noiseSource"] as NoiseSource;
  }
  if (stored["unit"] !== undefined) options.unit = stored["unit"] as LedgerUnit;
  if (stored["terms"] !== undefined) options.terms = stored["terms"] as LedgerTerms;
  if (stored["plan"] !== undefined) {
    let planned = 0;
    options.plan = array(stored["plan"], "ledger.plan").flatMap((run, i) => {
      const { event, count } = object(run, `ledger.plan[${i}]`);
      if (!Number.isInteger(count) || (count as number) < 1) {
        throw new RangeError(`ledger.plan[${i}].count: expected an integer >= 1`);
      }
      planned += count as number;
      if (planned > MOST_PLANNED) {
        throw new RangeError(
          `ledger.plan[${i}].count: expected at most ${MOST_PLANNED} releases in all`,
        );
      }
      return new Array<PrivacyEvent>(count as number).fill(
        parseEvent(event, `ledger.plan[${i}].event`),
      );
    });
  }
  const entries = array(stored["entries"], "ledger.entries").map((entry, i) =>
    parseEntry(entry, `ledger.entries[${i}]`),
  );
  return { ...options, entries };
}
