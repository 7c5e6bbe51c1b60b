/**
 * Bayesian logistic regression of one task by parallel expectation propagation: posterior and evidence under a
 * Gaussian prior (Minka 2001; Rasmussen and Williams 2006, section 3.6).
 * @see assembly/tasks/label-posterior.ts
 * @module
 */
import { leaveCore, sharedCore, withCore, type Core } from "../../../../../core/core.js";
import type { Pointer } from "../../../../../core/kernels/pointer.js";

/** Rows of a task with its labels folded in: y_j x_j, [n, d]. */
export interface SignedRows {
  readonly rows: Float64Array;
  readonly n: number;
  readonly d: number;
  /** What is added to y_j x_j . w, [n]; default nothing. */
  readonly added?: Float64Array | undefined;
}

/** A prior w = mean + root u with u ~ N(0, I). */
export interface GaussianPrior {
  readonly mean: Float64Array;
  /** Lower triangular, [d, d]. */
  readonly root: Float64Array;
}

/** What a task's rows say of u. */
export interface Inference {
  /** ln of the probability of all labels. */
  readonly evidence: number;
  /** Posterior mean of u, the gradient of the log evidence in the prior's mean in units of its root; [d]. */
  readonly mean: Float64Array;
  /** Posterior covariance of u, [d, d]. */
  readonly covariance: Float64Array;
}

/**
 * Posterior and evidence, or undefined where the rows are such that arithmetic breaks down: the caller then
 * counts the task as one without rows.
 * @param sites as `posteriorMean` has them; default zeros, which are not kept.
 */
export function infer(
  task: SignedRows,
  prior: GaussianPrior,
  sites?: Float64Array,
): Inference | undefined {
  return inferEach(task, [prior], sites)[0];
}

/** The same under each prior: with sites each starts where the one before ended, else from zeros. */
export function inferEach(
  task: SignedRows,
  priors: readonly GaussianPrior[],
  sites?: Float64Array,
): (Inference | undefined)[] {
  const { d } = task;
  const core = sharedCore();
  const { arena } = core;
  const mark = arena.mark();
  try {
    // The covariance stands behind the mean, so that both are taken at once.
    const mean = arena.f64(d + d * d);
    const start = sites ? arena.copyOf(sites) : 0;
    const found: (Inference | undefined)[] = [];
    propagated(core, task, priors, { start, mean, covariance: mean + 8 * d }, (evidence) => {
      const both = arena.view(mean, d + d * d).slice();
      const own = { evidence, mean: both.subarray(0, d), covariance: both.subarray(d) };
      found.push(Number.isNaN(evidence) ? undefined : own);
    });
    arena.wipe(mean, 8 * (d + d * d));
    sites?.set(taken(core, start, sites.length));
    return found;
  } finally {
    leaveCore(core, mark);
  }
}

/**
 * ln of the probability of all labels under each prior; NaN where `infer` is undefined. Each starts where the one before ended, so that the first is
 * that of `infer` to the bit, and the others within the tolerance: a function of the rows and of the priors in their order.
 */
export function logEvidences(task: SignedRows, priors: readonly GaussianPrior[]): Float64Array {
  return withCore((core) => {
    const start = core.arena.copyOf(new Float64Array(2 * task.n));
    const found = propagated(core, task, priors, { start, mean: 0, covariance: 0 });
    core.arena.wipe(start, 16 * task.n);
    return found;
  });
}

/**
 * Posterior mean of u alone; undefined where `infer` is.
 * @param sites [2, n], where to start: zeros, or what this made of the same rows with other labels, or under another prior. Overwritten.
 */
export function posteriorMean(
  task: SignedRows,
  prior: GaussianPrior,
  sites: Float64Array,
): Float64Array | undefined {
  return withCore((core) => {
    const [mean, start] = [core.arena.f64(task.d), core.arena.copyOf(sites)];
    const [evidence] = propagated(core, task, [prior], { start, mean, covariance: 0 });
    sites.set(taken(core, start, sites.length));
    const found = taken(core, mean, task.d);
    return Number.isNaN(evidence) ? undefined : found;
  });
}

/** Numbers from the kernels' memory, where they are wiped. */
function taken({ arena }: Core, at: Pointer, n: number): Float64Array {
  const out = arena.view(at, n).slice();
  arena.wipe(at, 8 * n);
  return out;
}

/**
 * Log evidence under each prior. Writes what is not nowhere, at 0, and leaves nothing else in the kernels' memory.
 * @param each is told that of every prior, while what is written is of that prior.
 */
function propagated(
  { kernels, arena }: Core,
  { rows, n, d, added }: SignedRows,
  priors: readonly GaussianPrior[],
  { start, mean, covariance }: Readonly<Record<"start" | "mean" | "covariance", Pointer>>,
  each?: (evidence: number) => void,
): Float64Array {
  const from = arena.mark();
  const [x, center, root] = [arena.copyOf(rows), arena.f64(d), arena.f64(d * d)];
  const more = added ? arena.copyOf(added) : 0;
  const work = arena.bytes(kernels.labelPosteriorWorkspace(n, d, covariance !== 0));
  const evidences = new Float64Array(priors.length);
  for (let k = 0; k < priors.length; k++) {
    arena.view(center, d).set(priors[k]!.mean);
    arena.view(root, d * d).set(priors[k]!.root);
    evidences[k] = kernels.labelPosterior(
      x,
      n,
      d,
      center,
      root,
      more,
      start,
      mean,
      covariance,
      work,
    );
    each?.(evidences[k]!);
  }
  arena.wipe(from, arena.mark() - from);
  return evidences;
}
