/**
 * Where the eigenvalues of a mechanism's noise lie: public, so a sharing rule may subtract it.
 * @module
 */
import * as math from "../../../core/elementary.js";
import type { Mechanism } from "../../../privacy/index.js";

/** Bulk of the spectrum of noise alone. */
export interface NoiseSpectrum {
  /** Mean of the eigenvalues, to be subtracted: 0 for symmetric noise. */
  readonly mean: number;
  /** Upper edge of the eigenvalues after the mean is subtracted. */
  readonly edge: number;
  /** Root mean square of the eigenvalues after the mean is subtracted. */
  readonly deviation: number;
}

/** Edge of the free difference of two Marchenko-Pastur laws of ratio 1, in units of n v. */
const FREE_EDGE = 3.3302;

/**
 * Large-n spectrum of the noise on an [n, n] statistic.
 *
 * Gaussian: semicircle of variance n sigma^2 / 2, edge sigma sqrt(2n) (Wigner). Two-sided Wishart:
 * free difference of two Marchenko-Pastur laws, variance 2 n (n + 1) v^2. One-sided Wishart: mean
 * (n + 1) v, Marchenko-Pastur.
 *
 * @param scale sigma or v of the round.
 */
export function noiseSpectrum(
  { name }: Pick<Mechanism, "name">,
  scale: number,
  n: number,
): NoiseSpectrum {
  switch (name) {
    case "gaussian":
      return { mean: 0, edge: scale * Math.sqrt(2 * n), deviation: scale * Math.sqrt(n / 2) };
    case "two-sided-wishart":
      return {
        mean: 0,
        edge: FREE_EDGE * (n + 1) * scale,
        deviation: scale * Math.sqrt(2 * n * (n + 1)),
      };
    case "wishart": {
      const mean = (n + 1) * scale;
      const top = scale * (Math.sqrt(n) + Math.sqrt(n + 1)) ** 2;
      return { mean, edge: top - mean, deviation: scale * Math.sqrt(n * (n + 1)) };
    }
    default:
      throw new RangeError(`mechanism: "${name}" adds no matrix noise, so it has no spectrum`);
  }
}

/** Standard deviation and high quantile of one entry of a diagonal mechanism's noise. */
export function entryNoise(
  { name }: Pick<Mechanism, "name">,
  scale: number,
  n: number,
): { edge: number; deviation: number } {
  return name === "laplace-diagonal"
    ? { edge: scale * math.log(n), deviation: scale * Math.SQRT2 }
    : { edge: scale * Math.sqrt(2 * math.log(n)), deviation: scale };
}
