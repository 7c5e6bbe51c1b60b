/**
 * Worker pools in a browser (and other hosts with Web Workers): the two ends of a port.
 * @module
 */
import { runCrossingFitJob, type CrossingFitJob } from "./fit-job.js";
import { FitPool } from "./fit-pool.js";
import { serveTasks, TaskWorkers } from "../learning/index.js";
import type { WorkerPort } from "./worker-pool.js";
import { respond, type Request } from "./answer-jobs.js";

/** What is used of a Web Worker. */
export type WebWorker = Pick<Worker, "postMessage" | "addEventListener" | "terminate">;

/** What is used of the scope of a Web Worker's script. */
export type WorkerScope = Pick<typeof globalThis, "addEventListener" | "postMessage">;

/** A pool's end of the port to a Web Worker. */
export function webWorkerPort(worker: WebWorker): WorkerPort {
  return {
    post: (message, transfer = []) => worker.postMessage(message, [...transfer]),
    listen: (message, failure) => {
      worker.addEventListener("message", (event) => message((event as MessageEvent).data));
      worker.addEventListener("error", (event) => {
        failure(new Error((event as ErrorEvent).message || "the worker's script did not load"));
      });
      worker.addEventListener("messageerror", () => {
        failure(new Error("what the worker sent could not be read"));
      });
    },
    terminate: () => worker.terminate(),
  };
}

/**
 * A pool of Web Workers that fit models. The worker's script is one line of yours,
 * `import { serveFitJobs } from "mp-mtl"; serveFitJobs();`, so that your bundler sees it.
 *
 * @param open starts a worker with that script.
 * @param size most workers; default the host's number of cores.
 * @example
 * const pool = openWebFitPool(() => new Worker(new URL("./fit.js", import.meta.url), { type: "module" }));
 */
export function openWebFitPool(
  open: () => WebWorker,
  size: number = globalThis.navigator?.hardwareConcurrency ?? 2,
): FitPool {
  return new FitPool(() => webWorkerPort(open()), size);
}

/**
 * Web Workers over which fits spread their tasks, as `openTaskWorkers` has threads in Node. The worker's script is one line
 * of yours, `import { serveTaskWorkers } from "mp-mtl"; serveTaskWorkers();`. Where the page is not isolated from other
 * origins, so that it has no shared memory, uploads and broadcasts are transferred instead.
 *
 * @param open starts a worker with that script.
 * @param threads most threads of all fits together, the caller's included; default the host's number of cores.
 */
export function openWebTaskWorkers(
  open: () => WebWorker,
  threads: number = globalThis.navigator?.hardwareConcurrency ?? 2,
): TaskWorkers {
  return new TaskWorkers(() => webWorkerPort(open()), threads);
}

/**
 * Inside a Web Worker: holds the tasks of fits that `openWebTaskWorkers` spreads.
 * @param scope what requests come from; default the worker's own scope.
 */
export function serveTaskWorkers(scope: WorkerScope = globalThis): void {
  requireScope("serveTaskWorkers", scope);
  const serve = serveTasks((answer, transfer) =>
    scope.postMessage(answer, { transfer: [...transfer] }),
  );
  scope.addEventListener("message", (event) => serve((event as MessageEvent).data));
  endWhereUnreadable(scope);
}

/**
 * Inside a Web Worker: answers the requests of `openWebFitPool`.
 * @param scope what requests come from; default the worker's own scope.
 * @throws TypeError where that is no worker's.
 */
export function serveFitJobs(scope: WorkerScope = globalThis): void {
  requireScope("serveFitJobs", scope);
  scope.addEventListener("message", (event) => {
    const request = (event as MessageEvent<Request<CrossingFitJob>>).data;
    void respond(request, runCrossingFitJob, (reply) => scope.postMessage(reply));
  });
  endWhereUnreadable(scope);
}

/** @throws TypeError where it is no worker that runs this. */
function requireScope(what: string, scope: WorkerScope): void {
  if (typeof scope?.addEventListener === "function") return;
  throw new TypeError(
    `${what}: expected the scope of a Web Worker; call it in the worker's own script`,
  );
}

/** An error of the worker's own, so that whoever waits for an answer is told. */
function endWhereUnreadable(scope: WorkerScope): void {
  scope.addEventListener("messageerror", () => {
    throw new Error("what the worker was sent could not be read");
  });
}
