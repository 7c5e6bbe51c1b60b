/**
 * A pool whose workers are in this thread, at the other end of a channel: what crosses is cloned or transferred.
 * @module
 */
import { MessageChannel } from "node:worker_threads";
import {
  FitPool,
  respond,
  runCrossingFitJob,
  type Request,
  type WorkerPort,
} from "../../src/model/index.js";

/** @param size most workers; `count` says how many were started and ended, of how many jobs, how many with a result that is null. */
export function channelPool(size: number) {
  const count = { started: 0, ended: 0, jobs: 0, undefined: 0 };
  const open = (): WorkerPort => {
    const { port1, port2 } = new MessageChannel();
    count.started++;
    port2.on("message", (request: Request<never>) => {
      count.jobs++;
      void respond(request, runCrossingFitJob, (reply) => {
        if ("result" in reply && reply.result === null) count.undefined++;
        port2.postMessage(reply);
      });
    });
    return {
      post: (message, transfer = []) => port1.postMessage(message, [...transfer]),
      listen: (message) => void port1.on("message", message),
      terminate: () => {
        count.ended++;
        port1.close();
      },
    };
  };
  return { pool: new FitPool(open, size), count };
}
