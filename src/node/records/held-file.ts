/**
 * One record that is wiped when it is no longer needed: a file of its own, whole or not there.
 *
 * It is written under a temporary name, synced, then renamed, readable by its owner only. Wiping overwrites the
 * bytes before the file is removed; a disk that writes to other blocks, or a snapshot, may still have them.
 * @module
 */
import { createHash } from "node:crypto";
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
import { EMPTY_CHAIN, openRecord, sealRecord } from "../../core/record-chain.js";
import { syncDirectory } from "../files/sync-directory.js";

const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest();

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
    // A kill while it was wiped: no record begins so.
    if (bytes.length === 0 || bytes[0] === 0) {
      this.wipe();
      return undefined;
    }
    return openRecord(EMPTY_CHAIN, bytes, sha256, this.#path).content;
  }

  /** Puts a record in the place of the one before, which nobody needs when this is called. */
  write(record: Uint8Array): void {
    overwriteAndRemove(this.#temporary);
    const file = openSync(this.#temporary, "wx", 0o600);
    try {
      writeAll(file, sealRecord(EMPTY_CHAIN, record, sha256).bytes);
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
