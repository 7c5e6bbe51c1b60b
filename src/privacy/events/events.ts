/**
 * What happened in a round, as plain data: mechanism, parameters, sensitivity, adjacency, sampling.
 * What it costs is an accountant's business. Events survive JSON; see `parseEvent` for the way back.
 * @module
 */
import { finite, integer, nonNegative, object, positive } from "../../core/checks.js";
import { checkAdjacency } from "./adjacency.js";
import type {
  Adjacency,
  DiscreteGaussianEvent,
  GaussianEvent,
  LaplaceEvent,
  PureEvent,
  SphericalLaplaceEvent,
  SubsampledGaussianEvent,
  TwoSidedWishartEvent,
  WishartEvent,
} from "./event-kinds.js";

/** Fields every noise event takes. */
export interface SensitivityOptions {
  /** In the norm of the mechanism; default 1. */
  sensitivity?: number;
  /** Default `"replace"`. */
  adjacency?: Adjacency;
}

function common({ sensitivity = 1, adjacency = "replace" }: SensitivityOptions): {
  sensitivity: number;
  adjacency: Adjacency;
} {
  return {
    sensitivity: nonNegative("sensitivity", sensitivity),
    adjacency: checkAdjacency(adjacency),
  };
}

/**
 * Gaussian noise. For the symmetric matrix mechanism `sigma` is the standard deviation on the
 * diagonal and the sensitivity is in the Frobenius norm.
 *
 * @param options.sigma > 0; the release is (sensitivity / sigma)-GDP.
 * @example gaussianEvent({ sigma: 2, sensitivity: Math.SQRT2, adjacency: "replace" })
 */
export function gaussianEvent(options: { sigma: number } & SensitivityOptions): GaussianEvent {
  return {
    kind: "gaussian",
    sigma: positive("sigma", object("options", options).sigma),
    ...common(options),
  };
}

/**
 * Gaussian noise on a sum over a Poisson sample of the tasks. Amplification is proved for the
 * zero-out relation only, so any other adjacency is refused.
 *
 * @param options.rate 0 < rate <= 1; rate 1 is the plain Gaussian event.
 * @throws RangeError or TypeError naming what is out of range, and for another adjacency.
 * @see Mironov, Talwar, Zhang (2019); Zhu, Dong, Wang (2022).
 */
export function subsampledGaussianEvent(
  options: { sigma: number; rate: number } & SensitivityOptions,
): SubsampledGaussianEvent | GaussianEvent {
  const rate = positive("rate", object("options", options).rate);
  if (rate > 1) throw new RangeError(`rate: expected 0 < rate <= 1, got ${rate}`);
  if (rate === 1) return gaussianEvent({ adjacency: "zero-out", ...options });
  if (options.adjacency !== undefined && options.adjacency !== "zero-out") {
    throw new RangeError(
      'adjacency: expected "zero-out" for a Poisson-subsampled Gaussian (no amplification theorem ' +
        "covers replace with a known number of tasks); use rate 1 for replace",
    );
  }
  return {
    kind: "subsampled-gaussian",
    sigma: positive("sigma", options.sigma),
    ...common(options),
    adjacency: "zero-out",
    sampling: { kind: "poisson", rate },
  };
}

/**
 * Discrete Gaussian noise on values rounded to a grid: exact integer arithmetic, so the guarantee
 * does not rest on floating-point normals.
 *
 * @param options.grid    > 0, spacing of the rounded values.
 * @param options.sigma   > 0, in the units of the values.
 * @param options.entries how many rounded values one task may change: rounding moves each by at
 *   most grid / 2 either way, so it adds at most grid * sqrt(entries) to the l2 sensitivity.
 * @param options.shares  noise drawn in that many equal shares, on values that are multiples of
 *   `grid` before the release; `sigma` is that of their sum. Default: one draw, after rounding.
 * @see Canonne, Kamath, Steinke (2020), Theorem 4; Kairouz, Liu, Steinke (2021) for shares.
 */
