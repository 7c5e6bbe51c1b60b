/**
 * What a run must not lose, in a file: records one after the other, each with its length and digest.
 *
 * What is held beside them is a file of its own, overwritten and removed when it is wiped.
 *
 * A record is in the file whole before `append` resolves. A kill while it is written leaves a part
 * at the end, which the next opening cuts off: nothing that follows from that record was done. A
 * record of full length with a wrong digest is refused, the last one too: it may have been published.
 * @module
 */
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
import type { RunStore } from "../federation/index.js";
import { HeldFile } from "./held-file.js";
import { lockFile } from "./lock-file.js";
import { frameRecord, readRecords } from "./record-frames.js";
import { syncDirectory } from "./sync-directory.js";

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
    return new RunFile(file, records, new HeldFile(join(folder, "run.held")), unlock);
  } catch (error) {
    if (file !== undefined) closeSync(file);
    unlock();
    throw error;
  }
}

class RunFile implements RunStore {
  readonly #file: number;
  readonly #records: Uint8Array[];
  readonly #held: HeldFile;
  readonly #unlock: () => void;
  #open = true;

  constructor(file: number, records: Uint8Array[], held: HeldFile, unlock: () => void) {
    this.#file = file;
    this.#records = records;
    this.#held = held;
    this.#unlock = unlock;
  }

  load(): Promise<readonly Uint8Array[]> {
    return Promise.resolve().then(() => {
      const held = this.#held.read();
      return [...this.#records, ...(held ? [held] : [])];
    });
  }

  // Synchronous inside: a record is small beside the wait for the disk, and order is kept for free.
  append(record: Uint8Array): Promise<void> {
    const bytes = frameRecord(record);
    for (let done = 0; done < bytes.length;) done += writeSync(this.#file, bytes, done);
    fsyncSync(this.#file);
    this.#records.push(record.slice());
    return Promise.resolve();
  }

  hold(record: Uint8Array | null): Promise<void> {
    if (record) this.#held.write(record);
    else this.#held.wipe();
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
