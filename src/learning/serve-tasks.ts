/**
 * What a worker that holds tasks runs, whatever the host calls a thread.
 * @module
 */
import { findMethod } from "./methods.js";
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
  const server = new HalfServer((method, options) => findMethod(method)?.halves?.(options), post);
  return (message) => server.handle(message as TaskRequest);
}
