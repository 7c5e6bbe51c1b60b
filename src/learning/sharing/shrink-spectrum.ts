/**
 * Eigenvalues of a prior covariance from the eigenvalues of a noisy one.
 * @module
 */
import * as math from "../../core/elementary.js";
import type { NoiseSpectrum } from "../../privacy/mechanisms/noise-law.js";

/** How noise is taken out of eigenvalues. */
export interface Shrinkage {
  readonly shrinkage: "optimal" | "edge";
  /** With "edge": part of the noise's edge to subtract. */
  readonly edge: number;
  /** Least variance of a direction, the mean being 1. */
  readonly floor: "auto" | number;
}

/** Least variance of a direction, the mean being 1, where the option `floor` is "auto". */
const FLOOR = 1e-3;

/**
 * Replaces eigenvalues lambda (descending) of S = sum v_i v_i^T + noise by the variances of a prior,
 * scaled so that they sum to d.
 *
 * "optimal": the best estimate that keeps the eigenvectors of S is
 * lambda - 2 s^2 Re g(lambda - i eta), g the resolvent's mean trace and s the noise's deviation; an
 * eigenvalue far above the edge loses s^2/theta, what its tilted eigenvector leaks. Eigenvalues well
 * inside the bulk say nothing one by one: they share the energy that is left, the geometric mean
 * of what leaked (the least there can be) and of the known total less what is kept (the most). At
 * last the whole is drawn towards the identity as far as S is noise: at small eps the prior says
 * nothing and every task learns alone.
 *
 * @param total sum_i ||v_i||^2 as far as it is public.
 * @param m     tasks.
 * @returns the number of eigenvalues that stand out of the noise.
 * @see Bun, Allez, Bouchaud, Potters (2016), for the estimate; Benaych-Georges and Nadakuditi (2011),
 *   for the leak.
 */
export function shrinkSpectrum(
  values: Float64Array,
  noise: NoiseSpectrum,
  total: number,
  m: number,
  options: Shrinkage,
): number {
  return options.shrinkage === "edge"
    ? subtractEdge(values, noise, total, m, options)
    : shrinkOptimally(values, noise, total, options);
}

function subtractEdge(
  values: Float64Array,
  { mean, edge }: NoiseSpectrum,
  total: number,
  m: number,
  options: Shrinkage,
): number {
  const d = values.length;
  const floor = options.floor === "auto" ? (0.03 * edge * d) / m + FLOOR : options.floor;
  const scale = d / total;
  let rank = 0;
  for (let j = 0; j < d; j++) {
    const kept = Math.max(0, values[j]! - mean - options.edge * edge);
    if (kept > 0) rank++;
    values[j] = kept * scale + floor;
  }
  return rank;
}

/** The same by the best estimate, whatever `edge` is. */
export function shrinkOptimally(
  values: Float64Array,
  { mean, edge, deviation }: NoiseSpectrum,
  total: number,
  options: Pick<Shrinkage, "floor">,
): number {
  const d = values.length;
  const floor = options.floor === "auto" ? FLOOR : options.floor;
  const lambda = values.map((value) => value - mean);
  const trust = informative(lambda, { deviation, edge }, total);
  if (trust === 0) {
    values.fill(1);
    return 0;
  }
  const kept = lambda.map((_, j) => Math.min(total, Math.max(0, cleaned(lambda, j, deviation))));
  const limit = Math.max(edge, 2 * deviation) * (1 + math.pow(d, -2 / 3));
  let rank = 0;
  let energy = 0;
  let leaked = 0;
  while (rank < d && lambda[rank]! > limit) {
    energy += kept[rank]!;
    leaked += lambda[rank]! - kept[rank]! - (deviation * deviation) / lambda[rank]!;
    rank++;
  }
  const rest = Math.max(0, total - energy);
  const elsewhere =
    (rank > 0 ? Math.sqrt(Math.max(0, leaked) * rest) : rest) / Math.max(1, d - rank);
  let sum = 0;
  for (let j = 0; j < d; j++) {
    const near = lambda[j]! > NEAR * edge;
    sum += kept[j] = near ? Math.max(kept[j]!, elsewhere) : elsewhere;
  }
  for (let j = 0; j < d; j++) {
    values[j] = Math.max(1 - trust + (trust * kept[j]! * d) / sum, floor);
  }
  return rank;
}

/** Eigenvalues from this part of the edge on are read one by one. */
const NEAR = 0.7;

/** From "not believed" to "fully believed", in parts of signal energy over all energy. */
const RAMP = 0.1;

/**
 * How far the release differs from noise: the positive-part James-Stein factor of S against the
 * nearest multiple of the identity, less two standard deviations of what it is for noise alone
 * (d(d+1)/2 independent entries), or up to three where all models together hardly reach beyond the
 * noise's edge: what shows there has no direction to be trusted. 0 for certain where no models of
 * that total could stand out.
 */
function informative(
  lambda: Float64Array,
  { deviation, edge }: Pick<NoiseSpectrum, "deviation" | "edge">,
  total: number,
): number {
  const d = lambda.length;
  if (d === 1) return 0;
  const strictness = edge > 0 ? 2 + Math.min(1, Math.max(0, 2 - total / edge)) : 2;
  const excess = (2 * strictness) / Math.sqrt(d * (d + 1));
  const noise = d * deviation * deviation;
  if (total * total <= excess * noise) return 0;
  const mean = lambda.reduce((sum, value) => sum + value, 0) / d;
  const spread = lambda.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  if (spread === 0) return 0;
  return Math.min(1, Math.max(0, (1 - noise / spread - Math.min(excess, 0.8)) / RAMP));
}

/** lambda_j - 2 s^2 Re g(lambda_j - i eta), g the mean of 1 / (z - lambda_k). */
function cleaned(lambda: Float64Array, j: number, deviation: number): number {
  const d = lambda.length;
  const eta = deviation / Math.sqrt(d);
  let real = 0;
  for (let k = 0; k < d; k++) {
    const gap = lambda[j]! - lambda[k]!;
    if (gap !== 0) real += gap / (gap * gap + eta * eta) / d;
  }
  return lambda[j]! - 2 * deviation * deviation * real;
}
