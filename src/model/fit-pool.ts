/**
 * A pool whose workers fit models.
 * @module
 */
import type { FoldJob } from "../learning/index.js";
import { packFitJob, type FitJob, type FitJobResult } from "./fit-job.js";
import { WorkerPool, type WorkerPort } from "./worker-pool.js";

/** Makes whole fits, and those of a cross-validation (`crossValidate`), of which only the error on held-out rows is wanted. */
export class FitPool extends WorkerPool<FitJob | FoldJob, FitJobResult | number | null> {
  /**
   * @param open starts a worker whose script answers fit jobs.
   * @param size most workers at once, >= 1.
   */
  constructor(open: () => WorkerPort, size: number) {
    super(open, size, packFitJob);
  }

  /** The error of a fit on its held-out rows, null where it is not defined; else see {@link WorkerPool.run}. */
  override run(job: FoldJob, options?: { signal?: AbortSignal }): Promise<number | null>;
  /** A fitted model and its scores; else see {@link WorkerPool.run}. */
  override run(job: FitJob, options?: { signal?: AbortSignal }): Promise<FitJobResult>;
  override run(
    job: FitJob | FoldJob,
    options?: { signal?: AbortSignal },
  ): Promise<FitJobResult | number | null> {
    return super.run(job, options);
  }
}
