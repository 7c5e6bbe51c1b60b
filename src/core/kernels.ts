/**
 * The contract between TypeScript and `assembly/index.ts`: every function the kernels export.
 *
 * A `Pointer` is a byte address in the kernels' memory, 16-byte aligned as the arena hands it out.
 * All matrices are float64, row-major. Sizes and overlap are checked by the caller, never by a
 * kernel. Functions named `…Workspace` return the bytes of scratch memory the kernel needs at
 * `work` (as float64, so that a size beyond 4 GiB is seen rather than wrapped).
 * @module
 */

/** Byte address in WebAssembly memory. */
export type Pointer = number;

/** Matrix products and factorisations: assembly/blas, eigen, svd, cholesky. */
export interface LinearAlgebraKernels {
  /** Index of the first of n entries that is NaN or infinite; n if all are finite. */
  firstNonFinite(x: Pointer, n: number): number;
  /** A <- (A + A^T) / 2 for A[n,n]; returns the largest |a_ij - a_ji| relative to the largest |a_ij|. */
  symmetrize(a: Pointer, n: number): number;
  /** C[m,n] = A[m,k] B[k,n]. C must not overlap A or B. */
  gemm(a: Pointer, b: Pointer, c: Pointer, m: number, k: number, n: number, work: Pointer): void;
  /** Bytes of scratch memory that `gemm` needs at `work`. */
  gemmWorkspace(m: number, k: number, n: number): number;
  /** C[n,n] = A^T A for A[m,n]; both triangles written. */
  syrk(a: Pointer, c: Pointer, m: number, n: number, work: Pointer): void;
  /** Bytes of scratch memory that `syrk` needs at `work`. */
  syrkWorkspace(m: number, n: number): number;
  /** B[cols,rows] = A[rows,cols]^T. */
  transpose(a: Pointer, b: Pointer, rows: number, cols: number): void;
  /** out[j] = sum_i A[i,j]^2 for A[m,n]: the diagonal of A^T A. */
  columnSquares(a: Pointer, out: Pointer, m: number, n: number): void;
  /**
   * Symmetric eigendecomposition. A[n,n] is destroyed. values[n] descending; column j of
   * vectors[n,n] belongs to value j. Returns 0, or 1 if the iteration did not converge.
   */
  eigh(a: Pointer, values: Pointer, vectors: Pointer, n: number, work: Pointer): number;
  /** Bytes of scratch memory that `eigh` needs at `work`. */
  eighWorkspace(n: number): number;
  /**
   * Thin SVD of A[rows,cols] (destroyed), r = min(rows, cols): U[rows,r], s[r] descending,
   * V[cols,r], A = U diag(s) V^T. Returns 0, or 1 if the iteration did not converge.
   */
  svd(
    a: Pointer,
    u: Pointer,
    s: Pointer,
    v: Pointer,
    rows: number,
    cols: number,
    work: Pointer,
  ): number;
  /** Bytes of scratch memory that `svd` needs at `work`. */
  svdWorkspace(rows: number, cols: number): number;
  /**
   * Cholesky factor of symmetric A[n,n] in place: lower triangle L, upper triangle zeroed.
   * Returns 0, or the 1-based index of the first pivot that is not positive.
   */
  cholesky(a: Pointer, n: number): number;
  /** Solves L L^T X = B in place for B[n,nrhs], L from `cholesky`. */
  choleskySolve(l: Pointer, b: Pointer, n: number, nrhs: number): void;
  /** out[n,n] = sum_{j<r} scales[j] u_j u_j^T, u_j column j of vectors[n,n]. */
  spectralProduct(
    vectors: Pointer,
    scales: Pointer,
    out: Pointer,
    n: number,
    r: number,
    work: Pointer,
  ): void;
  /** Bytes of scratch memory that `spectralProduct` needs at `work`. */
  spectralProductWorkspace(n: number, r: number): number;
}

