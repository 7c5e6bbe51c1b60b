/**
 * Kernels over ragged tasks in batches: `assembly/tasks`.
 * @module
 */
import type { Pointer } from "./pointer.js";

/**
 * Batched work over ragged tasks: assembly/tasks. `data` is the record of src/learning/tasks/task-data.ts: X[N,d],
 * y[N], row offsets, the c_i of L_i = c_i sum_j loss, and the loss: 0 squared (p-y)^2/2, 1 logistic
 * log(1+exp(-y p)) with y in {-1,+1}. `intercepts` f64[m] or 0 for none. Rows may have weights s_j, which multiply
 * their losses. They may be sparse, for predictions, losses, gradients, curvatures and rounds of gradient steps.
 */
export interface TaskKernels {
  /** losses[i] = L_i(w_i, b_i) (0: not wanted), gradients[m,d] and interceptGradients[m] (or 0) its gradient. */
  taskGradients(
    data: Pointer,
    weights: Pointer,
    intercepts: Pointer,
    gradients: Pointer,
    interceptGradients: Pointer,
    losses: Pointer,
  ): void;
  /** losses[i] = L_i(w_i, b_i) only. */
  taskLosses(data: Pointer, weights: Pointer, intercepts: Pointer, losses: Pointer): void;
  /** out[N]: x_ij . w_i + b_i. */
  taskPredict(data: Pointer, weights: Pointer, intercepts: Pointer, out: Pointer): void;
  /**
   * Mini-batch of one task: g[d] = scale * sum_k loss'(x_j . w, y_j) x_j, j = rows[k] (u32[count],
   * repeats allowed). Returns scale * sum_k loss.
   */
  taskBatchGradient(
    data: Pointer,
    rows: Pointer,
    count: number,
    scale: number,
    w: Pointer,
    g: Pointer,
  ): number;
  /**
   * Softmax with y in 0..classes-1 and weights, gradients [m, d * classes], row i the row-major
   * d x classes parameters of task i; losses[i] = c_i sum_j (log sum_c exp z_c - z_y).
   */
  softmaxGradients(
    data: Pointer,
    weights: Pointer,
    gradients: Pointer,
    losses: Pointer,
    work: Pointer,
  ): void;
  /** Bytes of scratch memory that `softmaxGradients` needs at `work`. */
  softmaxGradientsWorkspace(d: number, classes: number): number;
  /** As `taskBatchGradient`, for w and g [d * classes]; work as for `softmaxGradients`. */
  softmaxBatchGradient(
    data: Pointer,
    rows: Pointer,
    count: number,
    scale: number,
    w: Pointer,
    g: Pointer,
    work: Pointer,
  ): number;
  /** losses[i] only; work as for `softmaxGradients`. */
  softmaxLosses(data: Pointer, weights: Pointer, losses: Pointer, work: Pointer): void;
  /** out[N, classes]: class probabilities of every row under its own task's parameters. */
  softmaxPredict(data: Pointer, weights: Pointer, out: Pointer): void;
  /**
   * out[i] = an upper bound, tight to 1e-6 relative, of lambda_max(Z_i^T S_i Z_i) * scales[i], Z_i = X_i,
   * or [X_i 1] when `intercept` is 1.
   */
  taskCurvatures(data: Pointer, intercept: number, out: Pointer, work: Pointer): void;
  /** Bytes of scratch memory that `taskCurvatures` needs at `work`, for tasks of at most `rows` rows. */
  taskCurvaturesWorkspace(rows: number, d: number): number;
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
  /** Rounds of local steps of all tasks; `job` is the record of src/learning/steps/local-rounds.ts. */
  localRounds(job: Pointer): void;
  /** What lets `localRounds` take all steps of a round at once, from quadratic forms: job's operators[m,d,d]. */
  stepOperators(job: Pointer, work: Pointer): void;
  stepOperatorsWorkspace(d: number): number;
  /**
   * out[m,held] = leading entries of models[m,d] less those of base, rows `step` entries apart (0: one for all).
   * Rows that overflow, and those of tasks not marked 1 in `marks` u32[m] (0: all are), become 0.
   */
  taskUpdates(
    models: Pointer,
    base: Pointer,
    step: number,
    marks: Pointer,
    out: Pointer,
    m: number,
    d: number,
    held: number,
  ): void;
  /** Rounds of Algorithm 2 with known broadcasts; `job` is a record that assembly/tasks/projected-rounds.ts describes. */
  projectedRounds(job: Pointer): void;
  /** For so many rounds in one call. */
  projectedRoundsWorkspace(d: number, rounds: number): number;
  /** What models are multiplied by in those rounds, for a clip bound. */
  projectedScale(clip: number): number;
  /** Their quadratics, of tasks without a fold of their rows; `job` is a record that assembly/tasks/single-forms.ts describes. */
  singleForms(job: Pointer): void;
  /** Float32s of each. @param intercept 1 or 0. */
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
  /** out[rows held out] = x . w_e + b_e, entry by entry of weights[count, d] and intercepts[count] (or 0). */
  foldPredictions(
    data: Pointer,
    entries: Pointer,
    weights: Pointer,
    intercepts: Pointer,
    out: Pointer,
  ): void;
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
  /** The same of entries, in single precision where that is good enough for a choice among models: assembly/tasks/fold-ridge.ts. */
  foldRidge(job: Pointer): number;
  /** Of its record's `lanes`; otherwise as `ownRidgeWorkspace`. */
  foldRidgeWorkspace(
    rows: number,
    d: number,
    ratios: number,
    points: number,
    shifts: number,
  ): number;
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
   * Scores of variances; `job` is the record of src/learning/families/mixed/squared/variance-scores.ts. A task of k directions is opened,
   * then what its rows cost under every hypothesis is added to `costs`, then its scores are averaged by `weights`.
   */
  openVarianceScores(job: Pointer, k: number): void;
  varianceCosts(job: Pointer, k: number): void;
  varianceScores(job: Pointer, rows: number, k: number, rest: number): void;
  /** Of its record's `left`, for tasks of at most `rows` rows. */
  leftRowsBytes(rows: number, d: number): number;
  /** For tasks of at most `rows` rows, and so many ratios, points of their grid in all, and shifts. */
  ownRidgeWorkspace(
    rows: number,
    d: number,
    ratios: number,
    points: number,
    shifts: number,
  ): number;
  /**
   * Every task's average of logistic modes under several priors, by their evidence; `job` is the record of
   * src/learning/tasks/own-models/laplace-average.ts. Returns 0, or 1 + the task whose evidence is not finite.
   */
  laplaceAverage(job: Pointer): number;
  /** For tasks of at most `rows` rows, and so many priors. */
  laplaceAverageWorkspace(rows: number, columns: number, priors: number): number;
  /**
   * Ridge of every task (precision lambda I, squared loss of the targets) with lambda the one of several
   * that has the least mean squared leave-one-out error on the task's own rows; `job` is the record of
   * src/learning/tasks/ridge-path.ts. Returns 0, or 1 + the task that failed.
   */
  taskRidgePath(job: Pointer): number;
  /** For tasks of at most `rows` rows. */
  taskRidgePathWorkspace(rows: number, d: number): number;
  /** root[d,d] = R with R R^T = C for precision[d,d] = C^-1; 0, or 1 if it is not positive definite. work[d,d]. */
  priorRoot(precision: Pointer, root: Pointer, d: number, work: Pointer): number;
  /**
   * One task's ridge models at several strengths of a prior, and then their average; `job` is the record of
   * src/learning/families/prior/strength-path.ts. 0, or 1 if a system is not positive definite.
   */
  openPriorPath(job: Pointer): number;
  closePriorPath(job: Pointer): void;
  priorPathWorkspace(rows: number, d: number, count: number): number;
  /**
   * The same for any loss code by damped Newton from the given weights, until half the squared
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
