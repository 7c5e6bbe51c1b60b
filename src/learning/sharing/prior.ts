/**
 * Sharing rules that turn a noisy second moment of the tasks' models into a prior for all of them.
 * @module
 */
import type { Core, Pointer } from "../../core/index.js";
import type { SharingRule } from "../round/sharing-rule.js";
import type { NoiseSpectrum } from "./noise-spectrum.js";
import { PriorCoordinates } from "./prior-coordinates.js";
import { shrinkSpectrum, type ShrinkageOptions } from "./shrink-spectrum.js";

/** What a prior rule knows beside the release. All of it is public. */
export interface PriorRuleOptions extends ShrinkageOptions {
  /** Spectrum of the noise of a round. */
  readonly noise: (round: number) => NoiseSpectrum;
  /** K when every shared vector has norm K exactly; else the trace of the release is taken. */
  readonly norm: number | undefined;
}

/** Float64s of a prior's message: precision P[d,d], then center a[d]. */
export function priorMessageLength(d: number): number {
  return d * d + d;
}

/**
 * Eigenvectors and shrunk eigenvalues as the precision U diag(1/c) U^T at `message`.
 * @param coordinates those of the prior before, which the statistic is expressed in once it is there.
 */
export function spectralPrecision(
  { core, m, d }: { core: Core; m: number; d: number },
  coordinates?: PriorCoordinates,
) {
  const { arena, kernels } = core;
  const values = arena.f64(d);
  const vectors = arena.f64(d * d);
  const work = arena.bytes(
    Math.max(kernels.eighWorkspace(d), kernels.spectralProductWorkspace(d, d)),
  );
  return (
    statistic: Pointer,
    message: Pointer,
    noise: NoiseSpectrum,
    total: number,
    options: ShrinkageOptions,
  ): number => {
    if (kernels.eigh(statistic, values, vectors, d, work) !== 0) {
      throw new RangeError("the eigendecomposition of the shared covariance did not converge");
    }
    const spectrum = arena.view(values, d);
    const rank = total > 0 ? shrinkSpectrum(spectrum, noise, total, m, options) : 0;
    if (coordinates?.entered) {
      // A release that tells nothing leaves the prior as it was.
      if (rank > 0) coordinates.precisionOf(vectors, values, message);
      return rank;
    }
    if (rank === 0) {
      // The identity exactly, not up to the rounding of U U^T.
      const precision = arena.view(message, d * d).fill(0);
      for (let j = 0; j < d; j++) precision[j * (d + 1)] = 1 / (total > 0 ? spectrum[0]! : 1);
      return 0;
    }
    for (let j = 0; j < d; j++) spectrum[j] = 1 / spectrum[j]!;
    kernels.spectralProduct(vectors, values, message, d, d, work);
    return rank;
  };
}

/**
 * Prior of private multi-task feature learning: w ~ N(0, C / kappa), C from the noisy covariance.
 * Vectors of a known norm are read, from the second round on, as expressed in the coordinates of the
 * prior before: every round refines it. Message: C^-1 [d,d], center 0 [d].
 *
 * @see Argyriou, Evgeniou, Pontil (2008), where C = (W W^T)^(1/2) / trace, without noise.
 */
export function covariancePriorRule(options: PriorRuleOptions): SharingRule {
  return {
    statistic: "covariance",
    messageLength: (_m, d) => priorMessageLength(d),
    prepare: ({ core, m, d }) => {
      const refined = options.norm === undefined ? undefined : new PriorCoordinates(core, d, d);
      const toPrecision = spectralPrecision({ core, m, d }, refined);
      return (statistic, message, round) => {
        const noise = options.noise(round);
        const total =
          options.norm === undefined
            ? trace(core.arena.view(statistic, d * d), d) - d * noise.mean
            : m * options.norm ** 2;
        core.arena.view(message + 8 * d * d, d).fill(0);
        const rank = toPrecision(statistic, message, noise, total, options);
        refined?.enter(message);
        return { rank };
      };
    },
  };
}

function trace(matrix: Float64Array, d: number): number {
  let sum = 0;
  for (let j = 0; j < d; j++) sum += matrix[j * (d + 1)]!;
  return sum;
}