/** ChaCha20 stream and draws: assembly/random, wishart. */
export interface RandomKernels {
  /** Bytes of a stream's state at `state` (key, counter, buffered words). */
  randomStateBytes(): number;
  /** Starts a stream from 32 key bytes at `key` and a 64-bit stream number (two u32 words). */
  randomInit(state: Pointer, key: Pointer, streamLow: number, streamHigh: number): void;
  /** Goes to the start of the stream of that number under the same key. */
  randomSelect(state: Pointer, streamLow: number, streamHigh: number): void;
  /** n raw 32-bit words of the ChaCha20 key stream (RFC 8439 block function), in order. */
  randomWords(state: Pointer, out: Pointer, n: number): void;
  /** n doubles, uniform on the open interval (0, 1), 53 bits. */
  randomUniform(state: Pointer, out: Pointer, n: number): void;
  /** n standard normal doubles. */
  randomNormal(state: Pointer, out: Pointer, n: number): void;
  /** One Gamma(shape, 1) draw, shape > 0. */
  randomGamma(state: Pointer, shape: number): number;
  /** One chi-square draw, degrees of freedom > 0 (real). */
  randomChiSquare(state: Pointer, degreesOfFreedom: number): number;
  /** v[i] += N(0, sigma^2), independent. */
  addNormal(state: Pointer, v: Pointer, n: number, sigma: number): void;
  /** v[i] += Laplace(scale), independent. */
  addLaplace(state: Pointer, v: Pointer, n: number, scale: number): void;
  /** v += b with density proportional to exp(-||b||_2 / scale) in n dimensions. */
  addSphericalLaplace(state: Pointer, v: Pointer, n: number, scale: number, work: Pointer): void;
  /** Bytes of scratch memory that `addSphericalLaplace` needs at `work`. */
  addSphericalLaplaceWorkspace(n: number): number;
  /** S[d,d] += sigma (G + G^T)/2, G independent standard normal: variance sigma^2, sigma^2/2 off. */
  addSymmetricNormal(state: Pointer, s: Pointer, d: number, sigma: number): void;
  /**
   * n exact draws of the discrete Gaussian N_Z(0, c s^2), P(x) ~ exp(-x^2 / (2 c s^2)) on the
   * integers: s an integer from 1 to 2^46, c 1 or 2. Integer arithmetic only.
   */
  discreteGaussian(state: Pointer, out: Pointer, n: number, s: number, c: number): void;
  /**
   * The comparison that `discreteGaussian` rests on where doubles cannot settle it: whether U is below
   * exp(-((k + u/s)^2 / 2c)) 2^shift / e, U in (0, 1) with these first 53 bits and the rest from the stream.
   */
  exponentialBelow(
    state: Pointer,
    bits: bigint,
    k: bigint,
    u: bigint,
    s: bigint,
    c: number,
    e: number,
    shift: number,
  ): number;
  /**
   * v[i] = step (round(v[i] / step) + N_Z(0, s^2)), step a power of two: immune to the attacks on
   * floating-point noise. Account as the Gaussian with sigma = s step and sensitivity
   * Delta_2 + step sqrt(n) in zCDP (Canonne, Kamath, Steinke 2020).
   */
  addDiscreteNormal(state: Pointer, v: Pointer, n: number, s: number, step: number): void;
  /**
   * S[d,d] = step (round(S / step) + E), E symmetric, E_ij ~ N_Z(0, s^2) off the diagonal and
   * N_Z(0, 2 s^2) on it: the discrete form of `addSymmetricNormal` at sigma = sqrt(2) s step. It is
   * Delta^2 / (2 sigma^2)-zCDP with Delta = Delta_F + d step, plus 2 d e where the entries of S
   * carry a rounding error up to e.
   */
  addDiscreteSymmetricNormal(
    state: Pointer,
    matrix: Pointer,
    d: number,
    s: number,
    step: number,
  ): void;
  /** n exact draws of P(x) ~ exp(-|x| / t) on the integers; t an integer from 1 to 2^46. */
  discreteLaplace(state: Pointer, out: Pointer, n: number, t: number): void;
  /** v[i] = step (round(v[i] / step) + X_i), X_i as in `discreteLaplace`; step a power of two. */
  addDiscreteLaplace(state: Pointer, v: Pointer, n: number, t: number, step: number): void;
  /**
   * out[n] = exact real numbers, standard normal (`normal` 1) or exponential of mean 1 (0): their first 46 bits after
   * the point, cut towards zero, with their sign. What follows is uniform and not drawn, but for those listed at
   * `records`: u32 position, u32[15] bits. Returns their number.
   */
  exactReals(state: Pointer, out: Pointer, n: number, normal: 0 | 1, records: Pointer): number;
  /** Bytes that `exactReals` needs at `records`. */
  exactRealsRecords(): number;
  /**
   * out[d,d] = a draw of W_d(nu, scale I), nu > d - 1 (real), by Bartlett; both triangles written.
   */
  wishart(state: Pointer, out: Pointer, d: number, nu: number, scale: number, work: Pointer): void;
  /** Bytes of scratch memory that `wishart` needs at `work`. */
  wishartWorkspace(d: number): number;
}

