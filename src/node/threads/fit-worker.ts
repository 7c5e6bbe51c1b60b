/**
 * The script of a thread that fits models.
 * @module
 */
import { runCrossingFitJob } from "../../model/index.js";
import { serveJobs } from "./thread-pool.js";

serveJobs(runCrossingFitJob);
