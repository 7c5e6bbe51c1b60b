/**
 * The script of a thread that runs cells.
 * @module
 */
import { serveJobs } from "../../../node/index.js";
import type { Cell } from "./cell.js";
import { runCell } from "./run-cell.js";

/** What such a thread is sent. */
export interface CellJob {
  readonly cell: Cell;
  /** Threads that the cell may use. */
  readonly threads: number;
}

serveJobs(({ cell, threads }: CellJob) => runCell(cell, threads));
