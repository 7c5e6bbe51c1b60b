/**
 * What a run must not lose, in a folder of records; what is held for a while, in a file beside them.
 * @module
 */
import { text } from "../../core/checks.js";
import { join } from "node:path";
import { OptionError } from "../../core/errors.js";
import type { RunStore } from "../../federation/index.js";
import { explained } from "../files/explain-write.js";
import { HeldFile } from "./held-file.js";
import { openRecordFolder } from "./record-folder.js";

const HOLDERS = {
  curator: "this run's records; a run has one curator at a time",
  participant: "what this participant remembers; one process at a time takes part in its name",
  helper: "what this helper gave out; one process at a time helps in its name",
} as const;

/** Says of what cannot be written that nothing was lost by it. */
function goingOn<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof OptionError)) throw error;
    throw new OptionError(
      `${error.message} Nothing that was to follow was sent: once it can be written, the same command goes on where it was.`,
      { cause: error.cause },
    );
  }
}

/**
 * Opens the store of one run, for one process at a time.
 *
 * @param folder made if it is not there, for its owner only; every record is a file in it.
 * @param holder whose records these are, for messages; default the curator's.
 * @throws DataError if a record is missing or damaged, naming it, if the folder is an older copy, or another process has it.
 * @example
 * const store = openRunFolder("state/trial");
 */
export function openRunFolder(folder: string, holder: keyof typeof HOLDERS = "curator"): RunStore {
  text("folder", folder);
  const records = openRecordFolder(folder, HOLDERS[holder]);
  const held = new HeldFile(join(folder, "held"));
  // Synchronous inside: a record is small beside the wait for the disk, and order is kept for free.
  return {
    load: () =>
      new Promise((resolve) => {
        const last = held.read();
        resolve([...records.read(), ...(last ? [last] : [])]);
      }),
    async *read() {
      // Before the records, as `load` has it: what is held may be wiped meanwhile.
      const last = held.read();
      yield* records.stream();
      if (last) yield last;
    },
    append: (record) =>
      new Promise((resolve) => {
        goingOn(() => records.append(record));
        resolve();
      }),
    hold: (record) =>
      new Promise((resolve) => {
        const path = join(folder, "held");
        // Another process may hold what it has said something of: what it drew would be drawn again.
        records.check();
        goingOn(() => explained(path, () => (record ? held.write(record) : held.wipe())));
        resolve();
      }),
    confirm: () =>
      new Promise((resolve) => {
        records.check();
        resolve();
      }),
    close: () =>
      new Promise((resolve) => {
        records.close();
        resolve();
      }),
  };
}
