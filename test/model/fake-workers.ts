/**
 * Workers in this thread that do what the test says.
 */
import type { WorkerPort } from "../../src/model/index.js";

interface FakeWorker {
  readonly posted: { id: number; job: unknown }[];
  ended: boolean;
  /** Sends the pool a message. */
  reply(data: unknown): void;
  /** Fails. */
  die(error: Error): void;
}

export function fakeWorkers() {
  const workers: FakeWorker[] = [];
  const open = (): WorkerPort => {
    const worker: FakeWorker = {
      posted: [],
      ended: false,
      reply: () => undefined,
      die: () => undefined,
    };
    workers.push(worker);
    return {
      post: (message) => void worker.posted.push(message as { id: number; job: unknown }),
      listen: (message, failure) => Object.assign(worker, { reply: message, die: failure }),
      terminate: () => {
        worker.ended = true;
      },
    };
  };
  return { open, workers };
}
