/**
 * Bayesian logistic regression of one task by parallel expectation propagation: posterior and evidence under a
 * Gaussian prior (Minka 2001; Rasmussen and Williams 2006, section 3.6).
 * @see assembly/tasks/label-posterior.ts
 * @module
 */
import { withCore, type Core } from "../../../../../core/core.js";
import type { Pointer } from "../../../../../core/kernels/pointer.js";

/** Rows of a task with its labels folded in: y_j x_j, [n, d]. */
export interface SignedRows {
  readonly rows: Float64Array;
  readonly n: number;
  readonly d: number;
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
 */
export function infer(task: SignedRows, prior: GaussianPrior): Inference | undefined {
  const { d } = task;
  return withCore((core) => {
    const { arena } = core;
    const [mean, covariance] = [arena.f64(d), arena.f64(d * d)];
    const evidence = propagated(core, task, prior, mean, covariance);
    const taken = (at: Pointer, n: number) => {
      const out = arena.view(at, n).slice();
      arena.wipe(at, 8 * n);
      return out;
    };
    const found = { mean: taken(mean, d), covariance: taken(covariance, d * d) };
    return evidence === undefined ? undefined : { evidence, ...found };
  });
}

/** ln of the probability of all labels alone; undefined where `infer` is. */
export function logEvidence(task: SignedRows, prior: GaussianPrior): number | undefined {
  return withCore((core) => propagated(core, task, prior, 0, 0));
}

/** Writes mean and covariance, unless they are 0, and leaves nothing else in the kernels' memory. */
function propagated(
  { kernels, arena }: Core,
  { rows, n, d }: SignedRows,
  prior: GaussianPrior,
  mean: Pointer,
  covariance: Pointer,
): number | undefined {
  const from = arena.mark();
  const given = [
    arena.copyOf(rows),
    n,
    d,
    arena.copyOf(prior.mean),
    arena.copyOf(prior.root),
  ] as const;
  const work = arena.bytes(kernels.labelPosteriorWorkspace(n, d, covariance !== 0));
  const evidence = kernels.labelPosterior(...given, mean, covariance, work);
  arena.wipe(from, arena.mark() - from);
  return Number.isNaN(evidence) ? undefined : evidence;
}
