/**
 * Expectation propagation of one task as its kernel has it, written out in TypeScript: operation by operation the same numbers.
 */
import { log, log1p } from "../../../../../../src/core/elementary.js";
import { multiply } from "../../../../../../src/linalg/small-matrices.js";
import type {
  GaussianPrior,
  Inference,
  SignedRows,
} from "../../../../../../src/learning/families/mixed/labels/posterior/expectation-propagation.js";
import { linkMomentsInNumbers, type MomentsInNumbers } from "./link-moments-in-numbers.js";

const UPDATES = 40;
const TOLERANCE = 1e-4;
const LEAST_PART = 0.15;
const MOST_LEFT = 0.5;
/** Least of a cavity's precision relative to the marginal's. */
const CAVITY = 1e-9;
/** Most of a cavity's precision that a site may add up to, times its variance. */
const LIMIT = 0.999;

/** Sites on x . w that a task starts from, and then those it ended with: precisions, then shifts; [2, n]. */
export type Start = Float64Array;

/**
 * Posterior and evidence, or undefined where the rows are such that arithmetic breaks down: the caller then
 * counts the task as one without rows.
 * @param start overwritten.
 */
export function inferInNumbers(
  { rows, n, d, added }: SignedRows,
  { mean, root }: GaussianPrior,
  start: Start = new Float64Array(2 * n),
): Inference | undefined {
  const marginals = marginalsOf({ rows, n, d }, root);
  const offset = new Float64Array(n).map((_, j) =>
    rows.subarray(j * d, (j + 1) * d).reduce(
      // Of what a row does not have nothing is asked, finite or not.
      (sum, factor, k) => (factor === 0 ? sum : sum + factor * mean[k]!),
      added?.[j] ?? 0,
    ),
  );
  const sites = {
    precision: start.slice(0, n),
    shift: offset.map((value, j) => start[n + j]! - start[j]! * value),
  };
  let found = propagated(marginals, offset, sites);
  if (start.some((value) => value !== 0) && !found?.stayed) {
    sites.precision.fill(0);
    sites.shift.fill(0);
    found = propagated(marginals, offset, sites);
  }
  start.fill(0);
  if (found?.stayed) {
    start.set(sites.precision);
    start.set(
      sites.shift.map((nu, j) => nu + sites.precision[j]! * offset[j]!),
      n,
    );
  }
  return found && inference(marginals, found.evidence);
}

interface SitesInNumbers {
  readonly precision: Float64Array;
  readonly shift: Float64Array;
}

/** Rounds from the sites as they are; undefined where the evidence is not finite. */
function propagated(
  marginals: Marginals,
  offset: Float64Array,
  { precision, shift }: SitesInNumbers,
): { readonly evidence: number; readonly stayed: boolean } | undefined {
  const n = offset.length;
  const [center, spread] = [new Float64Array(n), new Float64Array(n)];
  const [toTau, toNu] = [new Float64Array(n), new Float64Array(n)];
  const moments: MomentsInNumbers[] = [];
  let part = 1;
  let stayed: boolean;
  for (let update = 0; ; update++) {
    if (!marginals.set(precision, shift)) return undefined;
    let [change, square, across, before] = [0, 0, 0, 0];
    for (let j = 0; j < n; j++) {
      const [tau, nu, marginal] = [precision[j]!, shift[j]!, marginals.variance[j]!];
      const left = Math.max(1 - marginal * tau, CAVITY);
      const variance = marginal / left;
      center[j] = (marginals.center[j]! - marginal * nu) / left;
      spread[j] = variance;
      const found = linkMomentsInNumbers(center[j]! + offset[j]!, variance);
      moments[j] = found;
      const bend = Math.min(Math.max(found.curvature, 0), LIMIT / Math.max(variance, 1e-12));
      const rest = 1 - variance * bend;
      const asked = [bend / rest - tau, (found.slope + bend * center[j]!) / rest - nu] as const;
      square += marginal * (marginal * asked[0] * asked[0] + asked[1] * asked[1]);
      across += marginal * (marginal * asked[0] * toTau[j]! + asked[1] * toNu[j]!);
      before += marginal * (marginal * toTau[j]! * toTau[j]! + toNu[j]! * toNu[j]!);
      change = Math.max(change, Math.abs(asked[0]));
      [toTau[j], toNu[j]] = asked;
    }
    stayed = change < TOLERANCE && square < TOLERANCE;
    if (stayed || update === UPDATES) break;
    if (before > 0)
      part = Math.min(Math.max(part / (1 - Math.min(across / before, MOST_LEFT)), LEAST_PART), 1);
    for (let j = 0; j < n; j++) {
      precision[j]! += part * toTau[j]!;
      shift[j]! += part * toNu[j]!;
    }
  }
  let evidence = 0;
  for (let j = 0; j < n; j++) {
    const logMean = log(moments[j]!.total) - moments[j]!.square / 2;
    evidence += logMean - siteNormalizer(precision[j]!, shift[j]!, spread[j]!, center[j]!);
  }
  evidence += marginals.quadratic / 2 - marginals.logDeterminant / 2;
  return Number.isFinite(evidence) ? { evidence, stayed } : undefined;
}

