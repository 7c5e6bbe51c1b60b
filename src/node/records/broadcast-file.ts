/**
 * Past broadcasts in a file without a name: it is gone with the process, and nobody else opens it.
 * @module
 */
import { text } from "../../core/checks.js";
import { randomUUID } from "node:crypto";
import { closeSync, openSync, readSync, rmSync, writeSync } from "node:fs";
import { join, resolve } from "node:path";
import { HostError } from "../../core/errors.js";
import type { BroadcastArchive } from "../../federation/curator/rounds/broadcasts.js";
import { explained } from "../files/explain-write.js";
import { makeDirectory } from "../files/make-directory.js";

/**
 * Opens a file for the broadcasts of one curator.
 *
 * @param folder where it is made, for its owner only; not a file system in memory, which would be what it is to spare.
 * @throws OptionError if it cannot be written, here or by `add`.
 * @example
 * await runCurator({ plan, transport, store, broadcasts: openBroadcastFile("state/trial") });
 */
export function openBroadcastFile(folder: string): BroadcastArchive {
  text("folder", folder);
  // Left by a process that is killed right here, it is cleared away as a record's unfinished copy is.
  const path = join(resolve(folder), `.${randomUUID()}.tmp`);
  const file = explained(path, () => {
    makeDirectory(resolve(folder), 0o700);
    const opened = openSync(path, "wx+", 0o600);
    rmSync(path, { force: true });
    return opened;
  });
  const starts = [0];
  return {
    add: (values) => {
      const bytes = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
      const start = starts.at(-1)!;
      explained(path, () => {
        for (let done = 0; done < bytes.length;) {
          done += writeSync(file, bytes, done, bytes.length - done, start + done);
        }
      });
      starts.push(start + bytes.length);
    },
    read: (round) => {
      const start = starts[round - 1]!;
      const bytes = new Uint8Array(starts[round]! - start);
      for (let done = 0; done < bytes.length;) {
        const count = readSync(file, bytes, done, bytes.length - done, start + done);
        if (count === 0) throw new HostError(`${path}: broadcast ${round} cannot be read again.`);
        done += count;
      }
      return new Float64Array(bytes.buffer);
    },
    close: () => closeSync(file),
  };
}
