/**
 * The script of a thread that holds tasks of a fit.
 * @module
 */
import { parentPort } from "node:worker_threads";
import { serveTasks } from "../../learning/serve-tasks.js";

const serve = serveTasks((answer, transfer) => parentPort!.postMessage(answer, transfer));
parentPort!.on("message", serve);
// Whoever waits for an answer is told by the thread's end.
parentPort!.on("messageerror", (cause) => {
  throw new Error("what the thread was sent could not be read", { cause });
});
