/**
 * Records that must never be lost, doubled or exchanged: one file each in a folder, chained by digests.
 *
 * A record is written and synced under a name of its own and then linked to its number, which the system does for
 * one process only (`link(2)` fails where the name is taken). So a record is there whole or not at all; and of two
 * processes that both believe to be the writer, whatever they were told about locks, one gets the number and the
 * other an error, before it has used what it wanted to keep. Copies of a folder count as the folder
 * (`rollback-guard.ts`).
 * @module
 */
import { createHash, randomBytes } from "node:crypto";
import { existsSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { DataError, HostError } from "../../core/errors.js";
import {
  chainStart,
  EMPTY_CHAIN,
  openRecord,
  sealRecord,
  type ChainEnd,
} from "../../core/record-chain.js";
import { explained } from "../files/explain-write.js";
import { fileTrace } from "../files/file-trace.js";
import { lockFile, type Lock } from "./lock-file.js";
import { kindAt, makeDirectory } from "../files/make-directory.js";
import { olderCopy, openRollbackGuard, type RollbackGuard } from "./rollback-guard.js";
import { isUnfinished, writeRecord } from "./write-record.js";

const LOCK = "lock";
const RECORD = /^(\d{6,})\.record$/;

const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest();
const nameOf = (number: number) => `${String(number).padStart(6, "0")}.record`;

/** An open folder of records. */
export interface RecordFolder {
  /**
   * Contents of the records, in order, read again: nothing keeps them in memory.
   * @throws DataError naming the record that is not as it was written.
   */
  read(): Uint8Array[];
  /** The same, one after the other. */
  stream(): Iterable<Uint8Array>;
  /**
   * Adds a record; when it returns, the record survives the process and the machine.
   * @throws DataError if another process has written meanwhile, OptionError if the disk is full or read-only. After
   *   an error nothing more is written: open the folder again.
   */
  append(content: Uint8Array): void;
  /**
   * Of what is kept beside the records: to be asked before it is changed.
   * @throws DataError if another process has taken them over, or they were exchanged.
   */
  check(): void;
  /** Lets other processes have it. */
  close(): void;
}

/** The numbers there are, ascending; a folder of something else is refused, and left as it is. */
function numbersIn(folder: string): number[] {
  const names = readdirSync(folder);
  const numbers = names
    .map((name) => RECORD.exec(name))
    .filter((found) => found !== null && found[0] === nameOf(Number(found[1])))
    .map((found) => Number(found![1]))
    .sort((a, b) => a - b);
  const other = names.find((name) => !name.startsWith(".") && !name.startsWith(LOCK));
  if (numbers.length === 0 && other !== undefined) {
    throw new DataError(
      `${folder}: it holds no records of this release, but ${JSON.stringify(other)}; name a new or empty folder.`,
    );
  }
  return numbers;
}

/**
 * Contents of the records of a folder that another process may be writing to: those that are there now. Nothing is changed or locked,
 * and an older copy is not told from the folder.
 * @throws DataError naming the record if one is missing or not as it was written.
 */
export function* readRecords(folder: string): Generator<Uint8Array> {
  // One that was added while the folder was listed may lack in the list, and be there.
  const last = existsSync(folder) ? numbersIn(folder).at(-1) : undefined;
  if (last === undefined) return;
  const start = chainStart(readRecord(join(folder, nameOf(1))));
  for (const { content } of opened(folder, start, last)) yield content;
}

/**
 * Opens a folder of records, for one process at a time.
 *
 * @param folder made if it is not there, for its owner only.
 * @param what   what a process has that has it open, for messages.
 * @throws DataError naming the record if one is missing or not as it was written, or if a process that runs has the
 *   folder, or if it is an older copy; OptionError if it cannot be written.
 */
export function openRecordFolder(folder: string, what: string): RecordFolder {
  const path = resolve(folder);
  explained(folder, () => {
    if (kindAt(path) === "file") {
      throw new DataError(`${folder}: this is a file, expected a folder of records; name another.`);
    }
    makeDirectory(path, 0o700);
  });
  numbersIn(path);
  const lock = lockFile(join(folder, LOCK), what);
  try {
    return new Folder(folder, lock);
  } catch (error) {
    lock.release();
    throw error;
  }
}

function readRecord(path: string): Uint8Array {
  try {
    return readFileSync(path);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== "ENOENT") throw cause;
    throw new DataError(`${path}: this record was there and is missing now.`, { cause });
  }
}

