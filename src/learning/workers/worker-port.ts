/**
 * One worker as the thread that started it sees it, whatever the host calls a thread.
 * @module
 */

/** The host's adaptor, a few lines. */
export interface WorkerPort {
  /**
   * Sends a message to the worker.
   * @param transfer buffers that go there instead of being copied.
   */
  post(message: unknown, transfer?: readonly ArrayBuffer[]): void;
  /**
   * Called once, before the first post: every message of the worker goes to `message`, its
   * death, or a message that cannot be read, to `failure`. The job it had rejects with an MpMtlError as
   * it is, with any other cause as a worker's death.
   */
  listen(message: (data: unknown) => void, failure: (cause: Error) => void): void;
  /** Ends the worker at once. */
  terminate(): void;
  /**
   * Whether the worker is a thread that may be blocked while it waits for a fit, so that requests of rounds go there through shared
   * memory. Default: no.
   */
  readonly mayWait?: true;
  /** Whether the worker keeps the process alive, in hosts where it may; at first it does. */
  hold?(alive: boolean): void;
}
