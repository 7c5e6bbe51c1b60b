/**
 * Asks workers for work: typed by kind, with progress, ended by a signal.
 * @module
 */
import { webWorkerPort } from "../../../src/model/web-worker.js";
import { WorkerPool, type WorkerPort } from "../../../src/model/worker-pool.js";
import { marked } from "./life.js";
import type { FitProgress, Job, ProgressMessage, Work, WorkName } from "./messages.js";
import { startWorker } from "./start-worker.js";
import { steadyPort } from "./steady-port.js";

/** Hooks of a piece of work. */
export interface WorkOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: FitProgress) => void;
}

/** What goes to the pool: the job, and who is told of its progress. */
interface Ticket {
  readonly job: Job;
  readonly onProgress: ((progress: FitProgress) => void) | undefined;
}

/** A worker's port that keeps progress apart from the pool's replies, and hooks on this side. */
function openPort(): WorkerPort {
  const port = steadyPort(() => marked(webWorkerPort(startWorker())));
  let current: { id: number; onProgress: Ticket["onProgress"] } | undefined;
  return {
    ...port,
    post: (message) => {
      const { id, job: ticket } = message as { id: number; job: Ticket };
      current = { id, onProgress: ticket.onProgress };
      port.post({ id, job: ticket.job });
    },
    listen: (message, failure) =>
      port.listen((received) => {
        const data = received as ProgressMessage | object;
        if (!("progress" in data)) message(data);
        else if (data.id === current?.id) current.onProgress?.(data.progress);
      }, failure),
  };
}

/** One at a time, for what the user is waiting for; several, for what fills in by and by. */
const foreground = new WorkerPool<Ticket, unknown>(openPort, 1);
const background = new WorkerPool<Ticket, unknown>(
  openPort,
  Math.max(1, Math.min(6, navigator.hardwareConcurrency - 1)),
);

/** Does a piece of work; rejects with the worker's error, or the signal's reason. */
export function perform<K extends WorkName>(
  where: "foreground" | "background",
  kind: K,
  job: Work[K]["job"],
  { signal, onProgress }: WorkOptions = {},
): Promise<Work[K]["result"]> {
  const pool = where === "foreground" ? foreground : background;
  const ticket: Ticket = { job: { kind, ...job } as unknown as Job, onProgress };
  return pool.run(ticket, signal ? { signal } : {}) as Promise<Work[K]["result"]>;
}