export function discreteGaussianEvent(
  options: { sigma: number; grid: number; entries: number; shares?: number } & SensitivityOptions,
): DiscreteGaussianEvent {
  const { shares } = object("options", options);
  return {
    kind: "discrete-gaussian",
    sigma: positive("sigma", options.sigma),
    grid: positive("grid", options.grid),
    entries: integer("entries", options.entries, 1),
    ...(shares === undefined ? {} : { shares: integer("shares", shares, 1) }),
    ...common(options),
  };
}

/**
 * Difference of two Wishart draws with d + 1 degrees of freedom: pure DP with
 * eps = sensitivity / (2 scale).
 *
 * @param options.scale > 0, the v of W_d(d+1, v I).
 */
export function twoSidedWishartEvent(
  options: { scale: number } & SensitivityOptions,
): TwoSidedWishartEvent {
  return {
    kind: "two-sided-wishart",
    scale: positive("scale", object("options", options).scale),
    ...common(options),
  };
}

/** Chi-square probabilities take a number of terms that grows with its root. */
const MOST_DEGREES = 1e8;

/**
 * One-sided Wishart noise on `W W^T`. With `degreesOfFreedom` d + 1 it is the papers' mechanism,
 * which is not eps-DP for any eps; with more it is a sound (eps, delta) mechanism.
 *
 * @param options.degreesOfFreedom real, from d + 1 to 1e8.
 * @param options.scale            > 0, the v of W_d(nu, v I).
 * @param options.clip             > 0, bound on every column's norm.
 * @throws RangeError or TypeError naming what is out of range.
 */
export function wishartEvent(options: {
  dimension: number;
  degreesOfFreedom: number;
  scale: number;
  clip?: number;
  nominal?: number;
  adjacency?: Adjacency;
}): WishartEvent {
  const dimension = integer("dimension", object("options", options).dimension, 1);
  const degreesOfFreedom = finite("degreesOfFreedom", options.degreesOfFreedom);
  if (degreesOfFreedom < dimension + 1) {
    throw new RangeError(
      `degreesOfFreedom: expected at least dimension + 1 = ${dimension + 1}, got ${degreesOfFreedom}`,
    );
  }
  if (degreesOfFreedom > MOST_DEGREES) {
    throw new RangeError(
      `degreesOfFreedom: expected at most ${MOST_DEGREES}, beyond which its law is not computed; ` +
        `got ${degreesOfFreedom}`,
    );
  }
  return {
    kind: "wishart",
    dimension,
    degreesOfFreedom,
    scale: positive("scale", options.scale),
    clip: positive("clip", options.clip ?? 1),
    ...(options.nominal === undefined ? {} : { nominal: positive("nominal", options.nominal) }),
    adjacency: checkAdjacency(options.adjacency ?? "replace"),
  };
}

/**
 * Independent Laplace noise on every entry: pure DP with eps = sensitivity / scale, l1 sensitivity.
 *
 * @param options.scale > 0.
 */
export function laplaceEvent(options: { scale: number } & SensitivityOptions): LaplaceEvent {
  return {
    kind: "laplace",
    scale: positive("scale", object("options", options).scale),
    ...common(options),
  };
}

/**
 * Noise of density exp(-||b||_2 / scale): pure DP with eps = sensitivity / scale, l2 sensitivity.
 *
 * @param options.scale > 0.
 */
export function sphericalLaplaceEvent(
  options: { scale: number } & SensitivityOptions,
): SphericalLaplaceEvent {
  return {
    kind: "spherical-laplace",
    scale: positive("scale", object("options", options).scale),
    ...common(options),
  };
}

/**
 * Any eps-DP release, for example an exponential mechanism.
 *
 * @param options.epsilon >= 0.
 */
export function pureEvent(options: { epsilon: number; adjacency?: Adjacency }): PureEvent {
  return {
    kind: "pure",
    epsilon: nonNegative("epsilon", object("options", options).epsilon),
    adjacency: checkAdjacency(options.adjacency ?? "replace"),
  };
}
