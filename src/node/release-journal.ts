/**
 * A release journal in a folder: `ledger.jsonl`, one safetensors file per release, and `fit.json`, which
 * says whose journal it is. The budget covers the first two. A digest of the data in `fit.json` lets anyone who
 * knows all tasks but one test a guess of that one's data, so that file is for the curator only.
 * @module
 */
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { DataError, OptionError } from "../core/errors.js";
import type { ReleaseJournal } from "../learning/index.js";
import { decodeSafetensors, encodeSafetensors } from "../model/index.js";
import { openLedgerFile, type LedgerFile } from "./ledger-file.js";

/** An open journal; `close` lets other processes have it. */
export interface OpenJournal extends ReleaseJournal {
  /** Closes the files; the journal can be opened again. */
  close(): void;
}

const TENSOR = "released";

const FORMAT = "mp-mtl-journal";
/** Version of the folder's layout. */
const VERSION = 1;

/** Holds a folder that was begun to its fit and to this layout. */
function checkIdentity(folder: string, begun: string, identity: string): void {
  let header: { format?: unknown; version?: unknown; identity?: unknown };
  try {
    header = (JSON.parse(begun) ?? {}) as typeof header;
  } catch {
    header = {};
  }
  if (header.format !== FORMAT || header.version !== VERSION) {
    const found = header.format === FORMAT ? `version ${String(header.version)}` : "no version";
    throw new DataError(
      `${folder}: expected a journal of version ${VERSION}, found ${found}; go on with the release of ` +
        `mp-mtl that began it, or name another folder.`,
    );
  }
  if (header.identity !== identity) {
    throw new OptionError(`${folder}: this journal is of another fit; name another folder.`);
  }
}

function writeSynced(path: string, bytes: Uint8Array): void {
  const part = `${path}.tmp`;
  const file = openSync(part, "w", 0o600);
  try {
    for (let done = 0; done < bytes.length;) done += writeSync(file, bytes, done);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(part, path);
}

/**
 * Opens the journal of one fit; the folder is made if it is not there.
 *
 * @param folder   for this fit only.
 * @param identity what the fit is (method, options, a digest of the data), kept in `fit.json`, which is then
 *                 not covered by the budget; a folder that was begun for another fit is refused.
 * @throws OptionError if the folder belongs to another fit, DataError if it is damaged, in use, or of
 *         another version.
 * @example
 * const journal = openJournal("run-1", JSON.stringify({ method, digest }));
 * const model = await new MpLowRank(options).fit(tasks, { journal });
 * journal.close();
 */
export function openJournal(folder: string, identity: string): OpenJournal {
  mkdirSync(folder, { recursive: true });
  const identityPath = join(folder, "fit.json");
  const begun = existsSync(identityPath) ? readFileSync(identityPath, "utf8") : undefined;
  if (begun === undefined) {
    const header = JSON.stringify({ format: FORMAT, version: VERSION, identity });
    writeSynced(identityPath, new TextEncoder().encode(header));
  } else checkIdentity(folder, begun, identity);
  let ledgerFile: LedgerFile | undefined;
  const pathOf = (release: number) =>
    join(folder, `release-${String(release).padStart(6, "0")}.safetensors`);
  return {
    openLedger(options) {
      if (ledgerFile) throw new DataError(`${folder}: this journal's ledger is open already.`);
      ledgerFile = openLedgerFile(join(folder, "ledger.jsonl"), options);
      return ledgerFile.ledger;
    },
    read(release) {
      const path = pathOf(release);
      if (!existsSync(path)) return undefined;
      const tensor = decodeSafetensors(readFileSync(path)).tensors[TENSOR];
      if (!tensor) throw new DataError(`${path}: it holds no released statistic.`);
      return tensor.data;
    },
    write(release, statistic) {
      const tensors = { [TENSOR]: { shape: [statistic.length], data: statistic } };
      writeSynced(pathOf(release), encodeSafetensors({ tensors, metadata: {} }));
    },
    close: () => ledgerFile?.close(),
  };
}
