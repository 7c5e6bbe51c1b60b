/**
 * Results as they come, one JSON line per cell, so that an interrupted or killed evaluation goes
 * on where it was and loses at most the cells in flight.
 * @module
 */
import { existsSync, rmdirSync, rmSync } from "node:fs";
import { appendFile, readFile, truncate } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { DataError, OptionError } from "../../../core/index.js";
import { writeFileAtomically } from "../../../node/index.js";
import { explained, explainWrite } from "../../../node/files/explain-write.js";
import { fileTrace } from "../../../node/files/file-trace.js";
import { lockFile, type Lock } from "../../../node/records/lock-file.js";
import { kindAt, makeDirectory } from "../../../node/files/make-directory.js";
import type { CellKey, CellResult } from "./cell.js";
import { differingSettings } from "./other-settings.js";

/** What the first line of a results file calls itself. */
export const FORMAT = "mp-mtl-results";
/** Of the format; results of another are refused. */
export const VERSION = 4;
const LINE_END = 10;

/** A cell's identity as text. */
export function keyOf({ method, epsilon, replicate, variant }: CellKey): string {
  return [method, epsilon ?? "-", replicate, ...(variant == null ? [] : [variant])].join(" ");
}

/** Says so where a file is not of this version, which is more use than "another configuration". */
function checkVersion(path: string, header: string): void {
  let found: { format?: unknown; version?: unknown } = {};
  try {
    found = (JSON.parse(header) ?? {}) as typeof found;
  } catch {
    // Not JSON, so not an evaluation's: said below.
  }
  if (found.format !== FORMAT) {
    throw new DataError(`${path} is not a file of mp-mtl evaluate; name another --out.`);
  }
  if (found.version !== VERSION) {
    throw new DataError(
      `${path}: expected version ${VERSION}, found ${String(found.version)}; it was written by another ` +
        `release of mp-mtl, so name another --out.`,
    );
  }
}

/** What a file holds, and up to which byte. */
interface Content {
  readonly results: Map<string, CellResult>;
  readonly length: number;
  /** Whether a kill left part of a line behind it. */
  readonly torn: boolean;
}

/** @throws OptionError or DataError if the file is of another configuration, or a line before the last is damaged. */
async function readContent(path: string, header: string): Promise<Content> {
  const results = new Map<string, CellResult>();
  const bytes = await readFile(path);
  // What no end of line follows was not written whole, even if it can be read: the next line would be added to it.
  const whole = bytes.lastIndexOf(LINE_END) + 1;
  const [first = "", ...lines] = bytes.toString("utf8", 0, whole).split("\n").slice(0, -1);
  if (first !== header) {
    checkVersion(path, first);
    throw new OptionError(
      `${path} holds results of another configuration${differingSettings(first, header)}; name another --out, or delete it.`,
    );
  }
  let length = whole;
  for (const [k, text] of lines.entries()) {
    try {
      const result = JSON.parse(text) as CellResult;
      results.set(keyOf(result), result);
    } catch {
      if (k < lines.length - 1 || whole < bytes.length) {
        throw new DataError(`${path}, line ${k + 2} is damaged.`);
      }
      length -= Buffer.byteLength(text) + 1;
    }
  }
  return { results, length, torn: length < bytes.length };
}

/** Whether results are of a table, whose owners' models and a digest of whose rows are in them; a simulation is nobody's. */
export const areOfRows = (configuration: object): boolean => "dataDigest" in configuration;

interface About {
  readonly made: boolean;
  readonly secret: boolean;
}

/** A results file and what is in it. */
export class ResultsFile {
  readonly path: string;
  /** Whether part of a line was cut off: a kill left it, and its cell runs again. */
  readonly torn: boolean;
  readonly #header: string;
  readonly #results: Map<string, CellResult>;
  readonly #lock: Lock;
  /** Whether its folder was made for it, and whether it is of somebody's rows. */
  readonly #about: About;
  /** Of the file as this process read or wrote it last. */
  #trace: string | undefined;

  private constructor(path: string, header: string, lock: Lock, content: Content, about: About) {
    this.#about = about;
    this.path = path;
    this.torn = content.torn;
    this.#header = header;
    this.#lock = lock;
    this.#results = content.results;
    this.#trace = fileTrace(path);
  }

  /**
   * Opens the file of an evaluation, new or to be gone on with, for one process at a time.
   *
   * @param configuration everything that determines the results.
   * @throws OptionError if the file belongs to another configuration, or cannot be written.
   * @throws DataError if a line before the last is damaged, or another process has the file.
   */
  static async open(path: string, configuration: object): Promise<ResultsFile> {
    const secret = areOfRows(configuration);
    const header = JSON.stringify({ format: FORMAT, version: VERSION, configuration });
    const made = kindAt(dirname(resolve(path))) === "nothing";
    explained(path, () => makeDirectory(dirname(resolve(path)), secret ? 0o700 : 0o777));
    const lock = lockFile(`${path}.lock`, "this evaluation");
    try {
      if (!existsSync(path)) await writeFileAtomically(path, `${header}\n`, { secret });
      const content = await readContent(path, header);
      if (content.torn) await truncate(path, content.length);
      return new ResultsFile(path, header, lock, content, { made, secret });
    } catch (error) {
      lock.release();
      throw explainWrite(path, error);
    }
  }

  /** Lets other processes have the file. One without any result is removed: other settings may be meant next. */
  close(): void {
    const empty = this.#results.size === 0 && fileTrace(this.path) === this.#trace;
    if (empty) rmSync(this.path, { force: true });
    this.#lock.release();
    if (!empty || !this.#about.made) return;
    try {
      rmdirSync(dirname(resolve(this.path)));
    } catch {
      // Someone has put something into it.
    }
  }

  /** Whether the cell is finished. */
  has(key: CellKey): boolean {
    return this.#results.has(keyOf(key));
  }

  /**
   * Writes a finished cell down.
   * @throws DataError if another process has written meanwhile, OptionError if the disk takes no more.
   */
  async append(result: CellResult): Promise<void> {
    this.#requireOurs();
    this.#results.set(keyOf(result), result);
    try {
      await appendFile(this.path, `${JSON.stringify(result)}\n`, { flush: true });
    } catch (error) {
      throw explainWrite(this.path, error);
    }
    this.#trace = fileTrace(this.path);
  }

  #requireOurs(): void {
    this.#lock.check();
    if (fileTrace(this.path) === this.#trace) return;
    throw new DataError(
      `${this.path}: it is not as this process left it; another one has written to it, so this one stops.`,
    );
  }

  /**
   * Puts the lines in the order of the cells, whatever order they finished in, and returns them.
   * The same evaluation gives the same bytes, interrupted or not, with any number of workers. Cells
   * of the file that are not asked for are kept after the others.
   */
  async finish(cells: readonly CellKey[]): Promise<CellResult[]> {
    this.#requireOurs();
    const ordered = cells.map((cell) => this.#results.get(keyOf(cell))!);
    const asked = new Set(cells.map(keyOf));
    const others = [...this.#results.keys()].filter((key) => !asked.has(key)).sort();
    const kept = [...ordered, ...others.map((key) => this.#results.get(key)!)];
    const lines = [this.#header, ...kept.map((result) => JSON.stringify(result))];
    const text = `${lines.join("\n")}\n`;
    await writeFileAtomically(this.path, text, this.#about);
    this.#trace = fileTrace(this.path);
    return ordered;
  }
}