/**
 * Batched work over ragged tasks: assembly/tasks. `data` is the record of src/learning/tasks/task-data.ts: X[N,d],
 * y[N], row offsets, the c_i of L_i = c_i sum_j loss, and the loss: 0 squared (p-y)^2/2, 1 logistic
 * log(1+exp(-y p)) with y in {-1,+1}. `intercepts` f64[m] or 0 for none.
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
   * out[i] = an upper bound, tight to 1e-6 relative, of lambda_max(Z_i^T Z_i) * scales[i], Z_i = X_i,
   * or [X_i 1] when `intercept` is 1.
   */
  taskCurvatures(data: Pointer, intercept: number, out: Pointer, work: Pointer): void;
  /** Bytes of scratch memory that `taskCurvatures` needs at `work`. */
  taskCurvaturesWorkspace(d: number): number;
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
   * Adds to residuals[2] how far that round was from a fixed point, squared and relative: w from z, and z
   * from `before`, against the dual variable. All [n].
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
  /** For tasks of at most `rows` rows. */
  quadraticFormsWorkspace(rows: number, d: number): number;
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

/** Elementwise and row operations: assembly/proximal. Outputs may be their inputs. */
export interface ProximalKernels {
  /** Row i of out[m,d] = row i of v / max(1, ||row|| / bound). Returns how many rows were cut. */
  clipRows(v: Pointer, out: Pointer, m: number, d: number, bound: number): number;
  /** out[i] = sign(v[i]) max(0, |v[i]| - threshold). */
  softThreshold(v: Pointer, out: Pointer, n: number, threshold: number): void;
  /** Row i scaled by max(0, 1 - threshold / ||row i||). */
  shrinkRows(v: Pointer, out: Pointer, m: number, d: number, threshold: number): void;
  /** out[i] = max(0, 1 - threshold / sqrt(squares[i])), 0 where squares[i] <= 0. */
  shrinkFactors(squares: Pointer, out: Pointer, n: number, threshold: number): void;
  /** out[i,j] = v[i,j] * factors[j]: group sparse projection of models stored task by task. */
  scaleColumns(v: Pointer, factors: Pointer, out: Pointer, m: number, d: number): void;
  /** out = a + beta (a - b). */
  extrapolate(a: Pointer, b: Pointer, out: Pointer, n: number, beta: number): void;
  /** y += alpha x. */
  axpy(alpha: number, x: Pointer, y: Pointer, n: number): void;
  /** out row i = z row i - steps[i] * g row i: a gradient step with one step size per task. */
  gradientStep(z: Pointer, g: Pointer, steps: Pointer, out: Pointer, m: number, d: number): void;
  /** sum_i (z[i] - w[i]) (w[i] - p[i]), the restart test of accelerated descent. */
  momentumAngle(z: Pointer, w: Pointer, p: Pointer, n: number): number;
  /** sum_i a[i] b[i], pairwise within a fixed block, the same order on every host. */
  dot(a: Pointer, b: Pointer, n: number): number;
}

/** Everything the kernels export. */
export interface Kernels extends LinearAlgebraKernels, RandomKernels, TaskKernels, ProximalKernels {
  readonly memory: WebAssembly.Memory;
  /** First byte the arena may use. */
  heapBase(): Pointer;
}
