/**
 * Models of each task on its own rows, under a given prior or several: `assembly/tasks`.
 * @module
 */
import type { Pointer } from "./pointer.js";

/** See {@link TaskKernels} for `data`; each `job` is a record in kernel memory. */
export interface TaskModelKernels {
  /**
   * For every task, weights[i] (and intercepts[i]) = argmin L_i(w, b) + (1/2)(w-a)^T P (w-a),
   * P[d,d] symmetric positive definite, `center` a[d] or 0, squared loss, by Cholesky. `leaveOneOut`
   * f64[N] or 0: predictions of each row by the fit without it, at the same scales[i], in closed form. Returns 0, or 1 + the index of the first
   * task whose system is not positive definite.
   */
  taskRidge(
    data: Pointer,
    precision: Pointer,
    center: Pointer,
    weights: Pointer,
    intercepts: Pointer,
    leaveOneOut: Pointer,
    work: Pointer,
  ): number;
  /** Bytes of scratch memory that `taskRidge` needs at `work`. */
  taskRidgeWorkspace(d: number): number;
  /**
   * Every task's Bayesian ridge model (squared loss, dense rows); `job` is the record of
   * src/learning/tasks/own-models/own-ridge.ts. Returns 0, or 1 + the task whose numbers are too large to be squared.
   */
  ownRidge(job: Pointer): number;
  /** Bytes of scratch memory that `ownRidge` needs, for tasks of at most `rows` rows, and so many ratios, points of their grid in all, and shifts. */
  ownRidgeWorkspace(
    rows: number,
    d: number,
    ratios: number,
    points: number,
    shifts: number,
  ): number;
  /** Bytes of `left` in the record of `ownRidge`, for tasks of at most `rows` rows. */
  leftRowsBytes(rows: number, d: number): number;
  /** As `ownRidge` of entries, in single precision where that is good enough for a choice among models: assembly/tasks/fold-ridge.ts. */
  foldRidge(job: Pointer): number;
  /** Of its record's `lanes`; otherwise as `ownRidgeWorkspace`. */
  foldRidgeWorkspace(
    rows: number,
    d: number,
    ratios: number,
    points: number,
    shifts: number,
  ): number;
  /** out[rows held out] = x . w_e + b_e, entry by entry of weights[count, d] and intercepts[count] (or 0). */
  foldPredictions(
    data: Pointer,
    entries: Pointer,
    weights: Pointer,
    intercepts: Pointer,
    out: Pointer,
  ): void;
  /**
   * Every task's average of logistic modes under several priors, by their evidence; `job` is the record of
   * src/learning/tasks/own-models/laplace-average.ts. Returns 0, or 1 + the task whose evidence is not finite.
   */
  laplaceAverage(job: Pointer): number;
  /** For tasks of at most `rows` rows, and so many priors. */
  laplaceAverageWorkspace(rows: number, columns: number, priors: number): number;
  /**
   * Posterior of one task's logistic model w = prior + root u, u ~ N(0, I), from n rows y_j x_j [n, d], by expectation propagation: the
   * mean of u [d] and its covariance [d, d], each nowhere at 0. Returns ln of the probability of all labels, NaN where arithmetic breaks down.
   * @param added [n], to y_j x_j . w; nothing at 0.
   * @param start [2, n], nowhere at 0: sites to start from, zeros for none; those at the end after it.
   */
  labelPosterior(
    rows: Pointer,
    n: number,
    d: number,
    prior: Pointer,
    root: Pointer,
    added: Pointer,
    start: Pointer,
    mean: Pointer,
    covariance: Pointer,
    work: Pointer,
  ): number;
  /** For n rows of d coordinates, with or without the covariance. */
  labelPosteriorWorkspace(n: number, d: number, covariance: boolean): number;
  /**
   * Ridge of every task (precision lambda I, squared loss of the targets) with lambda the one of several
   * that has the least mean squared leave-one-out error on the task's own rows; `job` is the record of
   * src/learning/tasks/solves/ridge-path.ts. Returns 0, or 1 + the task that failed.
   */
  taskRidgePath(job: Pointer): number;
  /** For tasks of at most `rows` rows. */
  taskRidgePathWorkspace(rows: number, d: number): number;
  /** root[d,d] = R with R R^T = C for precision[d,d] = C^-1; 0, or 1 if it is not positive definite. work[d,d]. */
  priorRoot(precision: Pointer, root: Pointer, d: number, work: Pointer): number;
  /**
   * One task's ridge models at several strengths of a prior, and then their average; `job` is the record of
   * src/learning/families/prior/strength/strength-path.ts. 0, or 1 if a system is not positive definite.
   */
  openPriorPath(job: Pointer): number;
  closePriorPath(job: Pointer): void;
  priorPathWorkspace(rows: number, d: number, count: number): number;
  /**
   * As `taskRidge` for any loss code, by damped Newton from the given weights, until half the squared
   * Newton decrement (an estimate of F - F*) is below `tolerance` times (1 + value). `prior`: precision P, or 0 and
   * penalties f64[m] for P = penalties[i] I, and center a, u32 each. Returns 0, or 1 + the index of the first task that failed.
   */
  taskNewton(
    data: Pointer,
    prior: Pointer,
    weights: Pointer,
    intercepts: Pointer,
    tolerance: number,
    maxIterations: number,
    work: Pointer,
  ): number;
  /** Bytes of scratch memory that `taskNewton` needs at `work`. */
  taskNewtonWorkspace(d: number): number;
}