/** The first records of a folder, each held to the one before. */
function* opened(folder: string, start: ChainEnd, count: number) {
  let end = start;
  for (let number = 1; number <= count; number++) {
    const path = join(folder, nameOf(number));
    const record = openRecord(end, readRecord(path), sha256, path);
    yield record;
    end = record.end;
  }
}

class Folder implements RecordFolder {
  readonly #folder: string;
  readonly #lock: Lock;
  readonly #start: ChainEnd;
  #end: ChainEnd;
  readonly #guard: RollbackGuard | undefined;
  /** Of the last record, as it was when this process read or wrote it. */
  #trace: string | undefined;
  #failed = false;
  #open = true;

  constructor(folder: string, lock: Lock) {
    this.#folder = folder;
    this.#lock = lock;
    const numbers = numbersIn(folder);
    numbers.forEach((number, i) => {
      if (number === i + 1) return;
      throw new DataError(
        `${folder}: record ${i + 1} is missing, though ${nameOf(number)} is there; restore the records as ` +
          `they were last, or start anew with a budget of its own.`,
      );
    });
    this.#start =
      numbers.length === 0
        ? { count: 0, digest: randomBytes(32).toString("hex") }
        : chainStart(readRecord(join(folder, nameOf(1))));
    this.#end = this.#start;
    // Folders that earlier builds began have no name of their own.
    if (this.#start.digest !== EMPTY_CHAIN.digest) {
      this.#guard = openRollbackGuard(folder, this.#start.digest);
    }
    this.#checkChain(numbers.length);
    this.#trace = this.#traceOfLast();
    // What a kill left unfinished; whoever still writes it is stopped, for it was not first.
    for (const name of readdirSync(folder)) {
      if (isUnfinished(name)) rmSync(join(folder, name), { force: true });
    }
  }

  read(): Uint8Array[] {
    return [...this.stream()];
  }

  *stream(): Generator<Uint8Array> {
    const expected = this.#end;
    let last = this.#start;
    for (const { content, end } of opened(this.#folder, this.#start, expected.count)) {
      yield content;
      last = end;
    }
    if (last.digest !== expected.digest) {
      throw new DataError(`${this.#folder}: the records were exchanged while they were open.`);
    }
  }

  /** Reads all records once, and holds them to what this machine remembers. */
  #checkChain(count: number): void {
    const latest = count === 0 ? undefined : this.#guard?.latest();
    for (const { end } of opened(this.#folder, this.#start, count)) {
      this.#end = end;
      if (end.count === latest?.count && (latest.digest ?? end.digest) !== end.digest) {
        throw new DataError(
          `${this.#folder}: record ${end.count} is of a copy that went its own way; go on with the other.`,
        );
      }
    }
    if (latest && latest.count > count) throw olderCopy(this.#folder, count, latest.count);
    if (count > 0) this.#guard?.adopt(this.#end);
  }

  append(content: Uint8Array): void {
    if (!this.#open) throw new HostError(`${this.#folder}: these records are closed.`);
    if (this.#failed) {
      throw new HostError(
        `${this.#folder}: an earlier record could not be written; open the records again.`,
      );
    }
    this.#failed = true;
    const { bytes, end } = sealRecord(this.#end, content, sha256);
    this.check();
    writeRecord(this.#folder, nameOf(end.count), bytes);
    this.#guard?.advance(end);
    this.#end = end;
    this.#trace = this.#traceOfLast();
    this.#failed = false;
  }

  close(): void {
    if (this.#open) this.#lock.release();
    this.#open = false;
  }

  #traceOfLast(): string | undefined {
    const { count } = this.#end;
    return count === 0 ? undefined : fileTrace(join(this.#folder, nameOf(count)));
  }

  /** Early and clear; what makes sure of a record is the link. */
  check(): void {
    this.#lock.check();
    if (this.#traceOfLast() === this.#trace) return;
    throw new DataError(
      `${join(this.#folder, nameOf(this.#end.count))}: it is not the file that this process had last; the ` +
        `records were exchanged while it ran, so it stops.`,
    );
  }
}
