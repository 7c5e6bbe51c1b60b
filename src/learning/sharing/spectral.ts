/**
 * Sharing rules that scale the models' singular values.
 *
 * With W W^T = U diag(s^2) U^T the matrix U diag(f) U^T W has the singular values f_j s_j and the
 * same singular vectors, so every spectral proximal step needs W W^T only.
 * @module
 */
import type { Core, Pointer } from "../../core/index.js";
import type { SharingRule } from "../round/sharing-rule.js";

/** The broadcast of a round in factors: M = U diag(factors) U^T, U the first `rank` columns. */
export interface Factored {
  /** [d, d], column j is eigenvector j. */
  readonly vectors: Pointer;
  /** [d]. */
  readonly factors: Pointer;
  readonly rank: number;
}

/** A spectral rule, and what a method without noise may read from its last round. */
export interface SpectralRule extends SharingRule {
  /** Nuclear norm of the projected models, exact only without noise. */
  nuclearNorm(): number;
  /** The last broadcast where its rank is below d / 2; it is then not multiplied out. */
  factored(): Factored | undefined;
}

/**
 * Writes factors[d] from the eigenvalues squares[d] of W W^T, descending; zeros come last.
 */
export type Shrink = (core: Core, squares: Pointer, factors: Pointer, d: number) => void;

/**
 * Broadcast: M = U diag(factors) U^T, [d, d].
 *
 * @param keepFactored for participants in the same core that apply the factors: a broadcast of low
 *   rank is then left out.
 */
export function spectralRule(shrink: Shrink, keepFactored = false): SpectralRule {
  let nuclear = 0;
  let last: Factored | undefined;
  return {
    statistic: "covariance",
    broadcastLength: (_m, d) => d * d,
    nuclearNorm: () => nuclear,
    factored: () => last,
    prepare: ({ core, d }) => {
      const { arena, kernels } = core;
      const values = arena.f64(d);
      const factors = arena.f64(d);
      const vectors = arena.f64(d * d);
      const work = arena.bytes(
        Math.max(kernels.eighWorkspace(d), kernels.spectralProductWorkspace(d, d)),
      );
      return (statistic, broadcast) => {
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
        last = keepFactored && rank < d / 2 ? { vectors, factors, rank } : undefined;
        if (!last) kernels.spectralProduct(vectors, factors, broadcast, d, rank, work);
        return { rank };
      };
    },
  };
}
