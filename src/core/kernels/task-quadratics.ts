/**
 * Squared losses as quadratic forms, of which rounds read no rows: `assembly/tasks`.
 * @module
 */
import type { Pointer } from "./pointer.js";

/** See {@link TaskKernels} for `data`. */
export interface TaskQuadraticKernels {
  /**
   * grams[m,d,d] = H_i = c_i X_i^T X_i (lower triangles), moments[m,d] = h_i = c_i X_i^T y_i; of data
   * centred within the task if `centred` is 1: L_i(w) = (1/2) w^T H_i w - h_i^T w + const.
   */
  taskGrams(data: Pointer, centred: number, grams: Pointer, moments: Pointer, work: Pointer): void;
  /** Bytes of scratch memory that `taskGrams` needs at `work`. */
  taskGramsWorkspace(d: number): number;
  /**
   * In place: grams <- R_i = rho (H_i + rho I)^-1, moments <- (H_i + rho I)^-1 h_i, so that prox of
   * L_i / rho at t is R_i t + moments[i]. Returns 0, or 1 + the first task that failed.
   */
  taskResolvents(
    grams: Pointer,
    moments: Pointer,
    rho: number,
    m: number,
    d: number,
    work: Pointer,
  ): number;
  /** Bytes of scratch memory that `taskResolvents` needs at `work`. */
  taskResolventsWorkspace(d: number): number;
  /**
   * Local half of a Douglas-Rachford round, on [m,d]: w = prox of L_i / rho at 2 z - v, then
   * v += relaxation (w - z). resolvents and points from `taskResolvents`; work: d float64.
   */
  reflectedSteps(
    resolvents: Pointer,
    points: Pointer,
    z: Pointer,
    v: Pointer,
    w: Pointer,
    relaxation: number,
    m: number,
    d: number,
    work: Pointer,
  ): void;
  /**
   * Adds to residuals[5] how far that round was from a fixed point: the squared norms of w - z, z - before, w, z and
   * the dual variable over rho. All [n].
   */
  addResiduals(
    z: Pointer,
    before: Pointer,
    v: Pointer,
    w: Pointer,
    relaxation: number,
    residuals: Pointer,
    n: number,
  ): void;
  /** Bytes of the quadratic forms of m tasks' squared losses. */
  quadraticFormBytes(m: number, d: number, intercept: number): number;
  /** forms = what `quadraticGradients` needs of every task's rows, with intercepts if `intercept` is 1. */
  quadraticForms(data: Pointer, intercept: number, forms: Pointer, work: Pointer): void;
  /** For tasks of at most `rows` rows; `weighted` 1 where rows have weights. */
  quadraticFormsWorkspace(rows: number, d: number, weighted: number): number;
  /** As `taskGradients` for the squared loss, without the losses; gradients apart from weights. */
  quadraticGradients(
    forms: Pointer,
    weights: Pointer,
    intercepts: Pointer,
    gradients: Pointer,
    interceptGradients: Pointer,
    m: number,
    d: number,
  ): void;
  /** What `projectedRounds` takes for the losses of tasks without a fold of their rows; `job` is a record that assembly/tasks/single-forms.ts describes. */
  singleForms(job: Pointer): void;
  /** Float32s of each of `singleForms`. @param intercept 1 or 0. */
  singleFormEntries(d: number, intercept: number): number;
  singleFormsWorkspace(parts: number, d: number, intercept: number): number;
  /**
   * The forms of tasks without a fold of their rows; `entries` is the record of src/learning/tasks/fold-entries.ts.
   */
  foldForms(
    data: Pointer,
    entries: Pointer,
    intercept: number,
    forms: Pointer,
    work: Pointer,
  ): void;
  /** For tasks of at most `rows` rows. */
  foldFormsWorkspace(rows: number, parts: number, d: number): number;
}
