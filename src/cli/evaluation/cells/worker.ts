/**
 * The script of a thread that runs cells.
 * @module
 */
import { serveJobs } from "../../../node/index.js";
import { runCell } from "./run-cell.js";

serveJobs(runCell);
