/**
 * What happens to the page's workers, written down as marks on its performance timeline: the browser's
 * developer tools show them, and tests read them. Kinds of work only: a message of an error may name what rows hold.
 * @module
 */
import type { WorkerPort } from "../../../src/model/worker-pool.js";
import { READY } from "./steady-port.js";

let opened = 0;

/** The same port; marks when its worker is opened, comes up, is asked, answers, dies and is ended. */
export function marked(port: WorkerPort): WorkerPort {
  const number = ++opened;
  const mark = (what: string) => performance.mark(`worker ${number} ${what}`);
  mark("opened");
  return {
    post: (request) => {
      const { id, job } = request as { id: number; job: { kind: string } };
      mark(`asked ${id} ${job.kind}`);
      port.post(request);
    },
    listen: (message, failure) =>
      port.listen(
        (data) => {
          if (data === READY) mark("ready");
          else if (!("progress" in (data as object)))
            mark(`answered ${(data as { id: number }).id}`);
          message(data);
        },
        (cause) => {
          mark("failed");
          failure(cause);
        },
      ),
    terminate: () => {
      mark("ended");
      port.terminate();
    },
  };
}
