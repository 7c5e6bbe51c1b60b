/**
 * Journals, ledgers and stores on disk, and files that are read by pieces.
 * @module
 */
import { faultsIn } from "./fault.js";

const ON_DISK = faultsIn("src/node", {
  "tables/unpack-rows.ts": [
    {
      from: "values: values.slice(from, to) as Float64Array",
      to: "values: values.subarray(from, to) as Float64Array",
      breaks: "A table keeps its numbers when the memory of its group is used again.",
    },
  ],
  "tables/parquet-worker.ts": [
    {
      from: 'if (typeof path === "string") serveParquetGroups',
      to: "if (path !== null) serveParquetGroups",
      breaks: "A thread that is told no path reads the bytes that it is sent.",
    },
  ],
  "tables/read-parquet-groups.ts": [
    {
      from: "const source = { name, firstRow: firstRow + from };",
      to: "const source = { name, firstRow: from };",
      breaks: "An error names the row of the file, not of its group.",
    },
  ],
  "records/broadcast-file.ts": [
    {
      from: "const start = starts[round - 1]!;",
      to: "const start = starts[0]!;",
      breaks: "A broadcast that is asked for again is that of its round.",
    },
  ],
  "files/file-trace.ts": [
    {
      from: "found && `${found.ino} ${found.size} ${found.mtimeNs}`",
      to: "found && `${found.size}`",
      breaks: "Another file of the same size in its place is another file.",
    },
  ],
  "records/held-file.ts": [
    {
      from: "if (bytes.length === 0 || bytes[0] === 0) {",
      to: "if (bytes.length === 0) {",
      breaks: "A record that a kill left half wiped is no record.",
    },
  ],
  "records/ledger-folder.ts": [
    {
      from: "requireSameLedger(folder, ledger, options);",
      to: "",
      breaks: "A ledger is gone on with only by the same budget and plan.",
    },
  ],
  "records/lock-file.ts": [
    {
      from: "if (holderOf(path)?.token === token) return;\n      throw",
      to: "if (holderOf(path)?.token !== undefined) return;\n      throw",
      breaks: "Who was paused stops when another has taken over.",
    },
  ],
  "records/process-identity.ts": [
    {
      from: "here[field] === other[field],",
      to: "true,",
      breaks: "A process of another machine is not taken for one here.",
    },
  ],
  "records/record-folder.ts": [
    {
      from: "if (number === i + 1) return;",
      to: "if (number >= i + 1) return;",
      breaks: "A folder that lacks a record is refused.",
    },
    {
      from: "if (latest && latest.count > count) throw",
      to: "if (latest && latest.count > 1e9) throw",
      breaks: "An older copy is not opened.",
    },
    {
      from: "this.#guard?.advance(end);",
      to: "",
      breaks: "What is used is remembered outside of the folder.",
    },
    { from: "this.check();", to: "", breaks: "Who was exchanged while it ran stops." },
    {
      from: "const { bytes, end } = sealRecord(this.#end, content, sha256);",
      to: "const { bytes, end } = sealRecord(EMPTY_CHAIN, content, sha256);",
      breaks: "Every record is chained to the one before.",
    },
  ],
  "records/rollback-guard.ts": [
    {
      from: "if (seen.at(-1)! > count) throw olderCopy",
      to: "if (seen.length > 1e9) throw olderCopy",
      breaks: "A copy with fewer records than there were stops at its next one.",
    },
    {
      from: "remember(end, () => true)",
      to: "remember(end, (path) => digestAt(path) !== end.digest)",
      breaks: "Of two copies that write the same record, one is stopped.",
    },
  ],
  "records/release-journal.ts": [
    {
      from: "statistic: requireFinite(place, found.statistic) };",
      to: "statistic: found.statistic };",
      breaks: "A kept release that is no number is refused.",
    },
    { from: "?.statistic.slice()", to: "?.statistic", breaks: "What is read is a copy." },
    {
      from: 'this.#records.append(encodeRecord({ type: "release", round: release, charge, statistic: own }));',
      to: 'void encodeRecord({ type: "release", round: release, charge, statistic: own });',
      breaks: "A release is kept.",
    },
  ],
  "records/write-record.ts": [
    {
      from: "        fsyncSync(file);",
      to: "",
      breaks: "A record is synced before it has its number.",
    },
  ],
  "records/run-folder.ts": [
    {
      from: "record ? held.write(record) : held.wipe()",
      to: "record ? held.write(record) : undefined",
      breaks: "What is held is wiped when it is over.",
    },
    {
      from: "records.check();\n        goingOn(",
      to: "goingOn(",
      breaks: "Who lost the folder to another process holds nothing in it any more.",
    },
    {
      from: "records.check();\n        resolve();",
      to: "resolve();",
      breaks: "A curator that waits learns that another process has its folder.",
    },
  ],
  "files/sync-directory.ts": [
    { from: "fsyncSync(directory);", to: "", breaks: "A file's name is on the disk, too." },
  ],
  "files/write-atomically.ts": [
    { from: "secret ? 0o600 : 0o666", to: "0o666", breaks: "A secret is for its owner only." },
  ],
});

const BY_PIECES = faultsIn("src/data/tasks", {
  "task-moments.ts": [
    {
      from: "if (kept.count < most) continue;",
      to: "if (kept.count < most && row < n - 1) continue;",
      breaks: "A task's moments do not tell how long other tasks' rows are.",
    },
  ],
});

export const FAULTS = [...ON_DISK, ...BY_PIECES];
