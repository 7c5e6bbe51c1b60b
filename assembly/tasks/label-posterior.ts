/**
 * Bayesian logistic regression of one task by parallel expectation propagation (Minka 2001; Rasmussen and Williams 2006, section 3.6):
 * posterior and evidence of u under w = mean + root u, u ~ N(0, I), from rows y_j x_j.
 *
 * Every round moves all sites at once; it ends when their precisions stay, or after UPDATES rounds. How far they go of what is asked for is a secant
 * step: where a round takes them past what the next asks for, as of many rows of one label, they go less far. Where evidence is wanted of one
 * task under several priors, the sites of one are where the next starts: they are sites on x . w, of which a prior changes little. The
 * tolerance is the same.
 */
import { at } from "../address";
import { addScaled } from "../blas/vector";
import { log, log1p } from "../logarithm";
import { linkMoments } from "./link-moments";
import { posteriorCovariance, posteriorMean, prepareMarginals, setMarginals } from "./site-marginals";
import { openSites, Sites, sitesBytes } from "./sites";

const UPDATES: i32 = 40;
/** Of precisions, and of the sum of squares of all changes in units of the marginals' deviations, to which the evidence is as near. */
const TOLERANCE: f64 = 1e-4;
/** Least part of what is asked for that sites go, and the most of it that may be left without their going farther. */
const LEAST_PART: f64 = 0.15;
const MOST_LEFT: f64 = 0.5;
/** Least of a cavity's precision relative to the marginal's. */
const CAVITY: f64 = 1e-9;
/** Most of a cavity's precision that a site may add up to, times its variance. */
const LIMIT: f64 = 0.999;

/** Least of a variance that a site's precision is held by. */
const LEAST_VARIANCE: f64 = 1e-12;

/** What linkMoments writes. */
const moments: usize = memory.data(32, 16);

/** Bytes of scratch for n rows of d coordinates. @param covariance whether it is wanted. */
export function labelPosteriorWorkspace(n: i32, d: i32, covariance: bool): f64 {
  return sitesBytes(n, d, covariance);
}

/**
 * ln of the probability of all labels, NaN where arithmetic breaks down.
 * @param rows f64[n, d]. @param root f64[d, d], lower triangular.
 * @param mean of the prior, f64[d]. @param added f64[n], what is added to y_j x_j . w; nowhere, nothing, if 0.
 * @param start f64[2, n]: precisions and shifts of sites on x_j . w, with what is added, to start from, zeros for none; those at the end after
 * it, or zeros where precisions did not stay. Nowhere if 0. A start from which they do not stay counts for none.
 * @param ofU posterior mean of u, f64[d], and covariance, f64[d, d]; each nowhere if 0.
 */
export function labelPosterior(
  rows: usize, n: i32, d: i32, mean: usize, root: usize, added: usize, start: usize, ofU: usize, covariance: usize,
  work: usize,
): f64 {
  const s = openSites(work, n, d);
  place(s, rows, mean, root, added);
  prepareMarginals(s);
  const warm = start != 0 && startFrom(s, start);
  let evidence = propagate(s);
  if (warm && !(s.stayed && isFinite(evidence))) {
    memory.fill(s.precision, 0, (<usize>(2 * s.rows)) << 3);
    evidence = propagate(s);
  }
  if (start) keep(s, start, s.stayed && isFinite(evidence));
  if (!isFinite(evidence)) return NaN;
  if (ofU) posteriorMean(s, ofU);
  if (covariance) posteriorCovariance(s, covariance);
  return evidence;
}

/** The log evidence after rounds from the sites as they are; marginals and cavities in `s` are those of the sites that were set last. */
function propagate(s: Sites): f64 {
  memory.fill(s.toPrecision, 0, (<usize>(2 * s.rows)) << 3);
  s.stayed = false;
  let part = 1.0;
  for (let update = 0; ; update++) {
    if (!setMarginals(s)) return NaN;
    findCavities(s);
    s.stayed = s.change < TOLERANCE && s.square < TOLERANCE;
    if (s.stayed || update == UPDATES) break;
    if (s.before > 0.0) part = Math.min(Math.max(part / (1.0 - Math.min(s.across / s.before, MOST_LEFT)), LEAST_PART), 1.0);
    moveSites(s, part);
  }
  return evidenceOf(s);
}

