/**
 * Bayesian logistic regression of one task by parallel expectation propagation (Minka 2001; Rasmussen and Williams 2006, section 3.6):
 * posterior and evidence of u under w = mean + root u, u ~ N(0, I), from rows y_j x_j.
 *
 * Every round sets all sites at once, a part of the way; it ends when their precisions stay, or after UPDATES rounds.
 */
import { at } from "../address";
import { addScaled } from "../blas/vector";
import { log1p } from "../logarithm";
import { linkMoments } from "./link-moments";
import { posteriorCovariance, posteriorMean, prepareMarginals, setMarginals } from "./site-marginals";
import { openSites, Sites, sitesBytes } from "./sites";

const UPDATES: i32 = 12;
const TOLERANCE: f64 = 1e-3;
const DAMPING: f64 = 0.8;
/** Least of a cavity's precision relative to the marginal's. */
const CAVITY: f64 = 1e-9;
/** Most of a cavity's precision that a site may add up to, times its variance. */
const LIMIT: f64 = 0.999;

/** Least of a variance that a site's precision is held by. */
const LEAST_VARIANCE: f64 = 1e-12;

/** What linkMoments writes. */
const moments: usize = memory.data(24, 16);

/** Bytes of scratch for n rows of d coordinates. @param covariance whether it is wanted. */
export function labelPosteriorWorkspace(n: i32, d: i32, covariance: bool): f64 {
  return sitesBytes(n, d, covariance);
}

/**
 * ln of the probability of all labels, NaN where arithmetic breaks down.
 * @param rows f64[n, d]. @param root f64[d, d], lower triangular.
 * @param mean of the prior, f64[d]. @param ofU posterior mean of u, f64[d], and covariance, f64[d, d]; each nowhere if 0.
 */
export function labelPosterior(
  rows: usize, n: i32, d: i32, mean: usize, root: usize, ofU: usize, covariance: usize, work: usize,
): f64 {
  const s = openSites(work, n, d);
  place(s, rows, mean, root);
  prepareMarginals(s);
  for (let update = 0; ; update++) {
    if (!setMarginals(s)) return NaN;
    const sites = updateSites(s, update == 0 ? 1.0 : DAMPING);
    const evidence = sites + (s.quadratic / 2.0 - s.logDeterminant / 2.0);
    if (!isFinite(evidence)) return NaN;
    if (update < UPDATES && !(s.change < TOLERANCE)) continue;
    // Of the sites that were set last: what `updateSites` changed since is not looked at.
    if (ofU) posteriorMean(s, ofU);
    if (covariance) posteriorCovariance(s, covariance);
    return evidence;
  }
}

/** z = rows root, its columns, and what the mean adds to z . u. */
function place(s: Sites, rows: usize, mean: usize, root: usize): void {
  const d = s.d;
  for (let i = 0; i < s.n; i++) {
    const row = at(rows, i * d), z = at(s.z, i * s.width);
    let offset = 0.0;
    for (let k = 0; k < d; k++) {
      const factor = load<f64>(at(row, k));
      // Of what a row does not have nothing is asked, finite or not.
      if (factor == 0.0) continue;
      offset += factor * load<f64>(at(mean, k));
      addScaled(factor, at(root, k * d), z, k + 1);
    }
    store<f64>(at(s.offset, i), offset);
    for (let c = 0; c < d; c++) store<f64>(at(s.columns, c * s.rows + i), load<f64>(at(z, c)));
  }
}

/** Moves all sites a part of the way to what their cavities ask for; returns the sites' part of the log evidence before. */
function updateSites(s: Sites, part: f64): f64 {
  let evidence = 0.0, change = 0.0;
  for (let j = 0; j < s.n; j++) {
    const tau = load<f64>(at(s.precision, j)), nu = load<f64>(at(s.shift, j));
    const marginal = load<f64>(at(s.variance, j));
    const left = Math.max(1.0 - marginal * tau, CAVITY);
    const variance = marginal / left;
    const center = (load<f64>(at(s.center, j)) - marginal * nu) / left;
    linkMoments(center + load<f64>(at(s.offset, j)), variance, moments);
    evidence += load<f64>(moments) - siteNormalizer(tau, nu, variance, center);
    const most = LIMIT / Math.max(variance, LEAST_VARIANCE);
    const bend = Math.min(Math.max(load<f64>(moments, 16), 0.0), most);
    const rest = 1.0 - variance * bend;
    const toTau = bend / rest - tau;
    change = Math.max(change, Math.abs(toTau));
    store<f64>(at(s.precision, j), tau + part * toTau);
    store<f64>(at(s.shift, j), nu + part * ((load<f64>(moments, 8) + bend * center) / rest - nu));
  }
  s.change = change;
  return evidence;
}

/** ln of the integral of a site against its cavity. */
function siteNormalizer(tau: f64, nu: f64, variance: f64, center: f64): f64 {
  const spread = 1.0 + tau * variance;
  const square = nu * nu * variance + 2.0 * nu * center - tau * center * center;
  return square / (2.0 * spread) - log1p(tau * variance) / 2.0;
}
