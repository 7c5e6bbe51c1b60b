/**
 * Says who has some records, so that a second process is refused at its start and not at its first record.
 *
 * The lock alone keeps nobody out: a process that was paused, or runs where it cannot be seen, may be taken for dead
 * and its lock taken over. What keeps two writers apart is that every append is fenced (`record-folder.ts`,
 * `check`): whoever lost the lock, or the race for a record's number, ends with an error.
 * @module
 */
import { randomUUID } from "node:crypto";
import {
  constants,
  copyFileSync,
  linkSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { DataError } from "../../core/errors.js";
import { explained } from "../files/explain-write.js";
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

const LINKLESS: ReadonlySet<string> = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"]);

function copied(part: string, path: string): boolean {
  try {
    copyFileSync(part, path, constants.COPYFILE_EXCL);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

/** Puts our lock there if there is none. */
function claim(part: string, path: string): boolean {
  try {
    linkSync(part, path);
    return true;
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    if (code === "EEXIST") return false;
    // Some file systems have no links. A copy that is seen half-written is taken over, which `check` shows.
    if (LINKLESS.has(code)) return copied(part, path);
    throw error;
  }
}

/**
 * Takes the lock; one of a process that is not seen to run is taken over.
 *
 * @param path of the lock.
 * @param what what it is the lock of, and why that excludes others, for messages.
 * @param options           what else a message says.
 * @param options.otherwise what happens if the other one runs after all; default that its next record fails.
 * @throws DataError if a process that runs has it.
 */
export function lockFile(
  path: string,
  what: string,
  { otherwise = "it will be stopped at its next record" }: { readonly otherwise?: string } = {},
): Lock {
  const token = randomUUID();
  const part = `${path}.${token}`;
  const refuse = (pid: number | undefined): never => {
    throw new DataError(
      `${path}: process ${pid ?? "unknown"} has ${what}. If it has ended, delete this file; should it ` +
        `run after all, ${otherwise}.`,
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
