/**
 * Results as they come, one JSON line per cell, so that an interrupted or killed evaluation goes
 * on where it was and loses at most the cells in flight.
 * @module
 */
import { createReadStream, existsSync } from "node:fs";
import { appendFile, mkdir, truncate } from "node:fs/promises";
import { dirname } from "node:path";
import { createInterface } from "node:readline";
import { DataError, OptionError } from "../../core/index.js";
import { writeFileAtomically } from "../../node/index.js";
import type { CellKey, CellResult } from "./cell.js";

/** What the first line of a results file calls itself. */
export const FORMAT = "mp-mtl-results";
export const VERSION = 3;

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

/** A results file and what is in it. */
export class ResultsFile {
  readonly path: string;
  readonly #header: string;
  readonly #results: Map<string, CellResult>;

  private constructor(path: string, header: string, results: Map<string, CellResult>) {
    this.path = path;
    this.#header = header;
    this.#results = results;
  }

  /**
   * Opens the file of an evaluation, new or to be gone on with.
   *
   * @param configuration everything that determines the results.
   * @throws OptionError if the file belongs to another configuration.
   * @throws DataError if a line before the last is damaged.
   */
  static async open(path: string, configuration: unknown): Promise<ResultsFile> {
    const header = JSON.stringify({ format: FORMAT, version: VERSION, configuration });
    if (!existsSync(path)) {
      await mkdir(dirname(path), { recursive: true });
      await writeFileAtomically(path, `${header}\n`);
      return new ResultsFile(path, header, new Map());
    }
    const results = new Map<string, CellResult>();
    let line = 0;
    let bytes = 0;
    let torn: number | undefined;
    for await (const text of createInterface({ input: createReadStream(path) })) {
      line++;
      if (torn !== undefined) throw new DataError(`${path}, line ${line - 1} is damaged.`);
      if (line === 1 && text !== header) {
        checkVersion(path, text);
        throw new OptionError(
          `${path} holds results of another configuration; name another --out, or delete it.`,
        );
      }
      if (line > 1) {
        try {
          const result = JSON.parse(text) as CellResult;
          results.set(keyOf(result), result);
        } catch {
          torn = bytes;
        }
      }
      bytes += Buffer.byteLength(text) + 1;
    }
    // A run killed while it wrote leaves part of a line; that cell runs again.
    if (torn !== undefined) await truncate(path, torn);
    return new ResultsFile(path, header, results);
  }

  /** Whether the cell is finished. */
  has(key: CellKey): boolean {
    return this.#results.has(keyOf(key));
  }

  /** Writes a finished cell down. */
  async append(result: CellResult): Promise<void> {
    this.#results.set(keyOf(result), result);
    await appendFile(this.path, `${JSON.stringify(result)}\n`, { flush: true });
  }

  /**
   * Puts the lines in the order of the cells, whatever order they finished in, and returns them.
   * The same evaluation gives the same bytes, interrupted or not, with any number of workers. Cells
   * of the file that are not asked for are kept after the others.
   */
  async finish(cells: readonly CellKey[]): Promise<CellResult[]> {
    const ordered = cells.map((cell) => this.#results.get(keyOf(cell))!);
    const asked = new Set(cells.map(keyOf));
    const others = [...this.#results.keys()].filter((key) => !asked.has(key)).sort();
    const kept = [...ordered, ...others.map((key) => this.#results.get(key)!)];
    const lines = [this.#header, ...kept.map((result) => JSON.stringify(result))];
    await writeFileAtomically(this.path, `${lines.join("\n")}\n`);
    return ordered;
  }
}
