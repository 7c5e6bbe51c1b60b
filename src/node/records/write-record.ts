/**
 * One record's file: whole and synced before it has its name, which the system gives to one process only.
 * @module
 */
import { randomUUID } from "node:crypto";
import { closeSync, fsyncSync, linkSync, openSync, rmSync, statSync, writeSync } from "node:fs";
import { join } from "node:path";
import { DataError, OptionError } from "../../core/errors.js";
import { explained, explainWrite } from "../files/explain-write.js";
import { syncDirectory } from "../files/sync-directory.js";

const UNFINISHED = /^\.[0-9a-f-]{36}\.tmp$/;
const NO_LINKS = ["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK"];

/** Whether a kill may have left a file of that name. */
export function isUnfinished(name: string): boolean {
  return UNFINISHED.test(name);
}

/**
 * Writes a record of a folder; when it returns, the record survives the process and the machine.
 * @param name of its file.
 * @throws DataError if there is a record of that name; OptionError if the disk is full or read-only, or has no links.
 */
export function writeRecord(folder: string, name: string, bytes: Uint8Array): void {
  const path = join(folder, name);
  const part = join(folder, `.${randomUUID()}.tmp`);
  try {
    explained(path, () => {
      const file = openSync(part, "wx", 0o600);
      try {
        for (let done = 0; done < bytes.length;) done += writeSync(file, bytes, done);
        fsyncSync(file);
      } finally {
        closeSync(file);
      }
    });
    link(part, path, folder, name);
  } finally {
    rmSync(part, { force: true });
  }
  explained(path, () => syncDirectory(path));
}

function link(part: string, path: string, folder: string, name: string): void {
  try {
    linkSync(part, path);
  } catch (cause) {
    // Over a network a link may be made and its answer lost; the file then has two names.
    if (statSync(part, { throwIfNoEntry: false })?.nlink === 2) return;
    const code = (cause as NodeJS.ErrnoException).code ?? "";
    if (code === "EEXIST" || code === "ENOENT") {
      throw new DataError(
        `${folder}: record ${parseInt(name, 10)} is another process's; these records have one writer at a time, ` +
          `and this one stops.`,
        { cause },
      );
    }
    if (!NO_LINKS.includes(code)) throw explainWrite(path, cause);
    throw new OptionError(
      `${folder}: its file system has no hard links, without which two processes cannot be kept ` +
        `apart; name a folder on another one.`,
      { cause },
    );
  }
}
