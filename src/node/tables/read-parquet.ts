/**
 * Reads a Parquet file in a thread of its own, with limits in time and memory: the format has no checksum that covers
 * everything, and a damaged file can keep a reader busy for ever.
 * @module
 */
import { Worker } from "node:worker_threads";
import { DataError, HostError } from "../../core/errors.js";
import { Table, type Column } from "../../data/table/table.js";

/** What the thread is asked. */
export interface ParquetQuestion {
  readonly bytes: Uint8Array;
  readonly name: string;
}

/** What it answers. */
export type ParquetAnswer =
  | { readonly columns: readonly Column[] }
  /** Words of a DataError, or of a HostError; neither is an error of the reader itself. */
  | { readonly refusal: string | undefined; readonly host: string | undefined };

/** What reading may take. */
export const PARQUET_LIMITS = {
  /** For any file, and for each of its megabytes: fifty times what a sound one takes. */
  seconds: 30,
  secondsPerMb: 5,
  /** Limit on the thread's JavaScript heap, where the values lie; buffers are bounded by what the reader checks. */
  heapMb: 8192,
} as const;

/**
 * @throws HostError if the packages that read the format are not installed.
 * @throws DataError if the file cannot be read, is damaged, or takes too much time or memory.
 */
export async function readParquetApart(bytes: Uint8Array, name: string): Promise<Table> {
  const { seconds: least, secondsPerMb, heapMb } = PARQUET_LIMITS;
  const seconds = least + (secondsPerMb * bytes.length) / 1e6;
  const worker = new Worker(new URL("./parquet-worker.js", import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: heapMb },
  });
  const damaged = (why: string, cause?: unknown) =>
    new DataError(`${name} is not a Parquet file that can be read, or it is damaged (${why}).`, {
      cause,
    });
  let timer: NodeJS.Timeout | undefined;
  try {
    const answer = await new Promise<ParquetAnswer>((resolve, reject) => {
      timer = setTimeout(
        () => reject(damaged(`it was not read after ${Math.round(seconds)} s`)),
        1000 * seconds,
      );
      worker.once("message", resolve);
      worker.once("error", (cause: NodeJS.ErrnoException) =>
        reject(
          damaged(
            cause.code === "ERR_WORKER_OUT_OF_MEMORY" ? "it takes too much memory" : "",
            cause,
          ),
        ),
      );
      worker.once("exit", () => reject(damaged("reading it ended early")));
      worker.postMessage({ bytes, name } satisfies ParquetQuestion);
    });
    if ("columns" in answer) return new Table(answer.columns, { name });
    if (answer.host !== undefined) throw new HostError(answer.host);
    if (answer.refusal === undefined) throw damaged("the reader failed");
    throw new DataError(answer.refusal);
  } finally {
    clearTimeout(timer);
    await worker.terminate();
  }
}
