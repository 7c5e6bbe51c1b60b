/**
 * Worker pools in Node: fits on all cores.
 * @module
 */
import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import type { FitJob, FitJobResult } from "../model/index.js";
import { WorkerPool, type WorkerPort } from "../model/index.js";

function threadPort(): WorkerPort {
  const worker = new Worker(new URL("./fit-worker.js", import.meta.url));
  return {
    post: (message) => worker.postMessage(message),
    listen: (message, failure) => {
      worker.on("message", message);
      worker.on("error", failure);
      worker.on("exit", (code) => {
        if (code !== 0) failure(new Error(`exit code ${code}`));
      });
      worker.unref(); // an idle pool does not keep the process alive
    },
    terminate: () => void worker.terminate(),
  };
}

/**
 * A pool of worker threads that fit models: replicates, folds, grids.
 *
 * @param size most threads; default the number of cores.
 * @example
 * const pool = openFitPool();
 * const jobs = seeds.map((seed) => ({ method: "mp-low-rank", options: { random: { mode: "seeded", seed } }, train }));
 * const results = await Promise.all(jobs.map((job) => pool.run(job)));
 * pool.close();
 */
export function openFitPool(
  size: number = availableParallelism(),
): WorkerPool<FitJob, FitJobResult> {
  return new WorkerPool(threadPort, size);
}
