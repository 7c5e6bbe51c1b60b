/**
 * Sharing rules that scale the models' singular values.
 *
 * With W W^T = U diag(s^2) U^T the matrix U diag(f) U^T W has the singular values f_j s_j and the
 * same singular vectors, so every spectral proximal step needs W W^T only.
 * @module
 */
import type { Core, Pointer } from "../../core/index.js";
import { notDecomposed } from "../../linalg/not-decomposed.js";
import type { SharingRule } from "../round/sharing-rule.js";
import { factoredLength, markFactored, markWhole } from "./factored.js";
import { thresholdNow, type Threshold } from "./threshold.js";
import { TrackedDirections } from "./tracked-directions.js";

/** A spectral rule, and what a method without noise may read from its last round. */
export interface SpectralRule extends SharingRule {
  /** Nuclear norm of the projected models, and the sum of their squares; exact only without noise. */
  nuclearNorm(): number;
  squaredNorm(): number;
}

/**
 * Writes factors[d] from the eigenvalues squares[d] of W W^T, descending; zeros come last.
 */
export type Shrink = (core: Core, squares: Pointer, factors: Pointer, d: number) => void;

/** `shrinkOrValues` has written the broadcast. */
const SHRUNK = 2;

/** In which form, and by which way, a rule makes its broadcasts. */
export interface SpectralForm {
  /**
   * Whether a broadcast is of the form of `factored.ts`, in factors where the rank is below d / 2, and few directions of many are followed
   * from round to round (`tracked-directions.ts`): for methods without noise; default no.
   */
  readonly inFactors?: boolean;
  /**
   * The t of a rule whose factors are 1 - t / s: where all s are above it and close to each other, as noise leaves them, the broadcast
   * is made without eigenvectors; and the norms are known after the round only where it is in factors. Default: always with them.
   */
  readonly threshold?: Threshold;
}

/** Broadcast: M = U diag(factors) U^T, [d, d]. */
export function spectralRule(
  shrink: Shrink,
  { inFactors = false, threshold }: SpectralForm,
): SpectralRule {
  let nuclear = 0;
  let squared = 0;
  return {
    statistic: "covariance",
    broadcastLength: (_m, d) => (inFactors ? factoredLength(d) : d * d),
    nuclearNorm: () => nuclear,
    squaredNorm: () => squared,
    prepare: ({ core, d }) => {
      const { arena, kernels } = core;
      const values = arena.f64(d);
      const factors = arena.f64(d);
      const vectors = arena.f64(d * d);
      const work = arena.bytes(
        Math.max(kernels.eighWorkspace(d), kernels.spectralProductWorkspace(d, d)),
      );
      const tracked = inFactors ? TrackedDirections.of(core, d) : undefined;
      /** Shrinks what values there are: how many directions are kept, and the norms. */
      const keep = (): number => {
        shrink(core, values, factors, d);
        const kept = arena.view(factors, d);
        const squares = arena.view(values, d);
        let rank = 0;
        let [norm, square] = [0, 0];
        while (rank < d && kept[rank]! > 0) {
          norm += kept[rank]! * Math.sqrt(squares[rank]!);
          square += kept[rank]! ** 2 * squares[rank]!;
          rank++;
        }
        [nuclear, squared] = [norm, square];
        return rank;
      };
      return (statistic, broadcast) => {
        const followed = tracked?.step(statistic, values) ?? 0;
        const few = followed > 0 ? keep() : 0;
        // Where all that are followed are kept there may be more.
        if (tracked && few < followed) {
          tracked.take(values, few, broadcast);
          markFactored(core, broadcast, d, { factors, rank: few });
          return { rank: few };
        }
        const t = threshold === undefined ? 0 : thresholdNow(threshold);
        // At 0 the norms could not be told from the broadcast.
        const out = threshold === undefined || (inFactors && t === 0) ? 0 : broadcast;
        const found = kernels.shrinkOrValues(statistic, values, d, t, out, work);
        if (found === SHRUNK) {
          if (inFactors) {
            [nuclear, squared] = normsOfShrunk(core, { statistic, broadcast, d, t });
            markWhole(core, broadcast, d);
          } else [nuclear, squared] = [NaN, NaN];
          return { rank: d };
        }
        if (found !== 0) {
          throw notDecomposed("the shared covariance");
        }
        const rank = keep();
        if (inFactors && rank < d / 2) {
          if (tracked) tracked.takeDecomposed(values, rank, broadcast);
          else kernels.largestVectors(broadcast, d, rank);
          markFactored(core, broadcast, d, { factors, rank });
        } else {
          kernels.largestVectors(vectors, d, rank);
          kernels.spectralProduct(vectors, factors, broadcast, d, rank, work);
          if (inFactors) markWhole(core, broadcast, d);
        }
        return { rank };
      };
    },
  };
}

/** Sum and sum of squares of all s - t, where M = I - t (W W^T)^{-1/2}, so that tr(W W^T (I - M)) = t sum s. */
function normsOfShrunk(
  { arena, kernels }: Core,
  { statistic, broadcast, d, t }: Record<"statistic" | "broadcast" | "d" | "t", number>,
): [nuclear: number, squared: number] {
  const square = arena.view(statistic, d * d);
  let trace = 0;
  for (let k = 0; k < d * d; k += d + 1) trace += square[k]!;
  const sum = (trace - kernels.dot(statistic, broadcast, d * d)) / t;
  return [sum - d * t, trace - 2 * t * sum + d * t * t];
}
