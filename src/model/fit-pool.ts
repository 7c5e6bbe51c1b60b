/**
 * A pool whose workers fit models.
 * @module
 */
import type { FoldJob } from "../learning/index.js";
import { packFitJob, type FitJob, type FitJobResult } from "./fit-job.js";
import type { FitProgress } from "./paced-rounds.js";
import { WorkerPool, type WorkerPort } from "./worker-pool.js";

/** How a fit in a pool can be stopped and watched. */
export interface PooledFitOptions {
  /** Ends the fit, and rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  /**
   * Called while the fit runs, with round and rounds alone: for the first round, the last, and between them at most every 50 ms. An
   * error that it throws ends the fit.
   */
  readonly onRound?: (progress: FitProgress) => void;
}

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
  /**
   * A fitted model and its scores; else see {@link WorkerPool.run}.
   * @example await pool.run(job, { signal, onRound: ({ round, rounds }) => (bar.value = round / rounds) });
   */
  override run(job: FitJob, options?: PooledFitOptions): Promise<FitJobResult>;
  override run(
    job: FitJob | FoldJob,
    { onRound, ...options }: PooledFitOptions = {},
  ): Promise<FitJobResult | number | null> {
    if (onRound === undefined) return super.run(job, options);
    if (typeof onRound !== "function") {
      throw new TypeError(`onRound: expected a function, got ${typeof onRound}`);
    }
    return super.run(job, {
      ...options,
      onProgress: (progress) => onRound(progress as FitProgress),
    });
  }
}
