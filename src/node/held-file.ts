/**
 * One record that is wiped when it is no longer needed: a file of its own, whole or not there.
 *
 * It is written under a temporary name, synced, then renamed, readable by its owner only. Wiping overwrites the
 * bytes before the file is removed; a disk that writes to other blocks, or a snapshot, may still have them.
 * @module
 */
import {
  closeSync,
  existsSync,
  fstatSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import { DataError } from "../core/errors.js";
import { frameRecord, readRecords, RECORD_HEADER } from "./record-frames.js";
import { syncDirectory } from "./sync-directory.js";

/** The file at one path. */
export class HeldFile {
  readonly #path: string;
  readonly #temporary: string;

  /** What a kill left half-written is wiped: nothing that follows from it was done. */
  constructor(path: string) {
    this.#path = path;
    this.#temporary = `${path}.tmp`;
    overwriteAndRemove(this.#temporary);
  }

  /** @throws DataError if the file is damaged. */
  read(): Uint8Array | undefined {
    if (!existsSync(this.#path)) return undefined;
    const bytes = readFileSync(this.#path);
    // A kill while it was wiped: no record has such a header.
    if (bytes.subarray(0, RECORD_HEADER).every((byte) => byte === 0)) {
      this.wipe();
      return undefined;
    }
    const { records, length } = readRecords(this.#path, bytes);
    if (records.length === 1 && length === bytes.length) return records[0];
    throw new DataError(
      `${this.#path}: it is damaged, and the noise in it must not be drawn again; restore the file from a ` +
        `copy, or leave the run`,
    );
  }

  /** Puts a record in the place of the one before, which nobody needs when this is called. */
  write(record: Uint8Array): void {
    overwriteAndRemove(this.#temporary);
    const file = openSync(this.#temporary, "wx", 0o600);
    try {
      writeAll(file, frameRecord(record));
    } finally {
      closeSync(file);
    }
    this.wipe();
    renameSync(this.#temporary, this.#path);
    syncDirectory(this.#path);
  }

  /** Overwrites and removes the record, if there is one. */
  wipe(): void {
    if (overwriteAndRemove(this.#path)) syncDirectory(this.#path);
  }
}

function writeAll(file: number, bytes: Uint8Array): void {
  for (let done = 0; done < bytes.length;) {
    done += writeSync(file, bytes, done, bytes.length - done, done);
  }
  fsyncSync(file);
}

/** Whether there was such a file. */
function overwriteAndRemove(path: string): boolean {
  if (!existsSync(path)) return false;
  const file = openSync(path, "r+");
  try {
    writeAll(file, new Uint8Array(fstatSync(file).size));
  } finally {
    closeSync(file);
  }
  rmSync(path);
  return true;
}
