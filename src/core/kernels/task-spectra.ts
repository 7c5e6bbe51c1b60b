/**
 * A task's spectrum under a prior, and what the mixed model's variances are scored by: `assembly/tasks`.
 * @module
 */
import type { Pointer } from "./pointer.js";

/** Each `job` is a record in kernel memory. */
export interface TaskSpectrumKernels {
  /**
   * A task's spectrum under a prior, of `rows` rows; `job` is the record of src/learning/families/mixed/spectra/wide-spectrum.ts. Returns
   * the sum of squares that the prior's mean leaves, or -1 where the decomposition did not converge.
   */
  wideSpectrum(job: Pointer, rows: number): number;
  /**
   * The same by moments of at least d rows, whose targets' squares sum to `square`; `job` is the record of
   * src/learning/families/mixed/spectra/tall-spectrum.ts.
   */
  tallSpectrum(job: Pointer, square: number): number;
  /** Adds to the lower triangle at `sum` [d, d] what `count` hypotheses on the noise leave of the rows' k directions. */
  addInformation(
    squares: Pointer,
    directions: Pointer,
    k: number,
    d: number,
    noises: Pointer,
    priors: Pointer,
    count: number,
    sum: Pointer,
  ): void;
  /**
   * Adds to the lower triangle at `sum` [d, d] what rows tell under hypotheses on their noise; `job` is the record of
   * src/learning/families/mixed/spectra/told-information.ts. Returns 1, and adds nothing, where rounding would count.
   * @param rows how many; 0 where the record has their moments.
   */
  addToldInformation(job: Pointer, rows: number, sum: Pointer): number;
  toldInformationWorkspace(order: number, count: number): number;
  /**
   * Scores of variances; `job` is the record of src/learning/families/mixed/squared/spread/variance-scores.ts. A task of k directions is opened,
   * then what it observes along them is asked about as often as wanted; of its rows they leave a sum of squares `rest`.
   */
  openVarianceScores(job: Pointer, k: number): void;
  varianceScores(job: Pointer, rows: number, k: number, rest: number): void;
}
