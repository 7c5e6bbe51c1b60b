/**
 * Jobs on several threads at once, whatever the host calls a thread.
 * @module
 */
import { integer, loadedKernels, MpMtlError } from "../core/index.js";
import type { Reply, Request } from "./answer-jobs.js";
import type { WorkerPort } from "../learning/index.js";

export type { WorkerPort };

/** A job as it is posted. */
export interface Packed<Message> {
  readonly message: Message;
  readonly transfer: readonly ArrayBuffer[];
}

/** A job that waits or runs. */
interface Waiting<Job, Result> {
  readonly id: number;
  readonly job: Job;
  readonly signal: AbortSignal | undefined;
  readonly onProgress: ((progress: unknown) => void) | undefined;
  /** With the result of the job. */
  resolve(result: Result): void;
  /** With what the job failed of. */
  reject(error: unknown): void;
}

/** A running worker and the job it has. */
interface Worker<Job, Result> {
  readonly port: WorkerPort;
  current: Waiting<Job, Result> | undefined;
  greeted: boolean;
}

/**
 * Runs jobs on at most `size` workers, first come first served. A job's result does not depend
 * on which worker ran it or on how many there are.
 *
 * A worker uses the kernels (build or module of `initialize`) that are loaded in this thread when its
 * first job is sent. An aborted job's worker is ended and replaced, as is one that died; the other jobs go on.
 */
export class WorkerPool<Job, Result> {
  /** Most workers at once. */
  readonly size: number;
  readonly #open: () => WorkerPort;
  readonly #pack: (job: Job) => Packed<unknown>;
  readonly #idle: Worker<Job, Result>[] = [];
  readonly #busy = new Set<Worker<Job, Result>>();
  #waiting: Waiting<Job, Result>[] = [];
  #next = 0;
  #closed = false;

  /**
   * @param open starts a worker; called when one is needed and fewer than `size` run.
   * @param size most workers at once, >= 1.
   * @param pack makes a job ready to cross, when it is sent; default: it is cloned as it is.
   */
  constructor(
    open: () => WorkerPort,
    size: number,
    pack: (job: Job) => Packed<unknown> = (message) => ({ message, transfer: [] }),
  ) {
    this.#open = open;
    this.#pack = pack;
    this.size = integer("size", size, 1);
  }

  /**
   * The result of a job.
   *
   * @param job     what a worker can clone.
   * @param options how it can be stopped and watched.
   * @param options.signal ends the job, and rejects with the signal's reason.
   * @param options.onProgress takes what the worker tells of a job under way; an error that it throws ends the job.
   * @throws MpMtlError with the worker's code and message if the job fails there.
   */
  run(
    job: Job,
    { signal, onProgress }: { signal?: AbortSignal; onProgress?: (progress: unknown) => void } = {},
  ): Promise<Result> {
    if (this.#closed) throw new RangeError("the pool is closed; open another");
    return new Promise<Result>((resolve, reject) => {
      if (signal?.aborted) {
        reject(signal.reason as Error);
        return;
      }
      const abort = () => this.#end(waiting, signal?.reason);
      const settling =
        <T>(settle: (value: T) => void) =>
        (value: T) => {
          signal?.removeEventListener("abort", abort);
          settle(value);
        };
      const waiting: Waiting<Job, Result> = {
        id: this.#next++,
        job,
        signal,
        onProgress,
        resolve: settling(resolve),
        reject: settling(reject),
      };
      signal?.addEventListener("abort", abort);
      this.#waiting.push(waiting);
      this.#dispatch();
    });
  }

  /** Ends all workers; jobs not finished are rejected. */
  close(): void {
    this.#closed = true;
    const error = new MpMtlError("CLOSED", "the pool was closed before the job was done");
    for (const worker of this.#busy) worker.current?.reject(error);
    for (const waiting of this.#waiting) waiting.reject(error);
    for (const { port } of [...this.#busy, ...this.#idle]) port.terminate();
    this.#busy.clear();
    this.#idle.length = 0;
    this.#waiting = [];
  }

  #dispatch(): void {
    while (this.#waiting.length > 0 && (this.#idle.length > 0 || this.#busy.size < this.size)) {
      const next = this.#waiting.shift()!;
      // One that the same abort stops is told by its own listener: no worker is started for it.
      if (!next.signal?.aborted) this.#give(next);
    }
  }

  /** Gives a job to an idle worker or a new one; what cannot be sent fails, and keeps no worker busy. */
  #give(next: Waiting<Job, Result>): void {
    let worker = this.#idle.pop();
    try {
      worker ??= this.#start();
      const kernels = worker.greeted ? undefined : loadedKernels();
      const { message, transfer } = this.#pack(next.job);
      const told = next.onProgress ? { told: true } : {};
      const request: Request<unknown> = { id: next.id, job: message, ...told };
      worker.current = next;
      this.#busy.add(worker);
      worker.port.post(kernels ? { ...request, kernels } : request, transfer);
      worker.greeted = true;
    } catch (cause) {
      if (worker) this.#release(worker);
      const what = worker
        ? "the job could not be sent to a worker"
        : "a worker could not be started";
      next.reject(new MpMtlError("WORKER", `${what}: ${(cause as Error).message}`, { cause }));
    }
  }

  #start(): Worker<Job, Result> {
    const worker: Worker<Job, Result> = { port: this.#open(), current: undefined, greeted: false };
    worker.port.listen(
      (data) => this.#reply(worker, data as Reply<Result>),
      (cause) => this.#failed(worker, cause),
    );
    return worker;
  }

  #reply(worker: Worker<Job, Result>, reply: Reply<Result>): void {
    const { current } = worker;
    if (!current || reply.id !== current.id) return; // the job was aborted meanwhile
    if ("progress" in reply) {
      this.#told(current, reply.progress);
      return;
    }
    this.#release(worker);
    if ("result" in reply) current.resolve(reply.result);
    else current.reject(new MpMtlError(reply.error.code, reply.error.message));
    this.#dispatch();
  }

  #told(current: Waiting<Job, Result>, progress: unknown): void {
    try {
      current.onProgress?.(progress);
    } catch (error) {
      this.#end(current, error);
    }
  }

  #failed(worker: Worker<Job, Result>, cause: Error): void {
    const { current } = worker;
    this.#drop(worker);
    worker.port.terminate(); // an error that nobody caught does not end a Web Worker
    current?.reject(
      cause instanceof MpMtlError
        ? cause
        : new MpMtlError("WORKER", `a worker died: ${cause.message}`, { cause }),
    );
    this.#dispatch();
  }

  #release(worker: Worker<Job, Result>): void {
    worker.current = undefined;
    this.#busy.delete(worker);
    this.#idle.push(worker);
  }

  /** Ends a job, and the worker that has it. */
  #end(waiting: Waiting<Job, Result>, why: unknown): void {
    const worker = [...this.#busy].find(({ current }) => current === waiting);
    if (worker) {
      this.#drop(worker);
      worker.port.terminate();
    } else {
      this.#waiting = this.#waiting.filter((other) => other !== waiting);
    }
    waiting.reject(why);
    this.#dispatch();
  }

  #drop(worker: Worker<Job, Result>): void {
    worker.current = undefined;
    this.#busy.delete(worker);
    const at = this.#idle.indexOf(worker);
    if (at >= 0) this.#idle.splice(at, 1);
  }
}
