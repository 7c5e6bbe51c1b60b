/**
 * A worker that comes up, or says why not: its start is tried again, and waited for only so long.
 * @module
 */
import { MpMtlError } from "../../../src/core/errors.js";
import type { WorkerPort } from "../../../src/model/worker-pool.js";

/** What a worker's script sends when it is there to listen. */
export const READY = "ready";

/** How often a start is tried, and how long one is waited for. */
export interface StartPlan {
  readonly tries: number;
  /** Milliseconds until a try is given up: long enough for a slow line. */
  readonly limit: number;
  /** Milliseconds before the second try; twice as many before each further one. */
  readonly pause: number;
}

const PLAN: StartPlan = { tries: 3, limit: 30_000, pause: 500 };

/**
 * A port whose worker greets with {@link READY}. Requests wait for that. A worker that fails before is
 * replaced: only its script did not load, no work is done twice. One that fails afterwards has died.
 *
 * @param open starts a worker.
 */
export function steadyPort(open: () => WorkerPort, plan: StartPlan = PLAN): WorkerPort {
  let worker: WorkerPort | undefined;
  let ready = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const held: unknown[] = [];

  function start(
    attempt: number,
    message: (data: unknown) => void,
    failure: (cause: Error) => void,
  ): void {
    ready = false;
    const again = (cause: Error) => {
      end();
      if (attempt < plan.tries) {
        timer = setTimeout(start, plan.pause * 2 ** (attempt - 1), attempt + 1, message, failure);
      } else {
        failure(new MpMtlError("WORKER", startProblem(plan.tries, cause), { cause }));
      }
    };
    try {
      const mine = (worker = open());
      timer = setTimeout(() => again(new Error("it took too long")), plan.limit);
      mine.listen(
        (data) => {
          if (mine !== worker) return;
          if (data !== READY) return message(data);
          clearTimeout(timer);
          ready = true;
          for (const request of held.splice(0)) mine.post(request);
        },
        (cause) => {
          if (mine === worker) (ready ? failure : again)(cause);
        },
      );
    } catch (error) {
      again(error as Error);
    }
  }

  function end(): void {
    clearTimeout(timer);
    worker?.terminate();
    worker = undefined;
  }

  return {
    post: (request) => {
      if (ready) worker!.post(request);
      else held.push(request);
    },
    listen: (message, failure) => start(1, message, failure),
    terminate: end,
  };
}

const startProblem = (tries: number, { message }: Error) =>
  `The part of this page that computes could not be started, though it was tried ${tries} times ` +
  `(${message}). Is the place that this page came from still reachable? Then try again.`;