/** Sites belong to the marginals that were set last. */
function inference(marginals: Marginals, evidence: number): Inference {
  return {
    evidence,
    mean: marginals.posteriorMean(),
    covariance: marginals.posteriorCovariance(),
  };
}

/** Marginals of the rows of u with w = root u + a constant. */
export function marginalsOf({ rows, n, d }: SignedRows, root: Float64Array): Marginals {
  const z = multiply(rows, root, n, d, d);
  return n <= d ? rowMarginals(z, n, d) : weightMarginals(z, n, d);
}

/** ln of the integral of a site against its cavity. */
export function siteNormalizer(tau: number, nu: number, variance: number, center: number): number {
  const spread = 1 + tau * variance;
  const square = nu * nu * variance + 2 * nu * center - tau * center * center;
  return square / (2 * spread) - log1p(tau * variance) / 2;
}
/** The Gaussian exp(-|u|^2 / 2 + sum_j shift_j z_j . u - precision_j (z_j . u)^2 / 2) and what follows from it. */
export interface Marginals {
  /**
   * Takes these sites; their arrays may change afterwards.
   * @returns whether all numbers are finite.
   */
  set(precision: Float64Array, shift: Float64Array): boolean;
  /** Variances of z_j . u, [n]. */
  readonly variance: Float64Array;
  /** Means of z_j . u, [n]. */
  readonly center: Float64Array;
  /** ln det (I + Z^T diag(precision) Z). */
  readonly logDeterminant: number;
  /** shift . center. */
  readonly quadratic: number;
  /** Mean of u, [d]. */
  posteriorMean(): Float64Array;
  /** Covariance of u, [d, d]. */
  posteriorCovariance(): Float64Array;
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };

/**
 * The Cholesky factor of A, in place of its lower triangle, and ln det A; NaN if A is not positive definite in
 * numbers. In place and without the jitter of `linalg`, for it is A's determinant that is wanted.
 */
function factorInPlace(a: Float64Array, n: number): number {
  let logDeterminant = 0;
  for (let i = 0; i < n; i++) {
    for (let j = 0; j <= i; j++) {
      let sum = a[i * n + j]!;
      for (let k = 0; k < j; k++) sum -= a[i * n + k]! * a[j * n + k]!;
      if (i > j) a[i * n + j] = sum / a[j * n + j]!;
      else if (sum > 0 && sum < Infinity) a[i * n + i] = Math.sqrt(sum);
      else return NaN;
    }
    logDeterminant += 2 * log(a[i * n + i]!);
  }
  return logDeterminant;
}

/** x <- L^-1 x, x of n numbers from `at`. */
function solveLower(l: Float64Array, n: number, x: Float64Array, at = 0): void {
  for (let i = 0; i < n; i++) {
    let sum = x[at + i]!;
    for (let k = 0; k < i; k++) sum -= l[i * n + k]! * x[at + k]!;
    x[at + i] = sum / l[i * n + i]!;
  }
}

/** x <- L^-T x. */
function solveUpper(l: Float64Array, n: number, x: Float64Array): void {
  for (let i = n - 1; i >= 0; i--) {
    let sum = x[i]!;
    for (let k = i + 1; k < n; k++) sum -= l[k * n + i]! * x[k]!;
    x[i] = sum / l[i * n + i]!;
  }
}

function dot(a: Float64Array, i: number, b: Float64Array, j: number, n: number): number {
  let sum = 0;
  for (let k = 0; k < n; k++) sum += a[i + k]! * b[j + k]!;
  return sum;
}

function finite({ variance, center, logDeterminant }: Marginals): boolean {
  let sum = logDeterminant;
  for (let j = 0; j < variance.length; j++) sum += variance[j]! + Math.abs(center[j]!);
  return Number.isFinite(sum);
}

