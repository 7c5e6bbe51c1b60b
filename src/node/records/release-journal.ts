/**
 * A release journal in a folder of records: whose journal it is, its ledger, and then one record for every release
 * with its charge.
 *
 * The budget covers all but the first record. A digest of the data in that one lets anyone who knows all tasks but
 * one test a guess of that one's data, so it is for the curator only; it holds random bytes as well, so that the
 * digests of the later records, which depend on it, tell nothing.
 * @module
 */
import { text } from "../../core/checks.js";
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { DataError, OptionError } from "../../core/errors.js";
import { decodeRecord, encodeRecord } from "../../federation/protocol/records.js";
import type { ReleaseJournal } from "../../learning/index.js";
import { Ledger, type LedgerEntry } from "../../privacy/index.js";
import { openRecordFolder, type RecordFolder } from "./record-folder.js";
import { requireSameLedger } from "../../privacy/ledger/require-same-ledger.js";

/** An open journal; `close` lets other processes have it. */
export interface OpenJournal extends ReleaseJournal {
  /** The path of its folder, as it was given. */
  readonly folder: string;
  /** How many releases it holds, with their charges; known after `close`, too. */
  readonly releases: number;
  /** Closes the folder; the journal can be opened again. */
  close(): void;
}

interface Release {
  readonly charge: LedgerEntry;
  readonly statistic: Float64Array;
}

const FORMAT = "mp-mtl-journal";
/** Version of the folder's layout. */
const VERSION = 2;
const textOf = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));

/** Holds a folder that was begun to its fit and to this layout. */
function checkIdentity(folder: string, first: Uint8Array, identity: string): void {
  let header: { format?: unknown; version?: unknown; identity?: unknown };
  try {
    header = (JSON.parse(new TextDecoder().decode(first)) ?? {}) as typeof header;
  } catch {
    header = {};
  }
  if (header.format !== FORMAT || header.version !== VERSION) {
    const found = header.format === FORMAT ? `version ${String(header.version)}` : "no version";
    throw new DataError(
      `${folder}: expected a journal of version ${VERSION}, found ${found}; go on with the release of ` +
        `mp-mtl that began it, or name another folder.`,
    );
  }
  if (header.identity !== identity) {
    throw new OptionError(`${folder}: this journal is of another fit; name another folder.`);
  }
}

function readRelease(folder: string, record: Uint8Array, release: number): Release {
  const place = join(folder, `release ${release}`);
  const found = decodeRecord(record);
  if (found.type !== "release" || found.round !== release || found.charge.round !== release) {
    throw new DataError(`${place}: expected the ${release}. release and its charge.`);
  }
  return { charge: found.charge, statistic: requireFinite(place, found.statistic) };
}

function requireFinite(place: string, statistic: Float64Array): Float64Array {
  const at = statistic.findIndex((value) => !Number.isFinite(value));
  if (at < 0) return statistic;
  throw new DataError(`${place}: entry ${at + 1} of ${statistic.length} is not a finite number.`);
}

/**
 * Opens the journal of one fit; the folder is made if it is not there.
 *
 * @param folder   for this fit only; for its owner only.
 * @param identity what the fit is (method, options, a digest of the data), kept in the first record, which is then
 *                 not covered by the budget; a folder that was begun for another fit is refused.
 * @throws OptionError if the folder belongs to another fit or cannot be written, DataError if a record is missing or
 *         damaged, naming it, or if the folder is in use, an older copy, of something else, or of another version.
 * @example
 * const journal = openJournal("run-1", JSON.stringify({ method, options, digest }));
 * const model = await new MpLowRank(options).fit(tasks, { journal });
 * journal.close();
 */
export function openJournal(folder: string, identity: string): OpenJournal {
  text("folder", folder);
  const records = openRecordFolder(folder, "this journal open; a fit has one journal of its own");
  try {
    const [first, begun, ...releases] = records.read();
    if (first) checkIdentity(folder, first, identity);
    else {
      const salt = randomBytes(32).toString("hex");
      records.append(textOf({ format: FORMAT, version: VERSION, identity, salt }));
    }
    return new Journal(folder, records, begun, releases);
  } catch (error) {
    records.close();
    throw error;
  }
}

class Journal implements OpenJournal {
  readonly folder: string;
  readonly #records: RecordFolder;
  readonly #releases: Release[];
  /** The record of the ledger, if there is one. */
  readonly #begun: Uint8Array | undefined;
  #ledger: Ledger | undefined;

  constructor(
    folder: string,
    records: RecordFolder,
    begun: Uint8Array | undefined,
    releases: readonly Uint8Array[],
  ) {
    this.folder = folder;
    this.#records = records;
    this.#begun = begun;
    this.#releases = releases.map((record, i) => readRelease(folder, record, i + 1));
  }

  get releases(): number {
    return this.#releases.length;
  }

  openLedger(options: Parameters<ReleaseJournal["openLedger"]>[0]): Ledger {
    if (this.#ledger) throw new DataError(`${this.folder}: this journal's ledger is open already.`);
    const begun = this.#begun;
    const ledger = begun ? this.#readLedger(begun) : new Ledger(options);
    if (begun) requireSameLedger(this.folder, ledger, options);
    else this.#records.append(textOf(ledger));
    for (const { charge } of this.#releases) {
      const { event, ...where } = charge;
      ledger.charge(event, where);
    }
    return (this.#ledger = ledger);
  }

  #readLedger(record: Uint8Array): Ledger {
    try {
      return Ledger.fromJSON(JSON.parse(new TextDecoder().decode(record)));
    } catch (cause) {
      // Of text that is no JSON the host's own message would show a piece.
      const why = cause instanceof SyntaxError ? "not JSON" : (cause as Error).message;
      throw new DataError(`${this.folder}: record 2 is no ledger (${why})`);
    }
  }

  read(release: number): Float64Array | undefined {
    return this.#releases[release - 1]?.statistic.slice();
  }

  write(release: number, statistic: Float64Array): void {
    const kept = this.#releases.length;
    const charge = this.#ledger?.entries[kept];
    if (release !== kept + 1 || charge?.round !== release) {
      throw new DataError(
        `${this.folder}: expected release ${kept + 1}, charged, and got release ${release}.`,
      );
    }
    const own = requireFinite(join(this.folder, `release ${release}`), statistic.slice());
    this.#records.append(encodeRecord({ type: "release", round: release, charge, statistic: own }));
    this.#releases.push({ charge, statistic: own });
  }

  close(): void {
    this.#records.close();
  }
}
