/**
 * What this machine remembers of a folder of records, outside of it: how many there were, and the digest of the last.
 *
 * A chain of digests cannot show that its end is missing. So an older copy of a folder that is put back, or a copy that is
 * gone on with beside the first, would draw again what was released. Here every number of a folder, told by the random
 * digest that its chain began with, is linked to one digest, for all its copies: whoever comes second, or with
 * fewer records than there were, is stopped before it uses its record.
 *
 * Nothing helps where this memory is put back together with the folder, or the folder is taken to another machine: then
 * others must remember, as the participants of a run do.
 * @module
 */
import { randomUUID } from "node:crypto";
import { linkSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DataError, OptionError } from "../../core/errors.js";
import type { ChainEnd } from "../../core/record-chain.js";
import { explained } from "../files/explain-write.js";
import { makeDirectory } from "../files/make-directory.js";
import { stateFolder } from "./state-folder.js";

/** The memory of one folder and its copies. */
export interface RollbackGuard {
  /** The last record that was seen in any copy, with its digest unless a crash cut it. */
  latest(): { readonly count: number; readonly digest: string | undefined };
  /**
   * Remembers the last record of a folder that is opened; the one before may be what was remembered, after a kill.
   * @throws DataError if a copy has another one of that number, or later ones.
   */
  adopt(end: ChainEnd): void;
  /**
   * Remembers a record that was written just now, before it is used.
   * @throws DataError if a copy has one of that number, be it the same, or later ones.
   */
  advance(end: ChainEnd): void;
}

/** Where the folder for states cannot be written, says what it is for and how to name another. */
function remembering<T>(path: string, work: () => T): T {
  try {
    return explained(path, work);
  } catch (cause) {
    if (!(cause instanceof OptionError)) throw cause;
    throw new OptionError(
      `${cause.message} There this machine remembers how many records a folder had; the variable XDG_STATE_HOME names ` +
        `another place.`,
      { cause },
    );
  }
}

const NUMBER = /^\d+$/;
const DIGEST = /^[0-9a-f]{64}$/;

/**
 * A digest that is remembered; undefined where a crash cut it, or another process has gone on since. What is there and cannot be read
 * stops the caller: of two copies it might be the one that comes second.
 */
function digestAt(path: string): string | undefined {
  try {
    const text = readFileSync(path, "utf8");
    return DIGEST.test(text) ? text : undefined;
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw new OptionError(
      `${path} cannot be read: there this machine remembers the last record of a folder, without which nobody can tell whether ` +
        `a copy of it went on; make it readable.`,
      { cause },
    );
  }
}

/**
 * Opens the memory of a folder, below the user's folder for states.
 *
 * @param folder of the records, for messages.
 * @param id     what its chain began with: 64 hexadecimal digits, random.
 * @throws OptionError, at the first record, if the folder for states cannot be written, or what it remembers cannot be read.
 */
export function openRollbackGuard(folder: string, id: string): RollbackGuard {
  const own = stateFolder("records", id);
  const numbers = () =>
    remembering(own, () => {
      makeDirectory(own, 0o700);
      return readdirSync(own)
        .filter((name) => NUMBER.test(name))
        .map(Number)
        .sort((a, b) => a - b);
    });
  /** Whether the number was free. */
  const claim = (path: string, digest: string) =>
    remembering(path, () => {
      const part = join(own, `.${randomUUID()}.tmp`);
      writeFileSync(part, digest, { flag: "wx", mode: 0o600 });
      try {
        linkSync(part, path);
        return true;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
        return false;
      } finally {
        rmSync(part, { force: true });
      }
    });
  const remember = ({ count, digest }: ChainEnd, another: (path: string) => boolean) => {
    numbers();
    const path = join(own, String(count));
    if (!claim(path, digest) && another(path)) {
      throw new DataError(
        `${folder}: record ${count} was written in a copy of this folder too; one of them goes on, and this one stops.`,
      );
    }
    const seen = numbers();
    if (seen.at(-1)! > count) throw olderCopy(folder, count, seen.at(-1)!);
    for (const number of seen) {
      if (number < count) rmSync(join(own, String(number)), { force: true });
    }
  };
  return {
    latest() {
      const count = numbers().at(-1) ?? 0;
      return { count, digest: digestAt(join(own, String(count))) };
    },
    adopt: (end) => remember(end, (path) => (digestAt(path) ?? end.digest) !== end.digest),
    advance: (end) => remember(end, () => true),
  };
}

/** What is said of a folder that has fewer records than it had. */
export function olderCopy(folder: string, found: number, seen: number): DataError {
  return new DataError(
    `${folder}: it ends with record ${found}, and had ${seen} on this machine: this is an older copy. What the missing ` +
      `ones released cannot be drawn again; restore the records as they were last, or start anew with a budget of its own.`,
  );
}
