/**
 * The workers over which fits spread their tasks: started when one is needed, kept for the next fit.
 * @module
 */
import { integer } from "../../core/index.js";
import { TaskWorker } from "./task-worker.js";
import type { WorkerPort } from "./worker-port.js";

/**
 * At most `threads` - 1 workers beside the thread that fits, whatever the number of fits at once. A worker that waits for
 * the next fit does not keep the process alive, where the host lets it. Only a fit whose rows fewer threads' memories would not
 * hold takes more. Rows of the last fit, up to 64 MiB a worker, stay in memory until the next, or until `close`.
 */
export class TaskWorkers {
  /** Threads that fits may use at once, that of the caller included. */
  readonly threads: number;
  readonly #open: () => WorkerPort;
  readonly #idle: TaskWorker[] = [];
  readonly #busy = new Set<TaskWorker>();
  #missed = 0;

  /**
   * @param open starts a worker whose script hands its messages to `serveTasks`.
   * @param threads >= 1.
   */
  constructor(open: () => WorkerPort, threads: number) {
    this.#open = open;
    this.threads = integer("threads", threads, 1);
  }

  /** Workers that `take` can hand out now within the number of threads. */
  get free(): number {
    return this.threads - 1 - this.#busy.size;
  }

  /** Those of them that run already, so that they cost no start. */
  get started(): number {
    return this.#idle.length;
  }

  /** Work since the last start of a worker that fits did themselves for want of a running one; much of it justifies the next start. */
  get missed(): number {
    return this.#missed;
  }

  /** Counts such work of a fit. @param work in multiplications; 0 where it missed none. */
  miss(work: number): void {
    this.#missed += work;
  }

  /** Workers for one fit. @throws the host's error if one cannot be started. */
  take(count: number): TaskWorker[] {
    const taken: TaskWorker[] = [];
    try {
      while (taken.length < count) {
        const kept = this.#idle.pop();
        // One that ended while it was idle is replaced.
        const worker = kept?.idle ? kept : this.#start();
        worker.hold(true);
        this.#busy.add(worker);
        taken.push(worker);
      }
    } catch (error) {
      this.giveBack(taken);
      throw error;
    }
    return taken;
  }

  #start(): TaskWorker {
    this.#missed = 0;
    return new TaskWorker(this.#open());
  }

  /** Takes workers back from a fit that is over; those that still compute, because it failed, are ended. */
  giveBack(workers: readonly TaskWorker[]): void {
    for (const worker of workers) {
      this.#busy.delete(worker);
      if (worker.idle) {
        worker.leave();
        worker.hold(false);
        this.#idle.push(worker);
      } else worker.end();
    }
  }

  /** Ends all workers; a fit that still uses one fails. */
  close(): void {
    for (const worker of [...this.#idle.splice(0), ...this.#busy]) worker.end();
    this.#busy.clear();
  }
}
