/**
 * The script of a worker thread: answers the pool's requests.
 * @module
 */
import { parentPort } from "node:worker_threads";
import { answer, type FitJob, type Request } from "../model/index.js";

parentPort?.on("message", (request: Request<FitJob>) => {
  void answer(request).then((reply) => {
    parentPort!.postMessage(reply);
  });
});
