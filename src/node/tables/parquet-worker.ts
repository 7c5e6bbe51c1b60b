/**
 * The script of a thread that reads one Parquet file: from bytes that it is sent, or, where it is told a path, by groups of rows.
 * @module
 */
import { parentPort, workerData } from "node:worker_threads";
import { DataError, HostError } from "../../core/errors.js";
import { readParquet } from "../../data/read/index.js";
import type { ParquetAnswer, ParquetQuestion } from "./read-parquet.js";
import { serveParquetGroups } from "./serve-parquet-groups.js";

// Of a thread that is told no path it is undefined.
const path = workerData as string | null | undefined;
if (typeof path === "string") serveParquetGroups(path, parentPort!);
else parentPort!.on("message", readWhole);

function readWhole({ bytes, name }: ParquetQuestion): void {
  const answer = (message: ParquetAnswer) => parentPort!.postMessage(message);
  readParquet(bytes, { name }).then(
    ({ columns }) => answer({ columns }),
    (error: unknown) =>
      answer({
        refusal: error instanceof DataError ? error.message : undefined,
        host: error instanceof HostError ? error.message : undefined,
      }),
  );
}
