/**
 * Runs cells on worker threads, writing each down as it comes.
 * @module
 */
import { setMaxListeners } from "node:events";
import { availableParallelism } from "node:os";
import { openThreadPool } from "../../../node/index.js";
import type { Progress } from "../../terminal/progress.js";
import type { Cell, CellResult } from "./cell.js";
import type { ResultsFile } from "./results-file.js";
import type { CellJob } from "./worker.js";

/** How cells are run. */
export interface RunCellsOptions {
  readonly signal: AbortSignal;
  readonly progress: Pick<Progress, "update">;
  /** Threads; default the number of cores. */
  readonly workers: number | undefined;
}

/** Runs the cells that are not in the file yet; an interrupt keeps those that are. */
export async function runCells(
  cells: readonly Cell[],
  file: Pick<ResultsFile, "has" | "append">,
  { signal, progress, workers = availableParallelism() }: RunCellsOptions,
): Promise<void> {
  const open = cells.filter((cell) => !file.has(cell));
  if (open.length === 0) return;
  const atOnce = Math.min(open.length, workers);
  const pool = openThreadPool<CellJob, CellResult>(new URL("./worker.js", import.meta.url), atOnce);
  // Where there are fewer cells than threads, a cell's cross-validation has several.
  const threads = Math.floor(workers / atOnce);
  // Every waiting cell listens for the interrupt.
  setMaxListeners(0, signal);
  let done = cells.length - open.length;
  progress.update(done, cells.length, "cell");
  let writing = Promise.resolve();
  try {
    await Promise.all(
      open.map(async (cell) => {
        const result = await pool.run({ cell, threads }, { signal });
        writing = writing.then(() => file.append(result));
        await writing;
        progress.update(++done, cells.length, "cell");
      }),
    );
  } finally {
    pool.close();
    await writing;
  }
}
