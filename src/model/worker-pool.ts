/**
 * Jobs on several threads at once, whatever the host calls a thread.
 * @module
 */
import {
  adoptKernels,
  integer,
  loadedKernels,
  MpMtlError,
  type LoadedKernels,
} from "../core/index.js";

/** Request and reply as they cross between threads. */
export interface Request<Job> {
  readonly id: number;
  readonly job: Job;
  /** With the first request to a worker: the kernels that its pool's thread has loaded, if it has. */
  readonly kernels?: LoadedKernels;
}
/** What a worker answers: the result, or what went wrong. */
export type Reply<Result> =
  | { readonly id: number; readonly result: Result }
  | { readonly id: number; readonly error: { code: string; message: string } };

/** Inside a worker: answers one request; an error becomes a reply, so that the worker lives on. */
export async function answer<Job, Result>(
  { id, job, kernels }: Request<Job>,
  run: (job: Job) => Promise<Result>,
): Promise<Reply<Result>> {
  try {
    if (kernels) adoptKernels(kernels);
    return { id, result: await run(job) };
  } catch (error) {
    const code = error instanceof MpMtlError ? error.code : "ERROR";
    return { id, error: { code, message: (error as Error).message } };
  }
}

/** One worker, as the pool sees it; the host's adaptor is a few lines. */
export interface WorkerPort {
  /** Sends a message to the worker. */
  post(message: unknown): void;
  /** Called once by the pool: every message of the worker goes to `message`, its death to `failure`. */
  listen(message: (data: unknown) => void, failure: (cause: Error) => void): void;
  /** Ends the worker at once. */
  terminate(): void;
}

/** A job that waits or runs. */
interface Waiting<Job, Result> {
  readonly id: number;
  readonly job: Job;
  readonly signal: AbortSignal | undefined;
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
  readonly size: number;
  readonly #open: () => WorkerPort;
  readonly #idle: Worker<Job, Result>[] = [];
  readonly #busy = new Set<Worker<Job, Result>>();
  #waiting: Waiting<Job, Result>[] = [];
  #next = 0;
  #closed = false;

  /**
   * @param open starts a worker; called when one is needed and fewer than `size` run.
   * @param size most workers at once, >= 1.
   */
  constructor(open: () => WorkerPort, size: number) {
    this.#open = open;
    this.size = integer("size", size, 1);
  }

  /**
   * The result of a job.
   *
   * @param job     what a worker can clone.
   * @param options how it can be stopped.
   * @param options.signal ends the job, and rejects with the signal's reason.
   * @throws MpMtlError with the worker's code and message if the job fails there.
   */
  run(job: Job, { signal }: { signal?: AbortSignal } = {}): Promise<Result> {
    if (this.#closed) throw new RangeError("the pool is closed; open another");
    return new Promise<Result>((resolve, reject) => {
      if (signal?.aborted) {
        reject(signal.reason as Error);
        return;
      }
      const waiting: Waiting<Job, Result> = { id: this.#next++, job, signal, resolve, reject };
      signal?.addEventListener("abort", () => this.#abort(waiting), { once: true });
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
    while (this.#waiting.length > 0) {
      const worker = this.#idle.pop() ?? (this.#busy.size < this.size ? this.#start() : undefined);
      if (!worker) return;
      const next = this.#waiting.shift()!;
      worker.current = next;
      this.#busy.add(worker);
      const kernels = worker.greeted ? undefined : loadedKernels();
      worker.greeted = true;
      const request: Request<Job> = { id: next.id, job: next.job };
      worker.port.post(kernels ? { ...request, kernels } : request);
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
    worker.current = undefined;
    this.#busy.delete(worker);
    this.#idle.push(worker);
    if ("result" in reply) current.resolve(reply.result);
    else current.reject(new MpMtlError(reply.error.code, reply.error.message));
    this.#dispatch();
  }

  #failed(worker: Worker<Job, Result>, cause: Error): void {
    const { current } = worker;
    this.#drop(worker);
    current?.reject(new MpMtlError("WORKER", `a worker died: ${cause.message}`, { cause }));
    this.#dispatch();
  }

  #abort(waiting: Waiting<Job, Result>): void {
    const worker = [...this.#busy].find(({ current }) => current === waiting);
    if (worker) {
      this.#drop(worker);
      worker.port.terminate();
    } else {
      this.#waiting = this.#waiting.filter((other) => other !== waiting);
    }
    waiting.reject(waiting.signal?.reason);
    this.#dispatch();
  }

  #drop(worker: Worker<Job, Result>): void {
    worker.current = undefined;
    this.#busy.delete(worker);
    const at = this.#idle.indexOf(worker);
    if (at >= 0) this.#idle.splice(at, 1);
  }
}
