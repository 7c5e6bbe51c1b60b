/**
 * What a run must not lose, in a file: records one after the other, each with its length and digest.
 *
 * A record is in the file whole before `append` resolves. A kill while it is written leaves a part
 * at the end, which the next opening cuts off: nothing that follows from that record was done. A
 * record of full length with a wrong digest is refused, the last one too: it may have been published.
 * @module
 */
import { createHash } from "node:crypto";
import {
  closeSync,
  existsSync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { DataError } from "../core/errors.js";
import type { RunStore } from "../federation/index.js";
import { lockFile } from "./lock-file.js";
import { syncDirectory } from "./sync-directory.js";

/** Length in 4 bytes, then the first 8 of the content's SHA-256. */
const HEADER = 12;

function digest(content: Uint8Array): Buffer {
  return createHash("sha256").update(content).digest().subarray(0, 8);
}

function frame(content: Uint8Array): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32LE(content.length);
  return Buffer.concat([length, digest(content), content]);
}

/** Whole records from the start of the file, and how many bytes they take. */
function readRecords(path: string, bytes: Buffer): { records: Uint8Array[]; length: number } {
  const records: Uint8Array[] = [];
  let at = 0;
  while (at + HEADER <= bytes.length) {
    const end = at + HEADER + bytes.readUInt32LE(at);
    if (end > bytes.length) break;
    const content = bytes.subarray(at + HEADER, end);
    if (!digest(content).equals(bytes.subarray(at + 4, at + HEADER))) {
      throw new DataError(
        `${path}: record ${records.length + 1} is damaged, and what it released cannot be drawn ` +
          `again; restore the file from a copy, or start another run with a budget of its own`,
      );
    }
    records.push(Uint8Array.from(content));
    at = end;
  }
  return { records, length: at };
}

/**
 * Opens the store of one run, for one process at a time.
 *
 * @param folder made if it is not there; the file in it is `run.records`.
 * @throws DataError if the file is damaged or another process has it.
 * @example
 * const store = openRunFile("state/trial");
 */
export function openRunFile(folder: string): RunStore {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, "run.records");
  const unlock = lockFile(path, "this run's records; a run has one curator at a time");
  let file: number | undefined;
  try {
    const isNew = !existsSync(path);
    file = openSync(path, "a+", 0o600);
    if (isNew) syncDirectory(path);
    const bytes = readFileSync(path);
    const { records, length } = readRecords(path, bytes);
    if (length < bytes.length) {
      ftruncateSync(file, length);
      fsyncSync(file);
    }
    return new RunFile(file, records, unlock);
  } catch (error) {
    if (file !== undefined) closeSync(file);
    unlock();
    throw error;
  }
}

class RunFile implements RunStore {
  readonly #file: number;
  readonly #records: Uint8Array[];
  readonly #unlock: () => void;
  #open = true;

  constructor(file: number, records: Uint8Array[], unlock: () => void) {
    this.#file = file;
    this.#records = records;
    this.#unlock = unlock;
  }

  load(): Promise<readonly Uint8Array[]> {
    return Promise.resolve([...this.#records]);
  }

  // Synchronous inside: a record is small beside the wait for the disk, and order is kept for free.
  append(record: Uint8Array): Promise<void> {
    const bytes = frame(record);
    for (let done = 0; done < bytes.length;) done += writeSync(this.#file, bytes, done);
    fsyncSync(this.#file);
    this.#records.push(record.slice());
    return Promise.resolve();
  }

  close(): Promise<void> {
    if (this.#open) {
      closeSync(this.#file);
      this.#unlock();
    }
    this.#open = false;
    return Promise.resolve();
  }
}
