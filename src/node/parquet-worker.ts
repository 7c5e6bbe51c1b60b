/**
 * The script of a thread that reads one Parquet file.
 * @module
 */
import { parentPort } from "node:worker_threads";
import { DataError, HostError } from "../core/errors.js";
import { readParquet } from "../data/read/index.js";
import type { ParquetAnswer, ParquetQuestion } from "./read-parquet.js";

parentPort?.on("message", ({ bytes, name }: ParquetQuestion) => {
  const answer = (message: ParquetAnswer) => parentPort!.postMessage(message);
  readParquet(bytes, { name }).then(
    ({ columns }) => answer({ columns }),
    (error: unknown) =>
      answer({
        refusal: error instanceof DataError ? error.message : undefined,
        host: error instanceof HostError ? error.message : undefined,
      }),
  );
});
