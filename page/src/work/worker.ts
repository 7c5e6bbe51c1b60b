/**
 * The script of every worker of the page: does one kind of work at a time.
 * @module
 */
import { respond, type Request } from "../../../src/model/index.js";
import { builtInCsv, loadBuiltIn } from "./built-in.js";
import { scoredFit, watchedFit } from "./fit.js";
import { demonstrateCertainty, demonstrateLeakage, sweepLeakage } from "./leakage.js";
import { fitLater } from "./later.js";
import type { FitProgress, Job, ProgressMessage } from "./messages.js";
import { referenceFit } from "./reference.js";
import { predictFile } from "./predict.js";
import { withSizes } from "./sizes.js";
import { READY } from "./steady-port.js";
import { inspectTable, loadTable } from "./table.js";

async function work(job: Job, onProgress: (progress: FitProgress) => void): Promise<unknown> {
  switch (job.kind) {
    case "built-in":
      return withSizes(loadBuiltIn(job));
    case "built-in-csv":
      return builtInCsv(job);
    case "inspect":
      return inspectTable(job);
    case "table":
      return withSizes(await loadTable(job));
    case "fit":
      return watchedFit(job, onProgress);
    case "score":
      return scoredFit(job);
    case "reference":
      return referenceFit(job);
    case "leakage":
      return demonstrateLeakage(job);
    case "leakage-sweep":
      return sweepLeakage(job);
    case "certainty":
      return demonstrateCertainty(job);
    case "later":
      return fitLater(job);
    case "predict":
      return predictFile(job);
    case "report":
      return (await import("./report.js")).makeReport(job);
  }
}

addEventListener("message", ({ data: request }: MessageEvent<Request<Job>>) => {
  const { id } = request;
  const tell = (progress: FitProgress) => {
    postMessage({ id, progress } satisfies ProgressMessage);
  };
  void respond(
    request,
    (job) => work(job, tell),
    (reply) => postMessage(reply),
  );
});
postMessage(READY);
