/**
 * Algorithm 2's sharing rule: the projection that shrinks the models' singular values.
 *
 * prox of eta lambda ||.||_* at W is U diag(max(0, 1 - eta lambda / s_j)) U^T W, where
 * W W^T = U diag(s^2) U^T; so it needs W W^T only, and that is what is released with noise.
 * @module
 */
import type { SharingRule } from "../round/sharing-rule.js";
import { thresholdNow, type Threshold } from "./threshold.js";
import { spectralRule, type Shrink, type SpectralRule } from "./spectral.js";

/**
 * M = U diag(s) U^T with s_j = max(0, 1 - threshold / sqrt(Lambda_j)), 0 where Lambda_j <= 0,
 * applied to all d eigenvalues. Broadcast: M, [d, d].
 *
 * @param threshold eta lambda, or what says it every round.
 * @see Liang et al., Algorithm 2, steps 5 to 8; Ji and Ye (2009) without noise.
 */
export function lowRankRule(threshold: Threshold): SharingRule {
  return spectralRule(shrinkBy(threshold), { threshold });
}

/** The same in factors, for methods without noise: with the norms. */
export function factoredLowRankRule(threshold: Threshold): SpectralRule {
  return spectralRule(shrinkBy(threshold), { inFactors: true, threshold });
}

const shrinkBy =
  (threshold: Threshold): Shrink =>
  ({ kernels }, squares, factors, d) => {
    kernels.shrinkFactors(squares, factors, d, thresholdNow(threshold));
  };
