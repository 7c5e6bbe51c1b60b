/**
 * Algorithm 2's sharing rule: the projection that shrinks the models' singular values.
 *
 * prox of eta lambda ||.||_* at W is U diag(max(0, 1 - eta lambda / s_j)) U^T W, where
 * W W^T = U diag(s^2) U^T; so it needs W W^T only, and that is what is released with noise.
 * @module
 */
import type { SharingRule } from "../round/sharing-rule.js";

/** The spectral shrinkage of Algorithm 2, and what a certificate may read from its last round. */
export interface LowRankRule extends SharingRule {
  /** Nuclear norm of the projected models, exact only without noise. */
  nuclearNorm(): number;
}

/**
 * M = U diag(s) U^T with s_j = max(0, 1 - threshold / sqrt(Lambda_j)), 0 where Lambda_j <= 0,
 * applied to all d eigenvalues (PRIVACY.md 5.7). Message: M, [d, d].
 *
 * @param threshold eta lambda.
 * @see Liang et al., Algorithm 2, steps 5 to 8; Ji and Ye (2009) without noise.
 */
export function lowRankRule(threshold: number): LowRankRule {
  let nuclear = 0;
  return {
    statistic: "covariance",
    messageLength: (_m, d) => d * d,
    nuclearNorm: () => nuclear,
    prepare: ({ core, d }) => {
      const { arena, kernels } = core;
      const values = arena.f64(d);
      const factors = arena.f64(d);
      const vectors = arena.f64(d * d);
      const work = arena.bytes(
        Math.max(kernels.eighWorkspace(d), kernels.spectralProductWorkspace(d, d)),
      );
      return (statistic, message) => {
        if (kernels.eigh(statistic, values, vectors, d, work) !== 0) {
          throw new RangeError("the eigendecomposition of the shared covariance did not converge");
        }
        kernels.shrinkFactors(values, factors, d, threshold);
        const shrink = arena.view(factors, d);
        const squares = arena.view(values, d);
        let rank = 0;
        nuclear = 0;
        while (rank < d && shrink[rank]! > 0) {
          nuclear += shrink[rank]! * Math.sqrt(squares[rank]!);
          rank++;
        }
        kernels.spectralProduct(vectors, factors, message, d, rank, work);
        return { rank };
      };
    },
  };
}
