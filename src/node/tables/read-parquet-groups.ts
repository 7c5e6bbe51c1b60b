/**
 * Tables of a Parquet file, group of rows by group, which a thread of its own reads, with limits in time and memory as for whole
 * files: while one group is used the next one is read.
 * @module
 */
import { basename } from "node:path";
import { Worker } from "node:worker_threads";
import { DataError, HostError } from "../../core/errors.js";
import { Table } from "../../data/table/table.js";
import type { Reading } from "../../data/table/table-stream.js";
import type { PackedColumn } from "./pack-columns.js";
import { PARQUET_LIMITS } from "./read-parquet.js";
import { unpackRows } from "./unpack-rows.js";

/** What the thread is asked: how large the groups are, or for the columns of one. */
export interface GroupQuestion {
  readonly group: number | undefined;
  /** Columns to read; undefined: all. */
  readonly only: ReadonlySet<string> | undefined;
  /** Memory of a group that was used, for the next one: what is dropped instead stays until somebody collects it. */
  readonly spare: readonly ArrayBuffer[];
}

/** What it answers. */
export type GroupAnswer =
  | { readonly sizes: readonly number[] }
  /** Undefined if the group has no rows. */
  | { readonly columns: readonly PackedColumn[] | undefined }
  | { readonly refusal: string | undefined; readonly host: string | undefined };

/** Cells of a table: two megabytes of numbers. */
const CELLS = 1 << 18;

/**
 * @param reading says what is used of the columns, once that is known, and is told how much was read.
 * @throws HostError if the packages that read the format are not installed.
 * @throws DataError if the file cannot be read, is damaged, has no rows, or a group takes too much time or memory.
 */
export async function* parquetGroupsApart(path: string, reading: Reading): AsyncGenerator<Table> {
  const { seconds, secondsPerMb, heapMb } = PARQUET_LIMITS;
  const name = basename(path);
  const reader = new GroupReader(path, heapMb);
  try {
    const found = await reader.ask({ group: undefined, only: undefined, spare: [] }, seconds);
    const sizes = "sizes" in found ? found.sizes : [];
    const spare: ArrayBuffer[] = [];
    const groupAt = (group: number) => {
      const { use } = reading;
      const only = use && new Set([...use.numbers, ...use.texts]);
      const limit = seconds + (secondsPerMb * sizes[group]!) / 1e6;
      const asked = reader.ask({ group, only, spare: spare.splice(0) }, limit);
      // Who stops before it is used is not told of its failure.
      asked.catch(() => undefined);
      return asked;
    };
    let firstRow = 0;
    let coming: Promise<GroupAnswer> | undefined;
    for (let group = 0; group < sizes.length; group++) {
      const answer = await (coming ?? groupAt(group));
      coming = undefined;
      const columns = "columns" in answer ? (answer.columns ?? []) : [];
      const rows = columns[0]?.values.length ?? 0;
      const step = Math.max(1, Math.floor(CELLS / Math.max(1, columns.length)));
      for (let from = 0; from < rows; from += step) {
        const to = Math.min(rows, from + step);
        const source = { name, firstRow: firstRow + from };
        reading.share = (group + to / rows) / sizes.length;
        yield new Table(unpackRows(columns, from, to), source);
        // By now it is known which columns are used.
        if (group + 1 < sizes.length) coming ??= groupAt(group + 1);
      }
      firstRow += rows;
      for (const { values, texts } of columns) {
        if (!texts) spare.push(values.buffer as ArrayBuffer);
      }
    }
    if (firstRow === 0) throw new DataError(`${name} has no rows.`);
  } finally {
    await reader.close();
  }
}

/** The thread, asked one thing at a time. */
class GroupReader {
  readonly #worker: Worker;
  readonly #name: string;
  #failed: Error | undefined;
  #waiting: ((failed: Error) => void) | undefined;

  constructor(path: string, heapMb: number) {
    this.#name = basename(path);
    this.#worker = new Worker(new URL("./parquet-worker.js", import.meta.url), {
      workerData: path,
      resourceLimits: { maxOldGenerationSizeMb: heapMb },
    });
    this.#worker.on("error", (cause: NodeJS.ErrnoException) =>
      this.#fail(
        cause.code === "ERR_WORKER_OUT_OF_MEMORY" ? "it takes too much memory" : "",
        cause,
      ),
    );
    this.#worker.on("exit", () => this.#fail("reading it ended early"));
  }

  #fail(why: string, cause?: unknown): void {
    this.#failed ??= new DataError(
      `${this.#name} is not a Parquet file that can be read, or it is damaged (${why}).`,
      { cause },
    );
    this.#waiting?.(this.#failed);
  }

  /** @param seconds that it may take. */
  async ask(question: GroupQuestion, seconds: number): Promise<GroupAnswer> {
    if (this.#failed) throw this.#failed;
    let timer: NodeJS.Timeout | undefined;
    try {
      const answer = await new Promise<GroupAnswer>((resolve, reject) => {
        this.#waiting = reject;
        timer = setTimeout(
          () => this.#fail(`it was not read after ${Math.round(seconds)} s`),
          1000 * seconds,
        );
        this.#worker.once("message", resolve);
        this.#worker.postMessage(question, [...question.spare]);
      });
      if (!("refusal" in answer)) return answer;
      if (answer.host !== undefined) throw new HostError(answer.host);
      throw new DataError(answer.refusal!);
    } finally {
      clearTimeout(timer);
      this.#waiting = undefined;
    }
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }
}
