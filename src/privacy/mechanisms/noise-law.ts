/**
 * What is known of a mechanism's noise by its scale alone: public, so a sharing rule may subtract it.
 * @module
 */
import * as math from "../../core/elementary.js";

/** Where the eigenvalues of noise on an [n, n] statistic lie, for large n. */
export interface NoiseSpectrum {
  /** Mean of the eigenvalues, to be subtracted: 0 for symmetric noise. */
  readonly mean: number;
  /** Upper edge of the eigenvalues after the mean is subtracted. */
  readonly edge: number;
  /** Root mean square of the eigenvalues after the mean is subtracted. */
  readonly deviation: number;
}

/** Noise on an [n, n] statistic. */
export interface MatrixNoise extends NoiseSpectrum {
  /** Standard deviation of one entry off the diagonal. */
  readonly offDiagonal: number;
}

/** Independent noise on n entries. */
export interface EntryNoise {
  /** High quantile of the largest. */
  readonly edge: number;
  /** Standard deviation of one. */
  readonly deviation: number;
}

/** Facts of noise of a scale (sigma, v or the Laplace scale) on n rows or entries. */
export type NoiseLaw<Noise> = (scale: number, n: number) => Noise;

/** Symmetric Gaussian: semicircle of variance n sigma^2 / 2, edge sigma sqrt(2n) (Wigner). */
export const semicircle: NoiseLaw<MatrixNoise> = (scale, n) => ({
  mean: 0,
  edge: scale * Math.sqrt(2 * n),
  deviation: scale * Math.sqrt(n / 2),
  offDiagonal: scale * Math.SQRT1_2,
});

/** Edge of the free difference of two Marchenko-Pastur laws of ratio 1, in units of n v. */
export const FREE_EDGE = 3.3302;

/** Two-sided Wishart: free difference of two Marchenko-Pastur laws, variance 2 n (n + 1) v^2. */
export const freeDifference: NoiseLaw<MatrixNoise> = (scale, n) => ({
  mean: 0,
  edge: FREE_EDGE * (n + 1) * scale,
  deviation: scale * Math.sqrt(2 * n * (n + 1)),
  offDiagonal: scale * Math.sqrt(2 * (n + 1)),
});

/** One-sided Wishart of n + 1 degrees of freedom: mean (n + 1) v, Marchenko-Pastur. */
export const marchenkoPastur: NoiseLaw<MatrixNoise> = (scale, n) => {
  const mean = (n + 1) * scale;
  const top = scale * (Math.sqrt(n) + Math.sqrt(n + 1)) ** 2;
  const deviation = scale * Math.sqrt(n * (n + 1));
  return { mean, edge: top - mean, deviation, offDiagonal: scale * Math.sqrt(n + 1) };
};

/** Diagonal of a one-sided Wishart matrix: chi-squares of n + 1 degrees of freedom, whose mean all entries share. */
export const chiSquareEntries: NoiseLaw<EntryNoise> = (scale, n) => ({
  // Mean and the bound of Laurent and Massart (2000), Lemma 1, at probability 1 / n.
  edge: scale * (n + 1 + 2 * Math.sqrt((n + 1) * math.log(n)) + 2 * math.log(n)),
  deviation: scale * Math.sqrt(2 * (n + 1)),
});

/** Independent normal entries. */
export const normalEntries: NoiseLaw<EntryNoise> = (scale, n) => ({
  edge: scale * Math.sqrt(2 * math.log(n)),
  deviation: scale,
});

/** Independent Laplace entries. */
export const laplaceEntries: NoiseLaw<EntryNoise> = (scale, n) => ({
  edge: scale * math.log(n),
  deviation: scale * Math.SQRT2,
});
