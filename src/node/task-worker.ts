/**
 * The script of a thread that holds tasks of a fit.
 * @module
 */
import { parentPort } from "node:worker_threads";
import { serveTasks } from "../learning/serve-tasks.js";

const serve = serveTasks((answer, transfer) => parentPort!.postMessage(answer, transfer));
parentPort!.on("message", serve);