/** z = rows root, its columns, and what the mean and `added` add to z . u. */
function place(s: Sites, rows: usize, mean: usize, root: usize, added: usize): void {
  const d = s.d;
  for (let i = 0; i < s.n; i++) {
    const row = at(rows, i * d), z = at(s.z, i * s.width);
    let offset = added ? load<f64>(at(added, i)) : 0.0;
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

/** Sites from those on x . w; whether there are any. */
function startFrom(s: Sites, start: usize): bool {
  const shifts = at(start, s.n);
  let some = false;
  for (let j = 0; j < s.n; j++) {
    const tau = load<f64>(at(start, j)), nu = load<f64>(at(shifts, j));
    if (tau != 0.0 || nu != 0.0) some = true;
    store<f64>(at(s.precision, j), tau);
    store<f64>(at(s.shift, j), nu - tau * load<f64>(at(s.offset, j)));
  }
  return some;
}

/** Sites on x . w to start from, or zeros. */
function keep(s: Sites, start: usize, stayed: bool): void {
  const shifts = at(start, s.n);
  for (let j = 0; j < s.n; j++) {
    const tau = load<f64>(at(s.precision, j)), nu = load<f64>(at(s.shift, j)) + tau * load<f64>(at(s.offset, j));
    store<f64>(at(start, j), stayed ? tau : 0.0);
    store<f64>(at(shifts, j), stayed ? nu : 0.0);
  }
}

/** Cavities of all rows and the moments of the link in them, and what these ask sites to change by. */
function findCavities(s: Sites): void {
  let change = 0.0, square = 0.0, across = 0.0, before = 0.0;
  for (let j = 0; j < s.n; j++) {
    const tau = load<f64>(at(s.precision, j)), nu = load<f64>(at(s.shift, j));
    const marginal = load<f64>(at(s.variance, j));
    const left = Math.max(1.0 - marginal * tau, CAVITY);
    const variance = marginal / left;
    const center = (load<f64>(at(s.center, j)) - marginal * nu) / left;
    linkMoments(center + load<f64>(at(s.offset, j)), variance, moments);
    const most = LIMIT / Math.max(variance, LEAST_VARIANCE);
    const bend = Math.min(Math.max(load<f64>(moments, 24), 0.0), most);
    const rest = 1.0 - variance * bend;
    const toTau = bend / rest - tau, toNu = (load<f64>(moments, 16) + bend * center) / rest - nu;
    // In units of the marginal's deviation.
    const lastTau = load<f64>(at(s.toPrecision, j)), lastNu = load<f64>(at(s.toShift, j));
    square += marginal * (marginal * toTau * toTau + toNu * toNu);
    across += marginal * (marginal * toTau * lastTau + toNu * lastNu);
    before += marginal * (marginal * lastTau * lastTau + lastNu * lastNu);
    change = Math.max(change, Math.abs(toTau));
    store<f64>(at(s.toPrecision, j), toTau);
    store<f64>(at(s.toShift, j), toNu);
    store<f64>(at(s.means, j), load<f64>(moments));
    store<f64>(at(s.exponents, j), load<f64>(moments, 8));
    store<f64>(at(s.cavity, j), center);
    store<f64>(at(s.spread, j), variance);
  }
  s.change = change;
  s.square = square;
  s.across = across;
  s.before = before;
}

/** Moves all sites a part of the way to what their cavities ask for. */
function moveSites(s: Sites, part: f64): void {
  for (let j = 0; j < s.n; j++) {
    const tau = at(s.precision, j), nu = at(s.shift, j);
    store<f64>(tau, load<f64>(tau) + part * load<f64>(at(s.toPrecision, j)));
    store<f64>(nu, load<f64>(nu) + part * load<f64>(at(s.toShift, j)));
  }
}

/** The log evidence of the sites and cavities as they are. */
function evidenceOf(s: Sites): f64 {
  let sites = 0.0;
  for (let j = 0; j < s.n; j++) {
    const tau = load<f64>(at(s.precision, j)), nu = load<f64>(at(s.shift, j));
    const spread = load<f64>(at(s.spread, j)), center = load<f64>(at(s.cavity, j));
    const logMean = log(load<f64>(at(s.means, j))) - load<f64>(at(s.exponents, j));
    sites += logMean - siteNormalizer(tau, nu, spread, center);
  }
  return sites + (s.quadratic / 2.0 - s.logDeterminant / 2.0);
}

/** ln of the integral of a site against its cavity. */
function siteNormalizer(tau: f64, nu: f64, variance: f64, center: f64): f64 {
  const spread = 1.0 + tau * variance;
  const square = nu * nu * variance + 2.0 * nu * center - tau * center * center;
  return square / (2.0 * spread) - log1p(tau * variance) / 2.0;
}
