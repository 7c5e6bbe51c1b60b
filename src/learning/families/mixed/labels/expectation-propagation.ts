/**
 * Bayesian logistic regression of one task by parallel expectation propagation: posterior and evidence under a
 * Gaussian prior (Minka 2001; Rasmussen and Williams 2006, section 3.6).
 * @module
 */
import { log1p } from "../../../../core/elementary.js";
import { multiply, multiplyByLower } from "../../../../linalg/small-matrices.js";
import { linkMoments } from "../../../models/logistic-link.js";
import { rowMarginals, weightMarginals, type Marginals } from "./site-marginals.js";

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
  mean(): Float64Array;
  /** Posterior covariance of u, [d, d]. */
  covariance(): Float64Array;
}

const UPDATES = 12;
const TOLERANCE = 1e-3;
const DAMPING = 0.8;
/** Least of a cavity's precision relative to the marginal's. */
const CAVITY = 1e-9;
/** Most of a cavity's precision that a site may add up to, times its variance. */
const LIMIT = 0.999;

/**
 * Posterior and evidence, or undefined where the rows are such that arithmetic breaks down: the caller then
 * counts the task as one without rows.
 */
export function infer(
  { rows, n, d }: SignedRows,
  { mean, root }: GaussianPrior,
): Inference | undefined {
  const z = multiplyByLower(rows, root, n, d);
  const offset = multiply(rows, mean, n, d, 1);
  const marginals = n <= d ? rowMarginals(z, n, d) : weightMarginals(z, n, d);
  const precision = new Float64Array(n);
  const shift = new Float64Array(n);
  const out = { logMean: 0, slope: 0, curvature: 0 };
  for (let update = 0; ; update++) {
    if (!marginals.set(precision, shift)) return undefined;
    const last = update === UPDATES;
    const step = update === 0 ? 1 : DAMPING;
    let change = 0;
    let evidence = 0;
    for (let j = 0; j < n; j++) {
      const tau = precision[j]!;
      const nu = shift[j]!;
      const left = Math.max(1 - marginals.variance[j]! * tau, CAVITY);
      const variance = marginals.variance[j]! / left;
      const center = (marginals.center[j]! - marginals.variance[j]! * nu) / left;
      linkMoments(center + offset[j]!, variance, out);
      evidence += out.logMean - siteNormalizer(tau, nu, variance, center);
      const most = LIMIT / Math.max(variance, 1e-12);
      const bend = Math.min(Math.max(out.curvature, 0), most);
      const rest = 1 - variance * bend;
      const toTau = bend / rest - tau;
      change = Math.max(change, Math.abs(toTau));
      precision[j] = tau + step * toTau;
      shift[j] = nu + step * ((out.slope + bend * center) / rest - nu);
    }
    evidence += marginals.quadratic / 2 - marginals.logDeterminant / 2;
    if (!Number.isFinite(evidence)) return undefined;
    if (last || change < TOLERANCE) return inference(marginals, evidence);
  }
}

/** Sites belong to the marginals that were set last: what `infer` changed since is not looked at. */
function inference(marginals: Marginals, evidence: number): Inference {
  return {
    evidence,
    mean: () => marginals.posteriorMean(),
    covariance: () => marginals.posteriorCovariance(),
  };
}

/** ln of the integral of a site against its cavity. */
function siteNormalizer(tau: number, nu: number, variance: number, center: number): number {
  const spread = 1 + tau * variance;
  const square = nu * nu * variance + 2 * nu * center - tau * center * center;
  return square / (2 * spread) - log1p(tau * variance) / 2;
}
