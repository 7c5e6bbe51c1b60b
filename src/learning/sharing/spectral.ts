/**
 * Sharing rules that scale the models' singular values.
 *
 * With W W^T = U diag(s^2) U^T the matrix U diag(f) U^T W has the singular values f_j s_j and the
 * same singular vectors, so every spectral proximal step needs W W^T only.
 * @module
 */
import type { Core, Pointer } from "../../core/index.js";
import type { SharingRule } from "../round/sharing-rule.js";

/** A spectral rule, and what a certificate may read from its last round. */
export interface SpectralRule extends SharingRule {
  /** Nuclear norm of the projected models, exact only without noise. */
  nuclearNorm(): number;
}

/**
 * Writes factors[d] from the eigenvalues squares[d] of W W^T, descending; zeros come last.
 */
export type Shrink = (core: Core, squares: Pointer, factors: Pointer, d: number) => void;

/** Message: M = U diag(factors) U^T, [d, d]. */
export function spectralRule(shrink: Shrink): SpectralRule {
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
        shrink(core, values, factors, d);
        const kept = arena.view(factors, d);
        const squares = arena.view(values, d);
        let rank = 0;
        nuclear = 0;
        while (rank < d && kept[rank]! > 0) {
          nuclear += kept[rank]! * Math.sqrt(squares[rank]!);
          rank++;
        }
        kernels.spectralProduct(vectors, factors, message, d, rank, work);
        return { rank };
      };
    },
  };
}
