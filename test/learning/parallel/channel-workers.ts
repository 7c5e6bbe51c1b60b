/**
 * Workers in this thread, at the other end of a message channel: what crosses is cloned or transferred as it would be to
 * another thread.
 * @module
 */
import { MessageChannel } from "node:worker_threads";
import { TaskWorkers, type WorkerPort } from "../../../src/learning/index.js";
import type { Finished } from "../../../src/learning/parallel/messages.js";
import { serveTasks } from "../../../src/learning/serve-tasks.js";

/** What the test may see and do. */
export interface ChannelWorkers {
  readonly workers: TaskWorkers;
  /** Requests that were sent, by kind, to all of them. */
  readonly sent: Record<string, number>;
  /** What tasks ended with on each of them. */
  readonly finished: Finished[];
  /** How many were started, and ended. */
  readonly count: { started: number; ended: number };
  /** Makes the next request of this kind end its worker as a crash would. */
  crashAt(kind: string): void;
}

/** @param threads of all fits, that of the caller included. */
export function channelWorkers(threads: number): ChannelWorkers {
  const sent: Record<string, number> = {};
  const finished: Finished[] = [];
  const count = { started: 0, ended: 0 };
  let crash: string | undefined;
  const open = (): WorkerPort => {
    const { port1, port2 } = new MessageChannel();
    const serve = serveTasks((answer, transfer) => {
      const { value } = answer as { readonly value?: unknown };
      if (typeof value === "object" && value && "losses" in value) finished.push(value as Finished);
      port2.postMessage(answer, transfer);
    });
    port2.on("message", serve);
    count.started++;
    let fail: (cause: Error) => void;
    return {
      post: (message, transfer = []) => {
        const { kind } = message as { kind: string };
        sent[kind] = (sent[kind] ?? 0) + 1;
        if (kind === crash) {
          crash = undefined;
          setImmediate(() => fail(new Error("out of memory")));
        } else port1.postMessage(message, transfer);
      },
      listen: (message, failure) => {
        port1.on("message", message);
        fail = failure;
      },
      terminate: () => {
        count.ended++;
        port1.close();
      },
      hold: (alive) => (alive ? port1.ref() : port1.unref()),
    };
  };
  const crashAt = (kind: string) => void (crash = kind);
  return { workers: new TaskWorkers(open, threads), sent, finished, count, crashAt };
}
