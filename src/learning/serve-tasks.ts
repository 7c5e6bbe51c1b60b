/**
 * What a worker that holds tasks runs, whatever the host calls a thread.
 * @module
 */
import { findMethod } from "./methods.js";
import { batchesOf } from "./round/batches.js";
import { HalfServer } from "./parallel/half-server.js";
import type { TaskRequest } from "./parallel/messages.js";

/** Takes what {@link TaskWorkers} send. */
export type TaskServer = (message: unknown) => void;

/**
 * Inside a worker: answers the requests of a fit.
 * @param post sends an answer to the thread that opened the worker.
 */
export function serveTasks(
  post: (answer: unknown, transfer: readonly ArrayBuffer[]) => void,
): TaskServer {
  const server = new HalfServer((name, options, outputs) => {
    const method = findMethod(name);
    const halves = method?.halves?.(options);
    return halves
      ? batchesOf(halves, ({ sizes }) => halves.releases({ sizes, outputs }))
      : method?.batches?.(options);
  }, post);
  return (message) => server.handle(message as TaskRequest);
}
