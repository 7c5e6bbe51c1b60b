/**
 * A ledger in a file: created if absent, taken up where it stopped if not.
 * @module
 */
import {
  closeSync,
  existsSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
  writeSync,
} from "node:fs";
import { OptionError } from "../core/errors.js";
import { DurableLedger } from "../privacy/durable-ledger.js";
import { requireNoiseSource } from "../privacy/noise-source.js";
import type { LedgerOptions } from "../privacy/ledger.js";
import { lockFile } from "./lock-file.js";
import { syncDirectory } from "./sync-directory.js";

/** An open ledger file. */
export interface LedgerFile {
  readonly ledger: DurableLedger;
  /** Releases the file for other processes. */
  close(): void;
}

function appender(file: number): (line: string) => void {
  return (line) => {
    const bytes = Buffer.from(line);
    for (let done = 0; done < bytes.length;) {
      done += writeSync(file, bytes, done, bytes.length - done);
    }
    fsyncSync(file);
  };
}

/**
 * Opens a ledger file.
 *
 * @param path    the log; `path.lock` is beside it while it is open.
 * @param options for a new file; an existing one must be for the same budget, adjacency, plan and source
 *                of noise.
 * @throws OptionError if the file is for something else.
 * @throws DataError if it is damaged or in use.
 * @example
 * const { ledger, close } = openLedgerFile("budget.jsonl", { epsilon: 1, delta: 1e-5, adjacency: "replace" });
 */
export function openLedgerFile(path: string, options: LedgerOptions): LedgerFile {
  const unlock = lockFile(path, "this ledger open; two fits cannot spend one budget at once");
  let file: number | undefined;
  try {
    const text = existsSync(path) ? readFileSync(path, "utf8") : "";
    file = openSync(path, "a+", 0o600);
    const append = appender(file);
    // Without a line break not even the first line was finished: nothing was charged.
    const stored = text.includes("\n") ? DurableLedger.recover(text, append) : undefined;
    const length = Buffer.byteLength(text.slice(0, stored?.length ?? 0));
    if (length < Buffer.byteLength(text)) {
      ftruncateSync(file, length);
      fsyncSync(file);
    }
    const ledger = stored?.ledger ?? DurableLedger.create(options, append);
    if (stored) requireSame(path, ledger, options);
    else syncDirectory(path);
    const open = file;
    return {
      ledger,
      close() {
        closeSync(open);
        unlock();
      },
    };
  } catch (error) {
    if (file !== undefined) closeSync(file);
    unlock();
    throw error;
  }
}

function requireSame(path: string, ledger: DurableLedger, options: LedgerOptions): void {
  requireNoiseSource(path, ledger, options.noiseSource);
  const differs = (["epsilon", "delta", "adjacency"] as const).find(
    (field) => ledger[field] !== options[field],
  );
  const plan = JSON.stringify(ledger.plan) !== JSON.stringify(options.plan);
  if (differs === undefined && !plan) return;
  throw new OptionError(
    differs === undefined
      ? `${path}: this ledger is for another plan of releases; use another file.`
      : `${path}: this ledger has ${differs} ${ledger[differs]}, asked for ${String(options[differs])}; use another file.`,
  );
}
