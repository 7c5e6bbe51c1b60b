/**
 * The script of a thread that fits models.
 * @module
 */
import { runFitJob } from "../model/index.js";
import { serveJobs } from "./thread-pool.js";

serveJobs(runFitJob);
