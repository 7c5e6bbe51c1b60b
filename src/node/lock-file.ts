/**
 * Says who has some records, so that a second process is refused at its start and not at its first record.
 *
 * The lock alone keeps nobody out: a process that was paused, or runs where it cannot be seen, may be taken for dead
 * and its lock taken over. What keeps two writers apart is that every append is fenced (`record-folder.ts`,
 * `check`): whoever lost the lock, or the race for a record's number, ends with an error.
 * @module
 */
import { randomUUID } from "node:crypto";
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { DataError } from "../core/errors.js";
import { explained } from "./explain-write.js";
import { isSeenRunning, thisProcess, type ProcessIdentity } from "./process-identity.js";

/** A lock that this process took. */
export interface Lock {
  /** @throws DataError if another process has taken it over meanwhile. */
  check(): void;
  /** Gives it back. */
  release(): void;
}

interface Holder extends Partial<ProcessIdentity> {
  readonly token?: string;
}

/** Undefined or null where nobody who runs has it: no lock, one cut by a crash, or of another release. */
function holderOf(path: string): Holder | null | undefined {
  try {
    return JSON.parse(readFileSync(path, "utf8")) as Holder | null;
  } catch {
    return undefined;
  }
}

/** Puts our lock there if there is none. */
function claim(part: string, path: string): boolean {
  try {
    linkSync(part, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

/**
 * Takes the lock; one of a process that is not seen to run is taken over.
 *
 * @param path of the lock.
 * @param what what it is the lock of, and why that excludes others, for messages.
 * @throws DataError if a process that runs has it.
 */
export function lockFile(path: string, what: string): Lock {
  const token = randomUUID();
  const part = `${path}.${token}`;
  const refuse = (pid: number | undefined): never => {
    throw new DataError(
      `${path}: process ${pid ?? "unknown"} has ${what}. If it has ended, delete this file; should it ` +
        `run after all, it will be stopped at its next record.`,
    );
  };
  explained(path, () => {
    writeFileSync(part, JSON.stringify({ ...thisProcess(), token }), { mode: 0o600 });
    try {
      if (claim(part, path)) return;
      const holder = holderOf(path);
      if (holder?.pid !== undefined && isSeenRunning(holder as ProcessIdentity)) refuse(holder.pid);
      renameSync(part, path); // whoever does so last has it
    } finally {
      rmSync(part, { force: true });
    }
  });
  const lock: Lock = {
    check() {
      if (holderOf(path)?.token === token) return;
      throw new DataError(
        `${path}: another process has taken over what this one had; this one stops.`,
      );
    },
    release() {
      if (holderOf(path)?.token === token) rmSync(path, { force: true });
    },
  };
  lock.check();
  return lock;
}
