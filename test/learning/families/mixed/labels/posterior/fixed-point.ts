/**
 * The fixed point of expectation propagation, by rounds that are damped throughout and start from no sites, with the link's moments as predictions
 * have them.
 */
import { multiply } from "../../../../../../src/linalg/small-matrices.js";
import { linkMoments } from "../../../../../../src/learning/models/logistic-link.js";
import type {
  GaussianPrior,
  Inference,
  SignedRows,
} from "../../../../../../src/learning/families/mixed/labels/posterior/expectation-propagation.js";
import { marginalsOf, siteNormalizer } from "./propagation-in-numbers.js";

/** Undefined where precisions do not stay within 1e-9. */
export function fixedPoint(task: SignedRows, { mean, root }: GaussianPrior): Inference | undefined {
  const { rows, n, d } = task;
  const offset = multiply(rows, mean, n, d, 1);
  const marginals = marginalsOf(task, root);
  const [precision, shift] = [new Float64Array(n), new Float64Array(n)];
  const moments = { logMean: 0, slope: 0, curvature: 0 };
  for (let update = 0; update < 400; update++) {
    if (!marginals.set(precision, shift)) return undefined;
    let [change, evidence] = [0, marginals.quadratic / 2 - marginals.logDeterminant / 2];
    for (let j = 0; j < n; j++) {
      const [tau, nu, marginal] = [precision[j]!, shift[j]!, marginals.variance[j]!];
      const left = Math.max(1 - marginal * tau, 1e-9);
      const variance = marginal / left;
      const center = (marginals.center[j]! - marginal * nu) / left;
      linkMoments(center + offset[j]!, variance, moments);
      evidence += moments.logMean - siteNormalizer(tau, nu, variance, center);
      const bend = Math.min(Math.max(moments.curvature, 0), 0.999 / Math.max(variance, 1e-12));
      const rest = 1 - variance * bend;
      change = Math.max(change, Math.abs(bend / rest - tau));
      precision[j] = tau + 0.5 * (bend / rest - tau);
      shift[j] = nu + 0.5 * ((moments.slope + bend * center) / rest - nu);
    }
    if (change < 1e-9)
      return {
        evidence,
        mean: marginals.posteriorMean(),
        covariance: marginals.posteriorCovariance(),
      };
  }
  return undefined;
}