/** With the [n, n] matrix B = I + S K S, K = Z Z^T, S^2 = diag(precision): for tasks with few rows. */
function rowMarginals(z: Float64Array, n: number, d: number): Marginals {
  const kernel = new Float64Array(n * n);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j <= i; j++) {
      kernel[i * n + j] = dot(z, i * d, z, j * d, d);
      kernel[j * n + i] = kernel[i * n + j]!;
    }
  }
  const root = new Float64Array(n);
  const l = new Float64Array(n * n);
  /** Row j: L^-1 S K_j, which takes K to the covariance of the rows. */
  const seen = new Float64Array(n * n);
  const weights = new Float64Array(n);
  const state: Writable<Marginals> = {
    variance: new Float64Array(n),
    center: new Float64Array(n),
    logDeterminant: 0,
    quadratic: 0,
    set(precision: Float64Array, shift: Float64Array) {
      for (let i = 0; i < n; i++) root[i] = Math.sqrt(precision[i]!);
      for (let i = 0; i < n; i++) {
        for (let j = 0; j < i; j++) l[i * n + j] = root[i]! * kernel[i * n + j]! * root[j]!;
        l[i * n + i] = 1 + root[i]! * kernel[i * n + i]! * root[i]!;
      }
      state.logDeterminant = factorInPlace(l, n);
      if (Number.isNaN(state.logDeterminant)) return false;
      // weights = shift - S B^-1 S K shift.
      for (let i = 0; i < n; i++) weights[i] = root[i]! * dot(kernel, i * n, shift, 0, n);
      solveLower(l, n, weights);
      solveUpper(l, n, weights);
      for (let i = 0; i < n; i++) weights[i] = shift[i]! - root[i]! * weights[i]!;
      for (let j = 0; j < n; j++) {
        state.center[j] = dot(kernel, j * n, weights, 0, n);
        for (let i = 0; i < n; i++) seen[j * n + i] = root[i]! * kernel[j * n + i]!;
        solveLower(l, n, seen, j * n);
        state.variance[j] = Math.max(kernel[j * n + j]! - dot(seen, j * n, seen, j * n, n), 0);
      }
      state.quadratic = dot(shift, 0, state.center, 0, n);
      return finite(state);
    },
    posteriorMean() {
      const out = new Float64Array(d);
      for (let i = 0; i < n; i++)
        for (let c = 0; c < d; c++) out[c]! += weights[i]! * z[i * d + c]!;
      return out;
    },
    posteriorCovariance() {
      // I - Z^T S B^-1 S Z.
      const column = new Float64Array(n);
      const half = new Float64Array(d * n);
      for (let c = 0; c < d; c++) {
        for (let i = 0; i < n; i++) column[i] = root[i]! * z[i * d + c]!;
        solveLower(l, n, column);
        half.set(column, c * n);
      }
      return symmetricProducts(half, d, n, (product, same) => Number(same) - product);
    },
  };
  return state;
}

/** With the [d, d] matrix I + Z^T diag(precision) Z: for tasks with many rows. */
function weightMarginals(z: Float64Array, n: number, d: number): Marginals {
  const l = new Float64Array(d * d);
  const mean = new Float64Array(d);
  const row = new Float64Array(d);
  const state: Writable<Marginals> = {
    variance: new Float64Array(n),
    center: new Float64Array(n),
    logDeterminant: 0,
    quadratic: 0,
    set(precision: Float64Array, shift: Float64Array) {
      l.fill(0);
      mean.fill(0);
      for (let c = 0; c < d; c++) l[c * d + c] = 1;
      for (let i = 0; i < n; i++) {
        for (let c = 0; c < d; c++) {
          const value = z[i * d + c]!;
          mean[c]! += shift[i]! * value;
          const weighted = precision[i]! * value;
          if (weighted === 0) continue;
          for (let e = 0; e <= c; e++) l[c * d + e]! += weighted * z[i * d + e]!;
        }
      }
      state.logDeterminant = factorInPlace(l, d);
      if (Number.isNaN(state.logDeterminant)) return false;
      solveLower(l, d, mean);
      solveUpper(l, d, mean);
      for (let i = 0; i < n; i++) {
        state.center[i] = dot(z, i * d, mean, 0, d);
        for (let c = 0; c < d; c++) row[c] = z[i * d + c]!;
        solveLower(l, d, row);
        state.variance[i] = dot(row, 0, row, 0, d);
      }
      state.quadratic = dot(shift, 0, state.center, 0, n);
      return finite(state);
    },
    posteriorMean: () => mean.slice(),
    posteriorCovariance() {
      // Row c is L^-1 e_c: the products of rows are the entries of L^-T L^-1.
      const half = new Float64Array(d * d);
      for (let c = 0; c < d; c++) {
        half[c * d + c] = 1;
        solveLower(l, d, half, c * d);
      }
      return symmetricProducts(half, d, d, (product) => product);
    },
  };
  return state;
}

/** f(rows i and j of A [d, n] multiplied, i = j) as a symmetric matrix. */
function symmetricProducts(
  a: Float64Array,
  d: number,
  n: number,
  f: (product: number, same: boolean) => number,
): Float64Array {
  const out = new Float64Array(d * d);
  for (let i = 0; i < d; i++) {
    for (let j = 0; j <= i; j++) {
      out[i * d + j] = f(dot(a, i * n, a, j * n, n), i === j);
      out[j * d + i] = out[i * d + j]!;
    }
  }
  return out;
}
